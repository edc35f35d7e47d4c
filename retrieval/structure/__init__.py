"""Retrieval by structure: siblings, types, popularity and locality as signals of each candidate.

Floors, each importing only those below it:

    structural             the `structural` and `hybrid` retrievers
    signaller   fusion     a target -> its matrix of signals; the fixed weights
    signals     pool       the table of signals; which functions are candidates
    cues                   signals of what bodies do around a call, of flow, overloads and the likeliest callees
    candidates             the candidates of a target, and what several signals are computed from
    evidence               votes, likeness and other evidence over all functions
    target_query           what a target says about itself
    tables                 arrays over a whole repository, made once per index
    signature              what a signature says
"""
