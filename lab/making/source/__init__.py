"""Where a benchmark's source comes from. In: a folder, an address or debian:NAME. Out: its tree, its licence, what
Debian says of its build, when a function's body changed.

Floors, each importing only those below it: `origin`; `debian`.
"""
