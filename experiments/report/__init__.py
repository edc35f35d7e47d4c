"""A run's records become tables and stories.

Imports run down this list of floors:

- `official_grade`, `predictions`, `regrade`, `review`, `show`, `watch`: what the commands print
- `finish`: the end of a run, and its exit code
- `reading_back`, `render`, `story`: a variant's texts in the original names; a document in each format; one sample
  as a person reads it
- `layout`: a report as a document of sections and tables
- `model`: the report itself
- `metrics`: its figures; a new column is a function and a line there
- `recitation`: figures of how much came from memory
"""
