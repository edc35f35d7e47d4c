"""The memory index: what a model scores on the original tree, and on the same tree under other names.

Imports run down this list of floors:

- `show`: the index in a terminal and as JSON
- `pairs`: the runs' samples, paired by task, become differences with their intervals
- `runs`: the folders, read, and refused where they can't be compared
"""
