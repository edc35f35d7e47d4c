"""One sample: a context is packed, a model is asked, its candidate is executed, a record is written.

In: a task, an arm, a sample's number, and the `Bench` that a run's samples share. Out: a `SampleRecord`, and beside it
the story and the executions in the run's folder.

Imports run down this list of floors:

- `sample`, `early_verdicts`: from context to record; verdicts given before the suites' last round
- `conversation`, `attribution`, `executions`, `recitation`, `rounds`: its parts
"""
