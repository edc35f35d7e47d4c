"""Retrieval by words.

Floors: lexical, lookup; bm25, nearness; counts, query; terms.
"""
