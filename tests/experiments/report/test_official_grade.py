"""Prevents: an "official" figure that isn't the benchmark's, and two scores of a task that differ without a reason;
answers made elsewhere that aren't found by a number which every other command takes.

`graft grade --as official` on answers that the official rules read differently."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from executor.function.splice import splice_function
from executor.grading.official import (
    OFFICIAL_RULES,
    explain_differing_official_exact_match,
    has_passed_by_exit_statuses,
    is_officially_built_or_only_configured,
    splice_officially,
    why_official_code_differs,
    why_official_verdict_differs,
)
from executor.tasks.yabloco import DATA
from executor.values import Outcome, Step, SuiteRun, Task, TestResult, TestRun, TestStatus, Tier, Verdict
from experiments.arms.arm import parse_arm
from experiments.report import predictions
from experiments.report.official_grade import AGAIN, FIRST, KEPT, OfficialScore, make_and_keep_official_scores
from experiments.run.config import RunConfig
from experiments.run.experiment import RunEnd
from experiments.run.manifest import read_manifest
from experiments.run.resolve import Job
from experiments.run.workspace import Workspace
from index.errors import TaskError
from index.values import Span
from tests.fixtures.run_fixtures import Runner
from tests.support.scripts import give_answers

YABLOCO = OFFICIAL_RULES["yabloco"]
BODY = "int f(void)\n{\n    return 1;\n}\n"
POINTER = "char *f(void)\n{\n    return 0;\n}\n"


@pytest.mark.parametrize(
    ("response", "why"),
    [
        ("I can't.", ("what was spliced isn't the function",)),
        (f"```c\n{BODY}```", ()),
        (f"```c\n{BODY}", ("a fence is left open: no answer",)),
        (f"```C++\n{BODY}```", ("the fence's tag 'C++' leaves '++' before the code",)),
        (f"```cxx\n{BODY}```", ("the fence's tag 'cxx' leaves 'xx' before the code",)),
        (f"Like this:\n{BODY}", ("all of the text was taken, not the function alone",)),
        (f"```c\n#include <x.h>\nint g;\n{BODY}```", ("include lines dropped",)),
        (f"```c\n{BODY}int main(void) {{ }}\nint h;\n```", ()),
        (f"```c\nint g;\nint main(void) {{ }}\n{BODY}```", ("cut at main",)),
        (f"```c\nint main(void) {{ }}\n{BODY}```", ("a blank text is never spliced",)),
        (
            f"```sh\nmake\n```\n```c\n{BODY}```",
            ("the fence's tag 'sh' leaves 'sh' before the code", "only the first fence counts"),
        ),
        (POINTER, ("no fence: 'c' cut off the code",)),
    ],
)
def test_the_quirk_is_named(response: str, why: tuple[str, ...]) -> None:
    code = next((code for code in (BODY, POINTER) if code in response), None)
    assert why_official_code_differs(response, code, YABLOCO) == why


def test_the_splice_differs_by_empty_lines_alone() -> None:
    """What makes one execution serve both readings of an equal text."""
    data = b"a\nint f(void)\n{\n}\nb\n"
    theirs = splice_officially(data.decode().splitlines(keepends=True), 2, 2, BODY)
    assert theirs == f"a\n\n{BODY}\nb\n"
    assert splice_function(data, Span(2, 4), f"\n{BODY}\n").decode() == theirs
    ours = splice_function(data, Span(2, 4), BODY).decode()
    assert [line for line in ours.split("\n") if line] == [line for line in theirs.split("\n") if line]


def _run(exit_code: int, *, built: bool = True, results: int = 1, changed: tuple[str, ...] = ()) -> TestRun:
    def step(name: str, tier: Tier, code: int) -> Step:
        return Step(name, tier, (), ".", code, False, False, False, 0.1, 0.1, "log")

    suite = SuiteRun("unit", step("unit", Tier.TESTS, exit_code), (TestResult("t", TestStatus.PASSED),) * results)
    build = (step("compile", Tier.BUILD, 0 if built else 1),)
    return TestRun((), build, (suite,) if built else (), "", changed)


@pytest.mark.parametrize(
    ("run", "ours", "passed", "why"),
    [
        (_run(0), Outcome.PASSED, True, ""),
        (_run(0, results=0), Outcome.TESTS_FAILED, True, "though tests didn't run"),
        (_run(0, changed=("t.c",)), Outcome.TESTS_FAILED, True, "changed their own"),
        (_run(1), Outcome.PASSED, False, "a quarantined test"),
        (_run(0), Outcome.TESTS_FAILED, True, "not the tests one by one"),
    ],
)
def test_the_exit_status_decides(run: TestRun, ours: Outcome, passed: bool, why: str) -> None:
    assert has_passed_by_exit_statuses(run) == passed
    found = why_official_verdict_differs(run, Verdict(ours, Tier.TESTS, True, ""))
    assert why in found and bool(why) == bool(found)


def test_built_means_configured_for_openssl_and_llvm() -> None:
    broken = _run(0, built=False)
    built = [
        repo
        for repo in ("redis", "bullet3", "openssl", "llvm")
        if is_officially_built_or_only_configured(broken, repo)
    ]
    assert built == ["openssl", "llvm"]
    assert not has_passed_by_exit_statuses(broken)


def test_a_damaged_gold_and_a_lenient_match_are_told_apart() -> None:
    for answer, gold, official, why in (
        ("a + b", "a - b", "a - b", "exact match looks at word characters alone"),
        ("a - b", "a - b", "a", "the data set's text of the gold is damaged"),
    ):
        assert explain_differing_official_exact_match(answer, gold, official, YABLOCO) == why


def _figures(score: OfficialScore) -> tuple[bool, ...]:
    return score.graft_passed, score.passed, score.built, score.graft_exact, score.exact, score.retried


def _give_answers(run_example: Runner, answers: dict[tuple[str, int], str]) -> RunEnd:
    """A run of the arm `none` with these answers, by task id and sample."""
    tasks = tuple(dict.fromkeys(task_id for task_id, _ in answers))

    def jobs_of(space: Workspace) -> list[Job]:
        ids = {task.id: task for task in space.tasks}
        return [(ids[task_id], parse_arm("none"), sample) for task_id, sample in answers]

    given = replace(give_answers(answers), jobs_of=jobs_of)
    return run_example(tasks=tasks, samples=len(answers), model="gold", answers=given)


def test_a_run_is_scored_by_graft_and_by_each_of_the_official_rules(
    run_example: Runner, example_tasks: dict[str, Task], cache: Path
) -> None:
    right, wrong, lost = (example_tasks[name] for name in ("money-print", "text-trim", "array-reserve"))
    gold = right.gold.rstrip()
    answers = {
        (right.id, 0): f"```C++\n{gold}\n```",
        (right.id, 1): f"```c\n{gold}\n```",
        (wrong.id, 0): f"```c\n{gold}\n```",
        (wrong.id, 1): "```c\n```",
        (lost.id, 0): f"```cc\n{lost.gold.rstrip()}\n```",
    }
    end = _give_answers(run_example, answers)
    manifest = read_manifest(end.run)
    assert (manifest.config["official"], manifest.config["sandbox"]) == ("yabloco", "process")

    def list_executions(folder: str) -> dict[Path, int]:
        found = (end.run / folder).rglob("execution.json")
        return {path: path.stat().st_mtime_ns for path in found if FIRST not in path.parts}

    def score(rules: str) -> dict[tuple[str, int], OfficialScore]:
        by_rules = replace(manifest, config={**manifest.config, "official": rules})
        found = make_and_keep_official_scores(end.run, by_rules, end.records, cache, set(answers.values()))
        assert {score.rules for score in found} == {rules}
        return {(score.task_id, score.sample): score for score in found}

    ran = list_executions("executions")
    paper = score("yabloco-paper")[lost.id, 0]
    assert (paper.passed, paper.exact, paper.retried) == (False, False, False)
    assert not list_executions(AGAIN), "no failure is run again by the paper's rules"
    scores = score("yabloco")
    assert _figures(scores[right.id, 1]) == (True, True, True, True, True, False)
    assert scores[right.id, 1].why == ()
    # `++` is no word character, so what can't be compiled is still an exact match. The other sample passed, so none of
    # the task's is run again.
    assert _figures(scores[right.id, 0]) == (True, False, False, True, True, False)
    assert scores[right.id, 0].why == ("the fence's tag 'C++' leaves '++' before the code",)
    # No sample passed, so both would run again; the blank one never runs.
    assert _figures(scores[wrong.id, 0]) == (False, False, False, False, False, True)
    assert _figures(scores[wrong.id, 1]) == (False,) * 6
    assert _figures(scores[lost.id, 0]) == (True, False, False, True, False, True)
    assert not scores[lost.id, 0].older_exact and scores[right.id, 1].older_exact
    # What ran is kept: scoring again runs nothing.
    again = list_executions(AGAIN)
    assert len(again) == 2
    assert score("yabloco") == scores
    assert list_executions(AGAIN) == again
    assert len(json.loads((end.run / KEPT).read_text())) == 5
    # MERA parses twice, so the tag cc comes off whole; and it scores the first sample alone.
    mera = {key: (found.passed, found.exact) for key, found in score("mera").items()}
    assert mera == {(right.id, 0): (False, True), (wrong.id, 0): (False, False), (lost.id, 0): (True, True)}
    assert list_executions("executions") == ran


@pytest.mark.parametrize("task", ["230", "1AA5FDA0028F60DA"])
def test_a_task_is_chosen_by_its_own_id_and_by_meras_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    rows, answers, chosen = tmp_path / "rows.jsonl", tmp_path / "answers.jsonl", list[tuple[str, ...]]()
    rows.write_text(json.dumps(json.loads((DATA / "mera_dataset_meta.json").read_bytes())["data_example"]))
    answers.write_text('{"task_id": 230, "completion": "x"}')

    def note_tasks(config: RunConfig, *_: object, **__: object) -> None:
        chosen.append(config.tasks)

    monkeypatch.setattr(predictions, "run_experiment", note_tasks)
    predictions.judge_given_answers(answers, [f"dataset={rows}", f"tasks={task}"])
    assert chosen == [("1AA5FDA0028F60DA",)]
    with pytest.raises(TaskError, match="unknown task id '231'; did you mean '230'"):
        predictions.judge_given_answers(answers, [f"dataset={rows}", "tasks=231"])
