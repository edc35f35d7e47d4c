"""Retrieval by meaning: encoders, vectors kept on disk, nearest neighbours."""
