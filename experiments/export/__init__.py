"""A run's samples, and a data set's tasks, for other tools.

In: folders of runs. Out: files: flat rows (CSV, JSON lines, Parquet), logs of lm-eval and inspect_ai, a submission to
MERA Code.

Imports run down this list of floors:

- `hub_data_set`: a data set's tasks, for a hub
- `write`: files in each format
- `harness`, `inspect_logs`: the logs of lm-eval, with MERA Code's submission, and of inspect_ai
- `columns`: what stands in a flat row, column by column
- `answers`: what was asked and answered
"""
