"""The sandbox by a Docker engine."""
