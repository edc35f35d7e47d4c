"""Retrieval by meaning.

Floors: static_dense; dense, static_encoder; cache; encoder.
"""
