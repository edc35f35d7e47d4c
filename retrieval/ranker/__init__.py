"""Retrieval by trained rankers that order the candidates by their signals.

Floors: learned; generic; network, ranker; training.
"""
