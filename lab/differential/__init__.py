"""Compares a candidate with the gold at the calls that the suites make: docs/decisions/differential.md.

Modules, each importing only those above it in this list: values, calls; shapes, unit,
results; cpp, tables; programs; run.
"""
