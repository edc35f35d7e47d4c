"""`graft make`. In: any C or C++ repository. Out: a data set with recipe, tasks, manifest and datasheet.

Floors, each importing only those below it: `make_benchmark` (all stages); `build_image`, `hard_tasks`;
`finish_data_set`; `write_data_set`; `functions`; `suites`; `source`; `detect_build`,
`build_failures`; `settings` (make.yaml).
"""
