"""A repository's tests as suites. In: a tree that was just built. Out: suites that passed, each with what reads its
output.

Floors, each importing only those below it: `try_tests`; `program_cases` (what a test program's framework can select);
`exit_library`, `list_tests`, `output_parsers`.
"""
