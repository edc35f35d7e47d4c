"""A run's records become tables and stories.

Imports run down this list of floors:

- `official_grade`, `predictions`, `regrade`, `review`, `show`, `watch`: what the commands print
- `finish`: the end of a run: its report, what to type next, and its exit code
- `layout`, `story`: a report as a document; one sample as a person reads it
- `model`: the report itself
- `headline`: the sentences that every output opens with
- `metrics`: its figures; a new column is a function and a line there
- `recitation`: figures of how much came from memory
"""
