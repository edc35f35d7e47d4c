"""In: a call as the model wrote it. Out: a bounded text about the repository, read through the hidden view alone.

Floors: `toolbox`; the tools themselves (`call_tools`, `read_tools`, `search_tools`); `name_lookup` and `result_text`;
`scope`, the view as seen from the target's file; `name_table` and its `name_arrays`; what a call is made of
(`arguments`, `specs`, `protocols`); `tool_answer`.
"""
