"""A view of the index without one function's body: holes in texts, and the body's twins elsewhere.

Floors: `hide`; `view`; `twins` (functions that give the body away); `clone_tables` (their arrays); `clones` (by text),
`shapes` (by shape) and `holes`; `body_tokens`.
"""
