"""A target and a hidden view become ranked hits, and hits become a context within a token budget.

Floors, each importing only those above it in this list: values, protocol, test_code; text; vectors; structure; ranker;
context. `chance` and `iterative` stand beside the rooms.
"""

import logging

# As a library Graft prints nothing: the program that uses it decides what happens to its log.
logging.getLogger(__name__).addHandler(logging.NullHandler())
