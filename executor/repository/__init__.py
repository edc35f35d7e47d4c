"""A repository, built once and known.

Takes in a recipe, a mirror or an archive with its source, and a sandbox; hands out the source tree and the warm
`Image`: the built tree, how it was built, which tests pass on it and how long its suites take.

Floors, each importing only those below it: `official_suites`; `images` (builds, loads, pushes and pulls);
`baseline_measurement` (runs the suites on the unmodified tree), `baseline` (what they did), `build_parts` (resuming a
killed build), `known_names` (what the repository defines); `source`, `tamper` (files that a candidate changed);
`source_package`; `recipe`, `apt`; `suites`; `build`.
"""
