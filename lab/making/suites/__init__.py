"""A repository's tests as suites. In: a tree that was just built. Out: suites that passed, each with what reads its
output.

Floors, each importing only those below it: `try_tests`; `exit_library`, `list_tests`, `output_parsers`.
"""
