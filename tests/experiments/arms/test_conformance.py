"""Prevents: an arm that works with a well-behaved model, but hangs, crashes or blames the model when the server is
slow, busy, cut off or silent. Every arm against the scripted server, one task each."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from executor.values import Outcome, Task
from experiments.arms.arm import list_arm_names, parse_arm
from experiments.demo.scripted_server import ScriptCall, ScriptRule
from experiments.run.experiment import RunEnd
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.scripts import fence_gold

# In one process with the other tests of arms: the rankers are trained once.
pytestmark = pytest.mark.xdist_group("arms")

ARMS = list_arm_names()
# Eight model errors in a row stop a run: a provider that is gone. Fewer arms at a time than that.
CHUNKS = [ARMS[start : start + 7] for start in range(0, len(ARMS), 7)]
# What a bad answer does to a `+compile` arm doesn't depend on where its context came from.
FEW = (*(name for name in ARMS if "+compile" not in name), "none+compile", "agentic+compile")
few_chunks = pytest.mark.parametrize("arms", [FEW[start::3] for start in range(3)], ids=["some", "more", "rest"])
each_chunk = pytest.mark.parametrize("arms", CHUNKS, ids=[arms[0] for arms in CHUNKS])


def ends(end: RunEnd, stopped: str = "") -> dict[str, Outcome]:
    """How each arm ended. `stopped` begins the line with which the run ended, "" for a whole run."""
    assert end.stopped.startswith(stopped) and bool(end.stopped) == bool(stopped), end.stopped
    return {record.arm: record.graft.verdict.outcome for record in end.records}


@each_chunk
def test_a_model_that_is_busy_slow_and_then_right(
    run_example: Runner, serve: Serve, task: Task, arms: Sequence[str]
) -> None:
    submit = ScriptCall(name="submit", arguments={"code": task.gold.rstrip()})
    look = ScriptCall(name="search", arguments={"query": "strbuf"})
    server = serve(
        ScriptRule(times=1, status=429, headers={"Retry-After": "0"}, answer="slow down"),
        ScriptRule(times=1, status=503, headers={"Retry-After": "0"}, answer="overloaded"),
        ScriptRule(when_tools=True, turn=1, calls=(look,)),
        ScriptRule(when_tools=True, calls=(submit,)),
        ScriptRule(times=1, answer=fence_gold(task), delay_s=0.3, pause_s=0.01),
        ScriptRule(answer=fence_gold(task), reasoning="as always"),
    )
    found = ends(run_example(tasks=[task.id], arms=arms, api_base=server.base_url))
    assert found == dict.fromkeys(arms, Outcome.PASSED)
    for served in server.log.requests:
        offered = bool(json.loads(served.body).get("tools"))
        assert offered in {parse_arm(arm).kind == "tools" for arm in arms}


@few_chunks
def test_a_model_that_is_cut_off(run_example: Runner, serve: Serve, task: Task, arms: Sequence[str]) -> None:
    server = serve(ScriptRule(answer=fence_gold(task), cut_after=100))
    end = run_example(tasks=[task.id], arms=arms, api_base=server.base_url, max_attempts=1)
    assert ends(end, "no answer came to any of") == dict.fromkeys(arms, Outcome.MODEL_ERROR)


@few_chunks
def test_a_model_that_says_nothing_of_use(run_example: Runner, serve: Serve, task: Task, arms: Sequence[str]) -> None:
    server = serve(ScriptRule(answer="Let me think. ", repeat=3_000, finish_reason="length"))
    found = ends(run_example(tasks=[task.id], arms=arms, api_base=server.base_url))
    assert found == dict.fromkeys(arms, Outcome.NO_ANSWER)
    assert server.log.count < 5 * len(arms)
