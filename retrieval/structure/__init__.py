"""Retrieval by structure: siblings, types, popularity and locality as signals of each candidate.

Floors, each importing only those below it:

    structural             the `structural` and `hybrid` retrievers
    signaller   fusion     a target -> its matrix of signals; the fixed weights
    signals     pool       the table of signals; which functions are candidates
    evidence    spread     votes and other evidence over all functions; votes passed on to neighbours
                spelling   what two names share letter by letter
    analogy     votes      siblings' callees renamed; functions that vote for their callees
    similarity             how similar each function is to the target
    target_query           what a target says about itself
    tables                 arrays over a whole repository, made once per index
    signature              what a signature says
"""
