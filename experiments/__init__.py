"""The composition root: runs, arms, reports, the evaluation of retrieval, and the command line."""

import logging

# As a library Graft prints nothing: the program that uses it decides what happens to its log.
logging.getLogger(__name__).addHandler(logging.NullHandler())
