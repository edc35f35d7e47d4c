"""Compares bodies with the gold, call by call (docs/decisions/differential.md). In: a task and candidates. Out: at
which of the calls that its suites make a candidate differs from the gold.

Floors, each importing only those below it: `compare_bodies` (a data set); `compare_with_gold` (a task);
`build_programs`; `cpp_unit`; `c_unit`; `dwarf_shapes`; `noted_calls`. The folder `runtime` is the C that is linked
into the suites' programs.
"""
