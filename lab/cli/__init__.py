"""Commands that check the tests: which tasks are worth a point, and what else a body must do."""
