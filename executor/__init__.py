"""Tasks, repositories, builds, sandboxes and grading: whether a candidate passes the repository's own tests.

Floors, each importing only those above it in this list: values, cache, threads; function; sandbox; published; build;
grading; repository; tasks; confine; candidate; differential; workers; doctor; wrong; variants, making.
"""

import logging

# As a library Graft prints nothing: the program that uses it decides what happens to its log.
logging.getLogger(__name__).addHandler(logging.NullHandler())
