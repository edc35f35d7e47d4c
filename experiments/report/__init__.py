"""A run's records become tables and stories.

Imports run down this list of floors:

- `official_grade`, `predictions`, `regrade`, `review_decisions`, `run_progress`, `show_command`: what commands print
- `run_end`: the end of a run: its report, what to type next, and its exit code
- `report_document`, `story`: a report as a document; one sample as a person reads it
- `run_report`: the report itself
- `headline`, `stored_run`, `by_holes`: the sentences that every output opens with; a run's folder, read once; figures
  by the number of functions
- `prompt_names`: what prompts showed of the names that bodies need
- `metrics`: its figures; a new column is a function and a line there
"""
