"""The memory index: what a model scores on the original tree, and on the same tree under other names.

Imports run down this list of floors:

- `memory_document`: the index as a document
- `memory_index`: the runs' samples, paired by task, become differences with their intervals
"""
