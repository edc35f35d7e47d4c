"""A view of the index without one function's body: holes in texts, and the body's twins and copies elsewhere.

Floors: `target_hiding`; `hidden_view`; `twins` (functions that give the body away) and `copies` (other places that
do); `fingerprints`; `text_clones`, `shape_clones`, `text_tokens` and `holes`; `body_tokens`.
"""
