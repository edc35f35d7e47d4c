"""In: the text of a model's answer, and the target. Out: the function found in it, as a Candidate, or the reason why
there is none.

Floors: `multi_function` (a task of several functions, and what several of them use); `extraction` (one function);
`ranking` (which of several definitions); `definitions` (where they stand in a text); `wrappings` (thoughts, JSON,
differences); `fences` and `header`; `brackets`.
"""
