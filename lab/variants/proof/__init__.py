"""Shows that a renamed tree is the same program: it builds, its suites, golds and stubs do what the original's did.

Floors, each importing only those above it in this list: messages; suites; mend, trials; prove.
"""
