"""The sandbox by bubblewrap."""
