"""Which functions become tasks: their comments, their calls, those that belong together.

Floors, each importing only those above it in this list: documents, oracle; agreement, cost, grouping; choose.
"""
