"""Tasks under Harbor: other people's agents write the answers, Graft judges them.

In: tasks, as Graft runs them; job folders, as Harbor leaves them. Out: task folders that Harbor and verifiers load,
whose verifier gives Graft's own verdict; run folders made from jobs. Nothing here imports Harbor: templates write its
format, our own frozen models read it.

Imports run down this list of floors:

- `jobs`: a job folder becomes a run folder
- `export_tasks`: tasks become folders and images; `verify`: what runs in the verifier's container, and its record
- `agent_image`, `verifier_image`: the image an agent works in, and the one that judges
- `verifier_sandbox`: the sandbox in the verifier's container
"""
