"""A run's samples as flat rows, for other tools.

Imports run down this list of floors:

- `write`: the rows as CSV, JSON lines or Parquet
- `columns`: what stands in a row, column by column
"""
