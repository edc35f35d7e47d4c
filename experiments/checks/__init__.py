"""Checks of a data set's tasks: can each be scored, and does its gold agree with the repository's own text?"""
