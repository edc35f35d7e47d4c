"""Keeps the candidate's programs apart from the driver that runs them: a launcher takes their place while the suites
run, and gives up what the unmodified programs don't need."""
