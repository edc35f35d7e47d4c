"""A run: the matrix of arm, task and sample, its journal, and everything that makes it resumable.

In: a `RunConfig`, the folder of Graft's cache, and answers that were made elsewhere, if any. Out: a run's folder (see
`records`), and a `RunEnd` with its records.

Imports run down this list of floors:

- `experiment`: the loop over what is still to be done
- `batch`, `manifest`: prompts and answers by batch file; what a run was made of
- `sampling`: one sample from context to record
- `workspace`: tasks, sources, sandbox, warm images and indexes, ready before the first sample
- `resolve`: the one step that turns a configuration's names into things
- `config`, `records`, `reference_models`, `validity`: what a run is told, and what it writes down
- `variant_source`, on the same floor: a repository's variant, where the run is told to use one
- `sample_facts`, `pass_rule`, `reviews`: the small values in a record; which tests an answer must pass; a person's
  decisions
"""
