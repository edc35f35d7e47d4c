"""A C or C++ tree becomes symbols, call sites and a call graph; a target function can be hidden everywhere.

Floors, each importing only those above it in this list: errors, strict, values; parallel; cpp; symbols; store;
callgraph;
hiding; repo_index (the index opened for reading); build (a tree becomes an index).
"""

import logging

# As a library Graft prints nothing: the program that uses it decides what happens to its log.
logging.getLogger(__name__).addHandler(logging.NullHandler())
