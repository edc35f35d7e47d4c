"""What a model may look up: the repository through the hidden view, and nothing else."""
