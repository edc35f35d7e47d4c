"""Prevents: an "official" figure that isn't the benchmark's, and two scores of a task that differ without a reason.

`graft grade --as official` on answers that the official rules read differently."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from executor.function.splice import splice_function
from executor.grading.official import (
    OFFICIAL_RULES,
    has_officially_passed,
    is_officially_built,
    splice_officially,
    why_official_code_differs,
    why_official_exact_match_differs,
    why_official_verdict_differs,
)
from executor.values import Outcome, Step, SuiteRun, Task, TestResult, TestRun, TestStatus, Tier, Verdict
from experiments.arms.arm import parse_arm
from experiments.report.official_grade import KEPT, OfficialScore, score_officially
from experiments.run.config import RunConfig
from experiments.run.experiment import GivenAnswers, RunEnd
from experiments.run.manifest import read_manifest
from experiments.run.reference_models import make_prediction_models
from experiments.run.resolve import Job
from experiments.run.workspace import Workspace
from index.values import Span
from tests.fixtures.run_fixtures import Runner

YABLOCO = OFFICIAL_RULES["yabloco"]
BODY = "int f(void)\n{\n    return 1;\n}\n"


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
    ],
)
def test_the_quirk_is_named(response: str, why: tuple[str, ...]) -> None:
    code = BODY if BODY in response else None
    assert why_official_code_differs(response, code, YABLOCO) == why


def test_a_letter_that_is_cut_off_without_a_fence_is_told() -> None:
    pointer = "char *f(void)\n{\n    return 0;\n}\n"
    assert why_official_code_differs(pointer, pointer, YABLOCO) == ("no fence: 'c' cut off the code",)


def test_the_splice_differs_by_empty_lines_alone() -> None:
    """What makes one execution serve both readings of an equal text."""
    data = b"a\nint f(void)\n{\n}\nb\n"
    theirs = splice_officially(data.decode().splitlines(keepends=True), 2, 2, BODY)
    assert theirs == f"a\n\n{BODY}\nb\n"
    assert splice_function(data, Span(2, 4), f"\n{BODY}\n").decode() == theirs
    assert [line for line in splice_function(data, Span(2, 4), BODY).decode().split("\n") if line] == [
        line for line in theirs.split("\n") if line
    ]


def _run(exit_code: int, *, built: bool = True, results: int = 1, changed: tuple[str, ...] = ()) -> TestRun:
    def step(name: str, tier: Tier, code: int) -> Step:
        return Step(name, tier, (), ".", code, False, False, False, 0.1, 0.1, "log")

    suite = SuiteRun("unit", step("unit", Tier.TESTS, exit_code), (TestResult("t", TestStatus.PASSED),) * results)
    build = (step("compile", Tier.BUILD, 0 if built else 1),)
    return TestRun((), build, (suite,) if built else (), "", changed)


@pytest.mark.parametrize(
    ("run", "verdict", "passed", "why"),
    [
        (_run(0), Verdict(Outcome.PASSED, Tier.TESTS, True, ""), True, ""),
        (_run(0, results=0), Verdict(Outcome.TESTS_FAILED, Tier.TESTS, True, ""), True, "though tests didn't run"),
        (_run(0, changed=("t.c",)), Verdict(Outcome.TESTS_FAILED, Tier.TESTS, True, ""), True, "changed their own"),
        (_run(1), Verdict(Outcome.PASSED, Tier.TESTS, True, ""), False, "a quarantined test"),
        (_run(0), Verdict(Outcome.TESTS_FAILED, Tier.TESTS, True, ""), True, "not the tests one by one"),
    ],
)
def test_the_exit_status_decides(run: TestRun, verdict: Verdict, passed: bool, why: str) -> None:
    assert has_officially_passed(run) == passed
    found = why_official_verdict_differs(run, verdict)
    assert why in found and bool(why) == bool(found)


def test_built_means_configured_for_openssl_and_llvm() -> None:
    broken = _run(0, built=False)
    built = {repo: is_officially_built(broken, repo) for repo in ("redis", "bullet3", "openssl", "llvm")}
    assert built == {"redis": False, "bullet3": False, "openssl": True, "llvm": True}
    assert not has_officially_passed(broken)


def test_a_damaged_gold_and_a_lenient_match_are_told_apart() -> None:
    lenient = why_official_exact_match_differs("a + b", "a - b", "a - b", YABLOCO)
    assert lenient == "exact match looks at word characters alone"
    damaged = why_official_exact_match_differs("a - b", "a - b", "a", YABLOCO)
    assert damaged == "the data set's text of the gold is damaged"


def _figures(score: OfficialScore) -> tuple[bool, ...]:
    return score.graft_passed, score.passed, score.built, score.graft_exact, score.exact, score.retried


def _answered(run_example: Runner, answers: dict[tuple[str, int], str]) -> RunEnd:
    """A run of the arm `none` with these answers, by task id and sample."""
    tasks = tuple(dict.fromkeys(task_id for task_id, _ in answers))

    def jobs_of(space: Workspace) -> list[Job]:
        ids = {task.id: task for task in space.tasks}
        return [(ids[task_id], parse_arm("none"), sample) for task_id, sample in answers]

    model_for = make_prediction_models(answers)
    return run_example(tasks=tasks, samples=len(answers), model="gold", answers=GivenAnswers(model_for, jobs_of))


def test_a_run_is_scored_by_both(run_example: Runner, example_tasks: dict[str, Task], cache: Path) -> None:
    right, wrong, lost = (example_tasks[name] for name in ("money-print", "text-trim", "array-reserve"))
    gold = right.gold.rstrip()
    end = _answered(
        run_example,
        {
            (right.id, 0): f"```c\n{gold}\n```",
            (right.id, 1): f"```C++\n{gold}\n```",
            (wrong.id, 0): f"```c\n{gold}\n```",
            (wrong.id, 1): "```c\n```",
            (lost.id, 0): f"```C++\n{lost.gold.rstrip()}\n```",
        },
    )
    scores = score_officially(end.run, read_manifest(end.run), end.records, cache)
    by_key = {(score.task_id, score.sample): score for score in scores}
    assert _figures(by_key[right.id, 0]) == (True, True, True, True, True, False)
    assert by_key[right.id, 0].why == ()
    # `++` is no word character, so what can't be compiled is still an exact match. The other sample passed, so none of
    # the task's is run again.
    assert _figures(by_key[right.id, 1]) == (True, False, False, True, True, False)
    assert by_key[right.id, 1].why == ("the fence's tag 'C++' leaves '++' before the code",)
    # No sample passed, so both would run again; the blank one never runs.
    assert _figures(by_key[wrong.id, 0]) == (False, False, False, False, False, True)
    assert _figures(by_key[wrong.id, 1]) == (False,) * 6
    assert _figures(by_key[lost.id, 0]) == (True, False, False, True, True, True)
    assert not by_key[lost.id, 0].older_exact and by_key[right.id, 0].older_exact
    # What ran is kept: scoring again runs nothing.
    ran = sorted((end.run / "official").rglob("execution.json"))
    stamps = [path.stat().st_mtime_ns for path in ran]
    assert len(ran) == 2
    assert score_officially(end.run, read_manifest(end.run), end.records, cache) == scores
    assert [path.stat().st_mtime_ns for path in ran] == stamps
    assert len(json.loads((end.run / KEPT).read_text())) == 5
    assert RunConfig.model_validate(read_manifest(end.run).config).sandbox == "process"


def test_a_run_is_scored_by_other_rules_than_its_own(
    run_example: Runner, example_tasks: dict[str, Task], cache: Path
) -> None:
    task = example_tasks["money-print"]
    gold = task.gold.rstrip()
    end = _answered(run_example, {(task.id, 0): f"```cc\n{gold}\n```", (task.id, 1): f"```c\n{gold}\n```"})
    manifest = read_manifest(end.run)
    assert manifest.config["official"] == "yabloco"
    before = sorted(end.run.joinpath("executions").rglob("execution.json"))
    figures = {}
    for name in ("yabloco", "yabloco-paper", "mera"):
        manifest = replace(manifest, config={**manifest.config, "official": name})
        found = score_officially(end.run, manifest, end.records, cache)
        assert {score.rules for score in found} == {name}
        figures[name] = sorted((score.sample, score.passed, score.exact, score.retried) for score in found)
    assert figures["yabloco"] == [(0, False, False, False), (1, True, True, False)]
    assert figures["yabloco-paper"] == figures["yabloco"]
    # MERA parses twice, so this tag comes off whole; and it scores the first sample alone.
    assert figures["mera"] == [(0, True, True, False)]
    assert sorted(end.run.joinpath("executions").rglob("execution.json")) == before


def test_no_failure_is_run_again_by_the_papers_rules(
    run_example: Runner, example_tasks: dict[str, Task], cache: Path
) -> None:
    task = example_tasks["money-print"]
    end = _answered(run_example, {(task.id, 0): f"```cc\n{task.gold.rstrip()}\n```"})
    manifest = read_manifest(end.run)
    manifest = replace(manifest, config={**manifest.config, "official": "yabloco-paper"})
    (score,) = score_officially(end.run, manifest, end.records, cache)
    assert (score.passed, score.retried) == (False, False)
    assert not list((end.run / "official").rglob("execution.json"))
