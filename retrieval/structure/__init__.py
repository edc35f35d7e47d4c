"""Retrieval by structure: siblings, types, popularity and locality as signals of each candidate."""
