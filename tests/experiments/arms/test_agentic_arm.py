"""Prevents: an arm with tools that has a name and can't run, whose record isn't what the model saw, or whose
answer the official reading doesn't find; and an agent that reaches the gold, the tests or another file of the
run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from executor.values import Outcome, Task
from experiments.demo.scripted_server import RunningServer, ScriptCall, ScriptRule
from experiments.run.config import RunConfig, load_config, override_config
from experiments.run.experiment import RunEnd
from experiments.run.records import JOURNAL, Story, locate_story, read_json
from index.errors import ConfigError

pytestmark = pytest.mark.xdist_group("arms")
Runner = Callable[..., RunEnd]
Serve = Callable[..., RunningServer]


def asking(task: Task) -> str:
    return re.escape(f"The function to write: {task.target.name}\n")


def submit(code: str) -> ScriptCall:
    return ScriptCall(name="submit", arguments={"code": code.rstrip()})


def story_of(end: RunEnd, arm: str, task_id: str) -> Story:
    path = locate_story(end.run, arm, task_id, 0)
    return read_json(Story, path.read_bytes(), path)


def test_it_looks_up_and_submits_and_is_judged(
    run_example: Runner, serve: Serve, example_tasks: dict[str, Task]
) -> None:
    task = example_tasks["money-print"]
    look = [
        ScriptCall(name="search", arguments={"query": "strbuf"}),
        ScriptCall(name="search", arguments={"query": "append text to a buffer", "by": "words"}),
        ScriptCall(name="outline", arguments={"path": task.target.path}),
    ]
    server = serve(
        ScriptRule(match=asking(task), turn=1, calls=tuple(look)), ScriptRule(turn=2, calls=(submit(task.gold),))
    )
    end = run_example(tasks=[task.id], arms=("agentic",), api_base=server.base_url)
    (record,) = end.records
    assert (record.graft.verdict.outcome, record.official.verdict.outcome) == (Outcome.PASSED, Outcome.PASSED)
    assert record.graft.exact_match
    assert record.usage.calls == 2
    trail = story_of(end, "agentic", task.id).trajectory
    assert (trail.ended, trail.protocol) == ("submitted", "native")
    assert [use.name for use in trail.rounds[0].uses] == ["search", "search", "outline"]
    assert any("strbuf" in name for use in trail.rounds[0].uses for name in use.shown)
    sent = [json.loads(request.body)["messages"] for request in server.log.requests]
    assert [message["content"] for message in sent[1]] == [message.content for message in trail.messages[:-1]]
    body = " ".join(task.gold[task.gold.index("{") + 1 :].split())
    shown = " ".join(" ".join(message.content for message in trail.messages if message.role != "assistant").split())
    assert body[:40] not in shown
    # A lost journal is made again from the stored answers: nothing is asked twice, and the story is the same.
    (end.run / JOURNAL).unlink()
    again = run_example(tasks=[task.id], arms=("agentic",), api_base=server.base_url)
    assert server.log.count == 2
    assert story_of(again, "agentic", task.id).trajectory.messages == trail.messages


@pytest.mark.parametrize("protocol", ["native", "text"])
def test_with_compile_drafts_are_checked(
    run_example: Runner, serve: Serve, example_tasks: dict[str, Task], protocol: str
) -> None:
    task = example_tasks["money-print"]
    broken = task.gold[: task.gold.index("{")] + "{ strbuf_put_nothing(out); }"

    def rule(turn: int, name: str, code: str) -> ScriptRule:
        if protocol == "native":
            return ScriptRule(turn=turn, calls=(ScriptCall(name=name, arguments={"code": code}),))
        return ScriptRule(turn=turn, answer=f'<tool_call>{{"name": "{name}"}}</tool_call>\n```c\n{code.rstrip()}\n```')

    server = serve(rule(1, "check", broken), rule(2, "submit", broken), rule(3, "submit", task.gold))
    end = run_example(tasks=[task.id], arms=("agentic+compile",), api_base=server.base_url, protocol=protocol)
    (record,) = end.records
    assert record.graft.verdict.outcome is Outcome.PASSED
    assert (record.usage.calls, record.usage.compiles) == (3, 3)
    for served in server.log.requests[1:]:
        assert "strbuf_put_nothing" in json.loads(served.body)["messages"][-1]["content"]


def test_a_ceiling_leaves_the_last_draft_to_be_judged(
    run_example: Runner, serve: Serve, example_tasks: dict[str, Task]
) -> None:
    task = example_tasks["money-print"]
    server = serve(
        ScriptRule(turn=1, calls=(ScriptCall(name="check", arguments={"code": task.gold.rstrip()}),)),
        ScriptRule(calls=(ScriptCall(name="search", arguments={"query": "strbuf"}),)),
    )
    end = run_example(tasks=[task.id], arms=("agentic+compile",), api_base=server.base_url, agent_steps=2)
    (record,) = end.records
    assert record.graft.verdict.outcome is Outcome.PASSED
    assert story_of(end, "agentic+compile", task.id).trajectory.ended == "steps"


def test_an_agent_that_never_answers_is_no_answer(
    run_example: Runner, serve: Serve, example_tasks: dict[str, Task]
) -> None:
    task = example_tasks["money-print"]
    server = serve(ScriptRule(calls=(ScriptCall(name="search", arguments={"query": "strbuf"}),)))
    end = run_example(tasks=[task.id], arms=("agentic",), api_base=server.base_url)
    (record,) = end.records
    assert record.graft.verdict.outcome is Outcome.NO_ANSWER
    assert "repeated" in record.graft.verdict.reason
    assert server.log.count == 4


def test_nothing_of_the_harness_can_be_read(run_example: Runner, serve: Serve, example_tasks: dict[str, Task]) -> None:
    """Paths of the run, of the cache, of git, of the tasks' own folder with its golds and expected results."""
    task = example_tasks["money-print"]
    paths = [
        "journal.jsonl", "../run/journal.jsonl", "expected/example.json", "/etc/passwd", ".git/HEAD",
        "tasks/money-print/task.yaml", "../tasks/money-print/task.yaml",
        "../../recipes/example/recipe.yaml", "build/test_c",
    ]  # fmt: skip
    calls = [ScriptCall(name="read_lines", arguments={"path": path}) for path in paths]
    server = serve(
        ScriptRule(turn=1, calls=tuple(calls[:5])),
        ScriptRule(turn=2, calls=tuple(calls[5:])),
        ScriptRule(answer="-"),
    )
    end = run_example(tasks=[task.id], arms=("agentic",), api_base=server.base_url)
    trail = story_of(end, "agentic", task.id).trajectory
    answers = [message.content for message in trail.messages if message.role == "tool"]
    assert len(answers) == len(paths)
    assert all(text.startswith("error: no source file") for text in answers), answers


