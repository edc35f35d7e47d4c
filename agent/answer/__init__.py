"""In: the text of a model's answer, and the target. Out: the function found in it, as a Candidate, or the reason why
there is none.

Floors: `multi_function` (a task of several functions); `extraction` (one function); `definitions` (where definitions
stand in a text); `fences` and `header`; `brackets`.
"""
