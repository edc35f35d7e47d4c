"""A renamed repository: its record, and the record applied to texts, files, trees, tasks and manifests.

Floors: renamed_tasks; renamed_files; record, spec; renamed_text, values.
"""
