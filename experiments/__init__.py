"""The composition root: configurations, the arm x task x sample matrix, journal, statistics, reports, the CLI."""
