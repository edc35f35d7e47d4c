"""In: a request, and the model's answers one by one. Out: the trajectory, which grows by what each answer leads to.

Floors: `conversations`, with tools and without; `trajectory`, the history that they add to, and `tool_results`, what
tools answered.
"""
