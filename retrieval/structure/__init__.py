"""Retrieval by siblings, types, popularity and places. In: a target in its view. Out: signals of each candidate, hits.

Floors, each importing only those below it:

    fused_retriever                   the `structural` and `hybrid` retrievers, their fixed weights
    signal_maker                      a target -> its matrix of signals
    signals         candidate_pool    the table of signals; which functions are candidates
    likely_callees                    signals that follow from the likeliest callees of a first guess
    candidate_set                     the candidates of a target, and what several signals are computed from
    evidence                          votes, likeness and other evidence over all functions
    target_query                      what a target says about itself
    tables                            arrays over a whole repository, made once per index
    signature                         what a signature says
"""
