"""One candidate, from its text to what its tests printed.

Takes in a warm image, a sandbox and the edits that put a candidate in its place; hands out a `TestRun`: the check, the
build, each suite's results and the control runs. For a model that repairs its draft it hands out the compiler's
messages.

Floors, each importing only those below it: `several_functions` (the compiler for a task of several functions);
`compiler` (one function's), `plus_control_runs`; `control_runs` (suites with another function broken); `execute`
(build, suites), `diagnostics` (messages that a person can use), `precompiled` (headers that make a check quick);
`runner` (commands in a session, side by side where they can); `draft_refusals` (what a draft may not make the compiler
read), `root_causes`.
"""
