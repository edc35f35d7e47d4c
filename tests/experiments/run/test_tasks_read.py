"""Prevents: a sample that read another task's function with a tool, and a record that doesn't say so."""

from __future__ import annotations

from dataclasses import replace

from agent.values import Candidate, ModelResponse, Round, ToolUse, Trajectory
from executor.values import Task
from experiments.run.sampling.conversation import find_other_tasks_shown

RESPONSE = ModelResponse("", "", "stop", 1, 1, 0.0, "", 0.0)


def test_other_tasks_of_the_repository_count_and_the_own_does_not(example_tasks: dict[str, Task]) -> None:
    own, read, listed, *_ = example_tasks.values()
    elsewhere = replace(read, id="elsewhere", target=replace(read.target, repo="another"))
    bodies = tuple(f"{task.target.name} ({task.target.path})" for task in (own, read))
    shown = (f"{listed.target.name} ({listed.target.path})",)
    use = ToolUse("read_symbol", "{}", False, 9, 0.0, (*bodies, *shown), bodies)
    trail = Trajectory((), (Round(RESPONSE, Candidate(None), None, uses=(use,)),), Candidate(None))
    assert find_other_tasks_shown([own, read, listed, elsewhere], own, trail) == (read.id,)
    assert find_other_tasks_shown([own, read], own, replace(trail, rounds=())) == ()
