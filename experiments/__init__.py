"""The composition root: runs, arms, reports, the evaluation of retrieval, and the command line."""
