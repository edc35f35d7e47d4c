"""A repository's own build.

Takes in the commands that a build ran, as recorded; hands out the graph of its steps, and for a changed file the few
steps that bring a suite's programs up to date.

Floors, each importing only those below it: `recorder` (records a build), `plan` (what a change calls for); `steps`;
`graph`, `command_line` (what a compiler's call reads and writes).
"""
