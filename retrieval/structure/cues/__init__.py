"""Signals beyond votes and likeness: what bodies do around a call, and what follows from the likeliest callees.

Each module has the signals of one kind, by name, in a mapping that `signals.SIGNALS` takes in. None imports another
but `likely` and `overloads`, which read what `guess` makes.
"""
