"""Prevents: a server of one task that the protocol's own client can't talk to, that tells the gold or a verdict, that
judges otherwise than a run does, or whose session leaves no record; and a verdict that dies with the client."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.tools.specs import draft_tool_specs
from agent.tools.toolbox import MEANING, WORDS, list_lookup_tools
from executor.function.stub import make_stub
from executor.values import Outcome, Task
from experiments.mcp.task_session import make_session_config
from experiments.run.manifest import MANIFEST
from experiments.run.records import SampleRecord, read_finished_records
from index.errors import ConfigError
from tests.fixtures.mcp_client import call_tools
from tests.support.runs import Graft, succeed
from tests.support.scripts import read_story
from tests.support.token_runs import RUN, find_secret_runs, list_runs

pytestmark = pytest.mark.bwrap

ARM = "agentic+compile"
TASK = "map-remove"


@pytest.fixture
def task(example_tasks: dict[str, Task]) -> Task:
    return example_tasks[TASK]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "run"


Connect = Callable[..., tuple[list[str], list[str]]]


@pytest.fixture
def connect(bwrap_cache: Path, out: Path) -> Connect:
    """Lets the protocol's own client call the server of the task, a tool and its arguments at a time, and then act;
    gives the names of its tools, and their answers."""

    def connected(
        *calls: tuple[str, dict[str, str]], words: tuple[str, ...] = (), act: Callable[[], None] = lambda: None
    ) -> tuple[list[str], list[str]]:
        command = ("mcp", "--task", TASK, "dataset=example", "sandbox=bwrap", f"out={out}", *words)
        names, answers = call_tools(command, {**os.environ, "GRAFT_CACHE": str(bwrap_cache)}, calls, act)
        assert [answer.is_error for answer in answers] == [answer.text.startswith("error: ") for answer in answers]
        return names, [answer.text for answer in answers]

    return connected


def wait_for_records(run: Path, count: int) -> tuple[SampleRecord, ...]:
    """The run's samples: the judging goes on when the client has gone."""
    for _ in range(300):
        try:
            if len(found := read_finished_records(run)) == count:
                return found
        except ConfigError:
            pass
        time.sleep(0.2)
    raise AssertionError(f"{run}: no {count} samples after a minute")


def test_a_client_looks_up_checks_and_hands_in(
    connect: Connect, task: Task, out: Path, graft: Graft, example_root: Path
) -> None:
    head = task.gold[: task.gold.index("{")]
    path, name = task.target.path, task.target.name
    names, answers = connect(
        ("task", {}),
        ("outline", {"path": path}),
        ("read_lines", {"path": path}),
        ("read_symbol", {"name": name}),
        ("search", {"query": name}),
        ("search", {"query": "remove an entry from a map", "by": "words"}),
        ("search", {"query": "remove an entry from a map", "by": "meaning"}),
        ("callers", {"name": name}),
        ("callees", {"name": name}),
        ("read_lines", {"path": "../../../etc/passwd"}),
        ("serach", {"query": name}),
        ("check", {"code": head + "{ map_nothing(); }"}),
        ("check", {"code": task.gold}),
        ("submit", {}),
        ("search", {"query": name}),
    )
    specs = (*list_lookup_tools((WORDS, MEANING)), *draft_tool_specs(checked=True, several=False))
    assert names == ["task", *(spec.name for spec in specs)]
    assert f"The function to write: {task.target.name}" in answers[0]
    assert "[body hidden" in answers[3]
    assert answers[9].startswith("error: no source file")
    assert "did you mean 'search'" in answers[10]
    assert "map_nothing" in answers[11]
    assert answers[12].startswith("It compiles.")
    assert answers[13].startswith("Your function is taken")
    assert "passed" not in answers[13]
    assert answers[14] == "error: the session is over: a function was handed in"
    secret = find_secret_runs(task, example_root)
    assert len(secret) > RUN
    assert [text for text in answers if not secret.isdisjoint(list_runs(text))] == []

    (record,) = wait_for_records(out, 1)
    assert (record.graft.verdict.outcome, record.official.verdict.outcome) == (Outcome.PASSED, Outcome.PASSED)
    assert record.audit.state == "honest" or record.graft.exact_match
    assert (record.usage.calls, record.usage.compiles, record.usage.cost) == (13, 3, None)
    trail = read_story(out, ARM, TASK).trajectory
    assert trail.ended == "submitted"
    assert [use.name for entry in trail.rounds for use in entry.uses][:2] == ["outline", "read_lines"]
    assert "\n\n".join(message.content for message in trail.messages[:2]) == answers[0]
    assert [message.content for message in trail.messages if message.role == "tool"] == answers[1:13]
    assert "passed at tier tests" in succeed(graft, "show", out, TASK)
    assert "mcp:client" in succeed(graft, "show", out, "--columns", "all")


def test_a_stub_fails_and_the_verdict_is_told_on_request(connect: Connect, task: Task, out: Path) -> None:
    codes = ("int nothing(void) { return 0; }", make_stub(task.target, task.gold))
    _, (refused, judged) = connect(*(("submit", {"code": code}) for code in codes), words=("--verdict",))
    assert refused.startswith("error: ")
    assert judged.startswith("Your function is judged: tests_failed")
    connect(("task", {}), words=("--verdict",))
    failed, left = wait_for_records(out, 2)
    assert (failed.sample, failed.graft.verdict.outcome) == (0, Outcome.TESTS_FAILED)
    assert (left.sample, left.graft.verdict.outcome) == (1, Outcome.NO_ANSWER)
    assert left.graft.verdict.reason.startswith("the client left")
    assert read_story(out, ARM, TASK, 1).trajectory.ended == "left"


def test_a_killed_server_loses_no_verdict(connect: Connect, task: Task, out: Path) -> None:
    def kill() -> None:
        (server,) = (
            int(path.name)
            for path in Path("/proc").glob("[0-9]*")
            if f"out={out}".encode() in _read_command(path) and _read_parent(path) == os.getpid()
        )
        os.kill(server, signal.SIGKILL)

    connect(("submit", {"code": task.gold}), act=kill)
    (record,) = wait_for_records(out, 1)
    assert record.passed


def _read_command(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def _read_parent(process: Path) -> int:
    return int((process / "stat").read_text().rpartition(")")[2].split()[1])


def test_a_client_that_calls_nothing_leaves_nothing_and_a_mistake_is_told_to_it_too(
    connect: Connect, out: Path
) -> None:
    connect()
    assert not (out / MANIFEST).exists()
    _, (first, second) = connect(("task", {}), ("task", {}), words=("sandbox=process",))
    assert first.startswith("error: the session can't go on: sandbox process: it doesn't isolate")
    assert second == first


def test_the_run_is_named_after_the_client() -> None:
    config = make_session_config(TASK, "claude-code", ["dataset=example"])
    assert (config.model, config.out) == ("mcp:claude-code", Path("runs/mcp-claude-code").absolute())
