"""Makes a benchmark from any C or C++ repository: `graft make`.

Floors, each importing only those above it in this list: settings, ended; debian, failures, parsers, listing; origin,
detect, oracle, documents, cases; history, trials, grouping; choose; write, agreement; build; stages.
"""
