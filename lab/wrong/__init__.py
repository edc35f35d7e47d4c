"""Plausible wrong bodies and plus tests. In: `wrong.yaml` and the plus tests of a recipe. Out: in the manifest, which
wrong bodies the suites let pass, further suites that kill more of them, and what became of the plus tests.

Floors, each importing only those below it: `commands`; `judge_bodies`, `plus_tests`, `plus_listing`; `stored_trials`,
`compile_bodies`; `body_file`, `pass_rate_tables`.
"""
