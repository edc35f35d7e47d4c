"""A repository's tests as suites: found, split into what their runner can select, tried, and read by a parser.

Floors, each importing only those above it in this list: ended, listing, parsers; cases; trials.
"""