@pytest.mark.parametrize("by", ["meaning", "dense"])
def test_search_by_meaning(run_example: Runner, serve: Serve, example_tasks: dict[str, Task], by: str) -> None:
    task = example_tasks["money-print"]
    look = ScriptCall(name="search", arguments={"query": "append digits to a buffer", "by": "meaning"})
    server = serve(ScriptRule(turn=1, calls=(look,)), ScriptRule(calls=(submit(task.gold),)))
    keys = {"tasks": [task.id], "arms": ("agentic",), "api_base": server.base_url}
    chosen = {} if by == "meaning" else {"meaning": by}  # offered without a word in the configuration
    found = story_of(run_example(**keys, **chosen, out="with"), "agentic", task.id).trajectory
    assert any("strbuf" in name for name in found.rounds[0].uses[0].shown)
    refused = story_of(run_example(**keys, out="without", meaning=None), "agentic", task.id).trajectory
    assert refused.rounds[0].uses[0].mistake


def test_it_may_begin_with_what_stands_around_the_hole(
    run_example: Runner, serve: Serve, example_tasks: dict[str, Task]
) -> None:
    task = example_tasks["money-print"]
    server = serve(ScriptRule(calls=(submit(task.gold),)), default=ScriptRule(answer="-"))
    arms = ("agentic", "agentic-file", "file")
    end = run_example(tasks=[task.id], arms=arms, api_base=server.base_url)
    empty, around, file = (story_of(end, arm, task.id) for arm in arms)
    assert not empty.context.snippets
    assert around.context.snippets == file.context.snippets
    for snippet in around.context.snippets:
        assert snippet.text in around.trajectory.messages[1].content
    assert around.trajectory.ended == "submitted"


def test_samples_differ_in_their_seed(run_example: Runner, serve: Serve, example_tasks: dict[str, Task]) -> None:
    task = example_tasks["money-print"]
    look = ScriptCall(name="search", arguments={"query": "strbuf"})
    server = serve(ScriptRule(turn=1, calls=(look,)), ScriptRule(calls=(submit(task.gold),)))
    run_example(
        tasks=[task.id], arms=("agentic",), api_base=server.base_url, samples=2, temperature=0.8, concurrency=2
    )
    assert sorted(json.loads(request.body)["seed"] for request in server.log.requests) == [0, 0, 1, 1]


@pytest.mark.parametrize("model", ["gold", "stub"])
def test_reference_models_need_no_tools(run_example: Runner, model: str) -> None:
    end = run_example(model=model, tasks=["money-print"], arms=("agentic", "agentic+compile"))
    assert {record.graft.verdict.built for record in end.records} == {True}


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("agent_step=3", "did you mean 'agent_steps'"),
        ("agent_steps=0", "agent_steps: "),
        ("protocol=natvie", "protocol: "),
        ("meaning=dens", "did you mean 'dense'"),
        ("arms=agnetic", "did you mean 'agentic'"),
    ],
)
def test_a_misspelt_setting_is_an_error(tmp_path: Any, word: str, message: str) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("model: gold\n")
    with pytest.raises(ConfigError, match=message):
        load_config(path, [word])


def test_what_an_answer_depends_on_is_part_of_what_a_run_is() -> None:
    base = RunConfig(model="gold", arms=("agentic",))
    for word in ("agent_steps=3", "agent_tokens=1000", "protocol=text", "window=4096", "meaning=dense"):
        assert override_config(base, [word]).digest_identity() != base.digest_identity()
