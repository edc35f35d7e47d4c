"""A target, a context, a model (and a compiler) -> a candidate body, and the full trajectory."""
