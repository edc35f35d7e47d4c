"""Prevents: an arm that works with a well-behaved model, but hangs, crashes or blames the model when the server is
slow, busy, cut off or silent. Every arm against the scripted server, one task each."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from executor.values import Outcome, Task
from experiments.arms.arm import list_arm_names, list_sources
from experiments.demo.scripted_server import ScriptCall, ScriptRule
from experiments.run.experiment import RunEnd
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.scripts import fence_gold

# In one process with the other tests of arms: the rankers are trained once.
pytestmark = pytest.mark.xdist_group("arms")

ARMS = list_arm_names()
# What a bad answer does to an arm doesn't depend on where its context came from: one of each kind.
KINDS = (*{source.kind: name for name, source in list_sources().items()}.values(), "none+compile", "agentic+compile")


def find_ends(end: RunEnd, stopped: str = "") -> dict[str, Outcome]:
    """How each arm ended. `stopped` begins the line with which the run ended, "" for a whole run."""
    assert end.stopped.startswith(stopped) and bool(end.stopped) == bool(stopped), end.stopped
    return {record.arm: record.graft.verdict.outcome for record in end.records}


def test_a_model_that_is_busy_slow_and_then_right(run_example: Runner, serve: Serve, task: Task) -> None:
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
    found = find_ends(run_example(tasks=[task.id], arms=ARMS, api_base=server.base_url))
    assert found == dict.fromkeys(ARMS, Outcome.PASSED)
    offered = {bool(json.loads(served.body).get("tools")) for served in server.log.requests}
    assert offered == {False, True}


# Eight model errors in a row stop a run: a provider that is gone. Fewer arms at a time than that.
@pytest.mark.parametrize("arms", [KINDS[::2], KINDS[1::2]], ids=["some", "others"])
def test_a_model_that_is_cut_off(run_example: Runner, serve: Serve, task: Task, arms: Sequence[str]) -> None:
    server = serve(ScriptRule(answer=fence_gold(task), cut_after=100))
    end = run_example(tasks=[task.id], arms=arms, api_base=server.base_url, max_attempts=1)
    assert find_ends(end, "no answer came to any of") == dict.fromkeys(arms, Outcome.MODEL_ERROR)


def test_a_model_that_says_nothing_of_use(run_example: Runner, serve: Serve, task: Task) -> None:
    server = serve(ScriptRule(answer="Let me think. ", repeat=3_000, finish_reason="length"))
    found = find_ends(run_example(tasks=[task.id], arms=KINDS, api_base=server.base_url))
    assert found == dict.fromkeys(KINDS, Outcome.NO_ANSWER)
    assert server.log.count < 5 * len(KINDS)
