"""A target and an index -> ranked hits -> a context packed into a token budget."""
