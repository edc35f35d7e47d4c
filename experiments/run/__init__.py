"""A run: the matrix of arm, task and sample, its journal, and everything that makes it resumable."""
