"""Shows that a renamed tree is the same program. In: how a map is made. Out: its image, and a proof: it builds, its
suites, golds, stubs and plus tests do what the original's did.

Floors, each importing only those below it: `variant_proof`; `build_repair`, `task_trials`;
`build_messages`.
"""
