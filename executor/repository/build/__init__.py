"""A repository's own build: its commands recorded, kept as a graph, and replayed for one changed file."""
