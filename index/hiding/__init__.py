"""A view of the index without one function's body: holes in texts, and the body's twins elsewhere.

Floors: `target_hiding`; `hidden_view`; `twins` (functions that give the body away); `clone_tables` (their arrays);
`text_clones`, `shape_clones` and `holes`; `body_tokens`.
"""
