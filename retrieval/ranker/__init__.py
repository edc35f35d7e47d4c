"""Trained rankers. In: the signals of a target's candidates. Out: a score for each, and the hits of `learned`.

Floors: learned_retriever; generic_ranker; network_ranker, forest_ranker; training_groups.
"""
