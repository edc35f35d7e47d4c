"""One sample: a context is packed, a model is asked, its candidate is executed, a record is written.

Imports run down this list of floors:

- `sample`: from context to record
- `asking`, `attribution`, `executions`, `recitation`, `rounds`: its parts
"""
