"""Is a task worth a point? Reach, kills, the cheapest judging suites, forgeries: the evidence, task by task."""
