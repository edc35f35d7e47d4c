"""Is a task worth a point? In: a repository's warm image and its tasks. Out: the manifest, which says of each task
which suites reach it, which wrong bodies they kill, and the cheapest suites that judge it; and the sabotages that the
control run needs.

Floors, each importing only those below it: `data_set_examination` (all repositories of a data set);
`repository_sabotages`; `repository_examination`, `suite_sabotages`; `task_examination`, `sabotage_candidates`;
`cheating_bodies`; the rest: what bodies are tried (`stubs_and_mutants`), how (`body_trial`, `reach`,
`function_watch`), and what is kept (`manifest`, `earlier_findings`, `suite_cover`).
"""
