"""A renamed repository: its record, and the record applied to texts, files, trees, tasks and manifests.

Floors: follow, tree; files, record, spec; rewrite, values.
"""
