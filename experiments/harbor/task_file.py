"""The models of a task's `task.toml`, as Harbor reads it."""
