"""Trained rankers. In: the signals of a target's candidates. Out: a score for each, the hits of `learned`, and the
chance of each name that a body may need.

Floors: learned_retriever, name_chances; generic_ranker; network_ranker, forest_ranker; training_groups.
"""
