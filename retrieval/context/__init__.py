"""Hits become a context within a token budget.

Floors: assemble; related, surroundings; needs, pack, snippets.
"""
