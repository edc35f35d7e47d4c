"""Retrieval by words: terms, BM25F over functions, and look-up of exact names."""
