"""A target and a hidden view become ranked hits, and hits become a context within a token budget.

In: an index, the view that hides a target's body, the target. Out: `Hit`s from a retriever, a `Context` for a prompt.

Floors, each importing only those above it in this list:

    values      hits, snippets, contexts          test_code  which files are tests, by path
    protocol    what a retriever is, and how it is made
    text        by words: BM25F over functions, and look-up of the exact names in a draft
    vectors     by meaning: encoders and nearest vectors
    structure   by calls, types, names and places: signals of each candidate, combined by fixed weights
    names       the names that the missing body needs, each with its chance
    ranker      by rankers that are trained on the signals
    context     hits -> what a prompt shows, in a token budget

`random_control` (functions drawn by chance) stands beside the rooms. A new retriever is one file in the room that fits
and one line in experiments/arms/retrievers.py.
"""

import logging

# As a library Graft prints nothing: the program that uses it decides what happens to its log.
logging.getLogger(__name__).addHandler(logging.NullHandler())
