"""Makes a benchmark from any C or C++ repository: `graft make`.

Floors, each importing only those above it in this list: settings; detect, failures; source; suites; functions; golds,
write; build; ship, stages.
"""
