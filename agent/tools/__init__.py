"""What a model may look up: the repository through the hidden view, and nothing else.

Floors: `files`, for a tree in which nothing is hidden; `toolbox`; the tools themselves (`calling`, `finding`,
`reading`); `render` and `resolve`; `scope`, the view as seen from the target's file; `names` and their `tables`; what
a call is made of (`arguments`, `specs`, `protocols`); `results`.
"""
