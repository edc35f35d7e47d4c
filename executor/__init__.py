"""Tasks with their gold, repository recipes, sandboxes, splice, build, tests -> a verdict; the metrics."""
