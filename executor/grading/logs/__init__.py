"""A suite's output becomes the results of its tests.

Takes in a log and the parser that the recipe declares; hands out each test's name and status, or why they don't stand.

Floors, each importing only those below it: `results`; `tap`; `lines`, `parser`; `slow_pattern` (a process of its own
for one pattern).
"""
