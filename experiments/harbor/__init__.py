"""Tasks under Harbor: other people's agents write the answers, Graft judges them.

In: tasks, as Graft runs them; job folders, as Harbor leaves them. Out: task folders that Harbor and verifiers load,
whose verifier gives Graft's own verdict; run folders made from jobs. Nothing here imports Harbor: the format is
written and read by our own frozen models.

Imports run down this list of floors:

- `jobs`: a job folder becomes a run folder
- `verifier_record`: what the verifier says of an answer, for Graft to read back
- `task_file`: the models of a task's `task.toml`
"""
