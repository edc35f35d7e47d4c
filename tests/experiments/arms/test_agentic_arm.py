"""Prevents: an arm that has a name and can't run, or whose record isn't what the model saw; an answer of an arm with
tools that the official reading doesn't find; an agent that reaches the gold, the tests or another file of the run; and
an arm that works with a well-behaved model, but hangs, crashes or blames the model when the server is slow, busy, cut
off or silent."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from executor.values import Outcome, Task
from experiments.arms.arm import list_arm_names, list_context_sources_with_plugins, parse_arm
from experiments.demo.scripted_server import ScriptCall, ScriptRule
from experiments.run.experiment import RunEnd
from experiments.run.records import JOURNAL
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.scripts import fence_gold, read_story

pytestmark = pytest.mark.xdist_group("arms")


def submit(code: str) -> ScriptCall:
    return ScriptCall(name="submit", arguments={"code": code.rstrip()})


# Of the run, of the cache, of git, of the tasks' own folder with its golds and expected results.
OUT_OF_REACH = (
    "journal.jsonl", "../run/journal.jsonl", "expected/example.json", "/etc/passwd", ".git/HEAD", "build/test_c",
    "tasks/money-print/task.yaml", "../tasks/money-print/task.yaml", "../../recipes/example/recipe.yaml",
)  # fmt: skip


def test_it_looks_up_and_submits_and_is_judged(run_example: Runner, serve: Serve, task: Task) -> None:
    look = (
        ScriptCall(name="search", arguments={"query": "strbuf"}),
        ScriptCall(name="search", arguments={"query": "append text to a buffer", "by": "words"}),
        ScriptCall(name="outline", arguments={"path": task.target.path}),
    )
    nosy = [ScriptCall(name="read_lines", arguments={"path": path}) for path in OUT_OF_REACH]
    turns = (look, tuple(nosy[:5]), tuple(nosy[5:]), (submit(task.gold),))
    server = serve(*(ScriptRule(turn=turn, calls=calls) for turn, calls in enumerate(turns, start=1)))
    end = run_example(tasks=[task.id], arms=("agentic",), api_base=server.base_url)
    (record,) = end.records
    assert (record.graft.verdict.outcome, record.official.verdict.outcome) == (Outcome.PASSED, Outcome.PASSED)
    assert record.graft.exact_match
    assert record.usage.calls == len(turns)
    trail = read_story(end.run, "agentic", task.id).trajectory
    assert (trail.ended, trail.protocol) == ("submitted", "native")
    assert [use.name for use in trail.rounds[0].uses] == ["search", "search", "outline"]
    assert any("strbuf" in name for use in trail.rounds[0].uses for name in use.shown)
    sent = json.loads(server.log.requests[-1].body)["messages"]
    assert [message["content"] for message in sent] == [message.content for message in trail.messages[:-1]]
    refused = [message.content for message in trail.messages if message.role == "tool"][len(look) :]
    assert [text.startswith("error: no source file") for text in refused] == [True] * len(OUT_OF_REACH), refused
    body = " ".join(task.gold[task.gold.index("{") + 1 :].split())
    shown = " ".join(" ".join(message.content for message in trail.messages if message.role != "assistant").split())
    assert body[:40] not in shown
    # A lost journal is made again from the stored answers: nothing is asked twice, and the story is the same.
    (end.run / JOURNAL).unlink()
    again = run_example(tasks=[task.id], arms=("agentic",), api_base=server.base_url)
    assert server.log.request_count == len(turns)
    assert read_story(again.run, "agentic", task.id).trajectory.messages == trail.messages


def test_search_by_meaning(run_example: Runner, serve: Serve, task: Task) -> None:
    look = ScriptCall(name="search", arguments={"query": "append digits to a buffer", "by": "meaning"})
    server = serve(ScriptRule(turn=1, calls=(look,)), ScriptRule(calls=(submit(task.gold),)))
    keys = {"tasks": [task.id], "arms": ("agentic",), "api_base": server.base_url}
    # Offered without a word in the configuration, too.
    for name, chosen in (("usual", {}), ("dense", {"meaning": "dense"})):
        found = read_story(run_example(**keys, **chosen, out=name).run, "agentic", task.id).trajectory
        assert any("strbuf" in name for name in found.rounds[0].uses[0].shown)
    refused = read_story(run_example(**keys, out="without", meaning=None).run, "agentic", task.id).trajectory
    assert refused.rounds[0].uses[0].mistake


def test_it_may_begin_with_what_stands_around_the_hole(run_example: Runner, serve: Serve, task: Task) -> None:
    server = serve(ScriptRule(calls=(submit(task.gold),)), default=ScriptRule(answer="-"))
    arms = ("agentic", "agentic-file", "file")
    end = run_example(tasks=[task.id], arms=arms, api_base=server.base_url)
    empty, around, file = (read_story(end.run, arm, task.id) for arm in arms)
    assert not empty.context.snippets
    assert around.context.snippets == file.context.snippets
    for snippet in around.context.snippets:
        assert snippet.text in around.trajectory.messages[1].content
    assert around.trajectory.ended == "submitted"


# Every arm against a server that misbehaves, one task each


ARMS = list_arm_names()
# What a bad answer does to an arm doesn't depend on where its context came from: one of each kind.
KINDS = (
    *{source.kind: name for name, source in list_context_sources_with_plugins().items()}.values(),
    "none+compile",
    "agentic+compile",
)


def find_ends(end: RunEnd, stopped: str = "") -> dict[str, Outcome]:
    """How each arm ended. `stopped` begins the line with which the run ended, "" for a whole run."""
    assert end.stopped.startswith(stopped) and bool(end.stopped) == bool(stopped), end.stopped
    return {record.arm: record.graft.verdict.outcome for record in end.records}


def test_a_model_that_is_busy_slow_and_then_right(run_example: Runner, serve: Serve, task: Task) -> None:
    look = ScriptCall(name="search", arguments={"query": "strbuf"})
    server = serve(
        ScriptRule(times=1, status=429, headers={"Retry-After": "0"}, answer="slow down"),
        ScriptRule(times=1, status=503, headers={"Retry-After": "0"}, answer="overloaded"),
        ScriptRule(when_tools=True, turn=1, calls=(look,)),
        ScriptRule(when_tools=True, calls=(submit(task.gold),)),
        ScriptRule(times=1, answer=fence_gold(task), delay_s=0.3, pause_s=0.01),
        ScriptRule(answer=fence_gold(task), reasoning="as always"),
    )
    end = run_example(tasks=[task.id], arms=ARMS, api_base=server.base_url, context_tokens=1500)
    assert find_ends(end) == dict.fromkeys(ARMS, Outcome.PASSED)
    for record in end.records:
        kind, story = parse_arm(record.arm).kind, read_story(end.run, record.arm, task.id)
        assert record.context_tokens == story.context.tokens <= story.context.budget == 1500
        prompt = story.trajectory.messages[1].content
        assert all(snippet.text in prompt for snippet in story.context.snippets)
        assert kind == "tools" or bool(story.context.snippets) == (kind != "none"), record.arm
        assert bool(story.trajectory.drafts) == (kind == "drafted"), record.arm
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
    assert server.log.request_count < 5 * len(KINDS)
