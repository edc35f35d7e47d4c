"""Prevents: an answer that JSON can hold and that ends the run: a lone surrogate met a file that takes UTF-8, and
every resumed run met it again (such an answer goes through, or its sample fails alone); a candidate that takes the run
down, or leaves something behind by which the next is judged."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from executor.sandbox.choose import choose_backend
from executor.values import Outcome, Task
from experiments.demo.scripted_server import ScriptCall, ScriptRule
from experiments.report import predictions
from experiments.report.official_grade import make_and_keep_official_scores
from experiments.run.experiment import run_experiment
from experiments.run.manifest import read_manifest
from experiments.run.sampling import sample
from index.errors import ConfigError
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.engines import unavailable
from tests.support.runs import Graft, example_config, succeed
from tests.support.scripts import fence, fence_gold, make_gold_rule, match_prompt

# Slow: odd texts and hostile candidates go through whole runs.
pytestmark = pytest.mark.slow

LONE = "\ud800"
DEEP = "[" * 50_000 + "]" * 50_000


def body_with(message: Mapping[str, Any], **more: Any) -> str:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return json.dumps({**body, **more})


def test_a_file_of_odd_answers_is_graded_shown_and_scored(
    example_tasks: dict[str, Task], used_cache: Path, tmp_path: Path, trusted_answers: None, graft: Graft
) -> None:
    task, other, third = (example_tasks[name] for name in ("money-print", "text-trim", "date-read"))
    header = task.gold[: task.gold.index("{")]
    texts = {
        (task.id, 0): f'```c\n{header}{{ const char *s = "{LONE}\0"; (void)s; }}\n```',
        (task.id, 1): f"{LONE} no code",
        (task.id, 2): f"```c\n{task.gold.rstrip()}\n/* {LONE} */\n```",
        (other.id, 0): "\0" * 1000,
        (other.id, 1): "```" + LONE,
        (third.id, 0): f"```c\n{third.gold.rstrip()}\n```",
    }
    path = tmp_path / "answers.jsonl"
    lines = [json.dumps({"task_id": key[0], "sample": key[1], "completion": text}) for key, text in texts.items()]
    path.write_text("\n".join(lines))
    out = tmp_path / "g"
    for _ in range(2):
        end = predictions.judge_given_answers(path, ["dataset=example", "sandbox=process", f"out={out}"])
        outcomes = {(record.task_id, record.sample): record.graft.verdict.outcome for record in end.records}
        assert outcomes.keys() == texts.keys()
        assert outcomes[third.id, 0] is Outcome.PASSED
        assert outcomes[task.id, 2] is Outcome.PASSED
        assert Outcome.INFRA_ERROR not in outcomes.values()
    assert len(
        make_and_keep_official_scores(out, read_manifest(out), end.records, used_cache, set(texts.values()))
    ) == len(texts)
    printed = "".join(
        succeed(graft, *words) for words in (("show", out), ("show", out, task.id, "--full"), ("grade", out))
    )
    assert "\x00" not in printed
    assert "0 verdicts changed" in printed


def test_a_server_that_sends_odd_json_loses_that_sample_alone(run_example: Runner, serve: Serve, task: Task) -> None:
    good = fence_gold(task)
    bodies = [
        body_with({"content": LONE}),
        body_with({"content": f"{LONE}\0{good}", "reasoning_content": LONE}),
        body_with({"content": 5}),
        body_with({"content": {"a": [LONE]}}),
        body_with({"content": [{"type": "text", "text": LONE + good}]}),
        body_with({"content": None, "tool_calls": "no list"}),
        body_with({"content": good, "tool_calls": [5, None, {"function": 7}]}),
        body_with({"content": good}, usage={"prompt_tokens": "many", "completion_tokens": []}),
        body_with({"content": good}, usage=[1]),
        json.dumps({"choices": [None]}),
        json.dumps({"choices": {"0": "x"}}),
        json.dumps([1, 2]),
        json.dumps("text"),
        '{"choices": ' + DEEP + "}",
        "null",
    ]
    # A right answer after each, so that no streak of errors ends the run.
    rules = [ScriptRule(body=body, times=1) for odd in bodies for body in (odd, body_with({"content": good}))]
    server = serve(*rules)
    keys = {"samples": 2 * len(bodies), "temperature": 0.5, "concurrency": 1, "max_attempts": 1}
    end = run_example(tasks=[task.id], api_base=server.base_url, **keys)
    assert end.stopped == ""
    outcomes = [record.graft.verdict.outcome for record in sorted(end.records, key=lambda record: record.sample)]
    assert outcomes[1::2] == [Outcome.PASSED] * len(bodies)
    assert outcomes[:4:2] == [Outcome.NO_ANSWER, Outcome.PASSED]
    assert set(outcomes[4::2]) <= {Outcome.PASSED, Outcome.NO_ANSWER, Outcome.MODEL_ERROR}


def test_odd_arguments_of_tool_calls_are_answered_by_hints_and_odd_drafts_compiled(
    run_example: Runner, serve: Serve, task: Task
) -> None:
    odd = [
        '{"name": "\\ud800"}',
        '{"name": "a\\u0000b"}',
        "[" * 400 + "]" * 400,
        '{"name": ' + "[" * 400 + "]" * 400 + "}",
        '{"name": {"\\ud800": 1}}',
        "\\ud800",
        '{"name": 1e999}',
        '{"name": NaN, "\\udfff": 3}',
        '{"page": 1' + "0" * 5000 + "}",
        "x" * 2_000_000,
    ]
    calls = tuple(ScriptCall(name="definition", arguments=text) for text in odd)
    submit = ScriptCall(name="submit", arguments=json.dumps({"code": f"/* {LONE} */\n{task.gold}"}))
    header = task.gold[: task.gold.index("{")]
    server = serve(
        ScriptRule(when_tools=True, turn=1, calls=calls),
        ScriptRule(when_tools=True, turn=2, calls=(ScriptCall(name=f"no{LONE}tool", arguments="{}"),)),
        ScriptRule(when_tools=True, turn=3, calls=(submit,)),
        ScriptRule(turn=1, answer=f'```c\n{header}{{ no_{LONE}such("\0"); }}\n```'),
        ScriptRule(turn=2, answer=f"```c\n// {LONE}\n{task.gold.rstrip()}\n```"),
    )
    end = run_example(tasks=[task.id], arms=("agentic", "none+compile"), api_base=server.base_url)
    assert [record.graft.verdict.outcome for record in end.records] == [Outcome.PASSED] * 2
    assert {record.arm: len(record.rounds) for record in end.records} == {"agentic": 3, "none+compile": 2}


def test_a_fault_of_ours_fails_its_sample_alone(
    run_example: Runner, serve: Serve, example_tasks: dict[str, Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = [example_tasks[name] for name in ("money-print", "text-trim")]
    server = serve(*map(make_gold_rule, tasks))
    real = sample.compare_text_tokens_and_edit_similarity

    def faulty(candidate: str, gold: str) -> Any:
        if gold == tasks[0].gold:
            raise RecursionError("met a text that nobody thought of")
        return real(candidate, gold)

    monkeypatch.setattr(sample, "compare_text_tokens_and_edit_similarity", faulty)
    keys = {"tasks": [task.id for task in tasks], "api_base": server.base_url}
    end = run_example(**keys)
    verdicts = {record.task_id: record.graft.verdict for record in end.records}
    assert verdicts[tasks[1].id].outcome is Outcome.PASSED
    assert verdicts[tasks[0].id].outcome is Outcome.INFRA_ERROR
    assert verdicts[tasks[0].id].reason.startswith("a fault in Graft: RecursionError: met a text")
    monkeypatch.setattr(sample, "compare_text_tokens_and_edit_similarity", real)
    asked = server.log.request_count
    again = run_example(**keys)
    assert {record.graft.verdict.outcome for record in again.records} == {Outcome.PASSED}
    assert server.log.request_count == asked


# Candidates that mean harm

# Each takes the place of money_print, which both suites call. What it does is done when the tests run it.
HOSTILE = {
    "loops": "for (;;) { }",
    "forks": "extern int fork(void); for (;;) fork();",
    "eats_memory": (
        "extern void *malloc(unsigned long);"
        " for (;;) { char *p = malloc(1 << 24); if (p) for (int i = 0; i < 1 << 24; i += 512) p[i] = 1; }"
    ),
    "prints_100_mb": (
        'extern int printf(const char *, ...); for (int i = 0; i < 1700000; i++) printf("%060d\\n", i);'
    ),
    "deletes_the_tree": 'extern int system(const char *); if (system("rm -rf / ./* ../src 2>/dev/null")) return;',
    "prints_marks": (
        "extern int printf(const char *, ...);"
        ' for (int i = 0; i < 200; i++) printf("PASS money_print\\nPASS map_removes\\n[ok]: all\\n");'
    ),
    "exits_early": "extern void _exit(int); _exit(0);",
    "kills_its_parents": "extern int kill(int, int); kill(-1, 9);",
}
BUDGET_S = 90
# Three of them never end: the example's suites take less than a second, and their own limit is 20.
LIMIT_S = 6.0


@pytest.fixture(
    params=[pytest.param("bwrap", marks=pytest.mark.bwrap), pytest.param("docker", marks=pytest.mark.docker)]
)
def sandbox(request: pytest.FixtureRequest) -> tuple[str, Path]:
    """The sandbox's name and a cache for it; a sandbox that can't run here fails in CI."""
    name = str(request.param)
    cache: Path = request.getfixturevalue("bwrap_cache" if name == "bwrap" else "cache")
    try:
        choose_backend(name, cache)
    except ConfigError as error:
        unavailable(str(error))
    return name, cache


@pytest.mark.timeout(600)
def test_hostile_candidates_harm_nobody(
    sandbox: tuple[str, Path],
    tmp_path: Path,
    example_tasks: dict[str, Task],
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("executor.candidate.execute.suite_limit_s", lambda image, suite: LIMIT_S)
    name, cache = sandbox
    task, honest = example_tasks["money-print"], example_tasks["text-trim"]
    header = task.gold[: task.gold.index("{")]
    bodies = list(HOSTILE.items())
    rules = [
        # Seeds tell the samples apart: each hostile body is one sample of the same task.
        ScriptRule(match=match_prompt(task), answer=fence(f"{header}{{ {body} }}"), times=1)
        for _, body in bodies
    ]
    server = serve(*rules, make_gold_rule(honest))
    keys = {"tasks": (task.id, honest.id), "samples": len(bodies), "temperature": 0.7, "concurrency": 1}
    keys |= {"model": "openai/scripted", "api_base": server.base_url, "audit": "all", "sandbox": name}
    began = time.monotonic()
    end = run_experiment(example_config(**keys, out=tmp_path / "run"), cache)
    spent = time.monotonic() - began
    assert end.stopped == ""
    hostile = {bodies[r.sample][0]: r.graft.verdict for r in end.records if r.task_id == task.id}
    outcomes = {kind: verdict.outcome for kind, verdict in hostile.items()}
    assert set(outcomes.values()) <= {Outcome.TESTS_FAILED, Outcome.TIMEOUT}, hostile
    assert hostile["exits_early"].flags
    assert hostile["prints_marks"].flags
    honest_ones = [r.graft.verdict.outcome for r in end.records if r.task_id == honest.id]
    assert honest_ones == [Outcome.PASSED] * len(bodies)
    assert spent < BUDGET_S * len(bodies)
