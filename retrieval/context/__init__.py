"""Hits become a context within a token budget.

Floors: assemble; related, surroundings; candidates; needs, pack, several, snippets, votes.
"""
