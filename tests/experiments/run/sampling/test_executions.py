"""Prevents: a suite that hits its time limit because of the harness's other sandboxes, and a model that is blamed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from executor.function.splice import Edit
from executor.grading.grade import grade
from executor.repository.baseline import SuiteLoad
from executor.values import (
    Audit,
    ControlRun,
    ExpectedTests,
    Outcome,
    Step,
    SuiteRun,
    TestResult,
    TestRun,
    TestStatus,
    Tier,
)
from executor.workers.local import LocalWorkers
from experiments.run.sample_facts import AuditFacts
from experiments.run.sampling.executions import Executions, collect_audit_facts
from index.values import Span, Target


def make_repo(expected: ExpectedTests) -> Any:
    """What executions and workers ask of a repository."""
    recipe = SimpleNamespace(find_suite=lambda _: SimpleNamespace(memory_mb=64))
    image = SimpleNamespace(
        estimate_load=lambda _: SuiteLoad(),
        suite_seconds={},
        suite_cpu_s={},
        recipe=recipe,
        key="tiny",
        expected=expected,
    )
    unit = lambda _: ("unit",)  # noqa: E731
    wait = lambda _: None  # noqa: E731
    return SimpleNamespace(
        image=image, health=None, chosen_suites_for=unit, list_judging_suites=unit, wait_for_suites=wait
    )


def make_task(gold: str) -> Any:
    target = Target("tiny", "calc.c", Span(5, 8), "add", "int add(int a, int b)", "", "c")
    return SimpleNamespace(id="add", target=target, gold=gold)


@pytest.mark.parametrize("where", ["check", "build", "suite"])
def test_what_a_busy_machine_cut_off_runs_again_alone(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def step(name: str, tier: Tier) -> Step:
        late = name == where and not ran
        return Step(name, tier, ("x",), ".", None if late else 0, late, False, False, 1.0, 1.0, f"{name}.log")

    ran: list[TestRun] = []

    def execute(*_: object, **__: object) -> TestRun:
        suite = SuiteRun("unit", step("suite", Tier.TESTS), ())
        ran.append(TestRun((step("check", Tier.CHECK),), (step("build", Tier.BUILD),), (suite,), "", ()))
        return ran[-1]

    monkeypatch.setattr("executor.workers.candidate_work.execute_edits", execute)
    executions = Executions(tmp_path, LocalWorkers(cast(Any, None), tmp_path))
    _, done = executions.build_and_test_once(make_repo(ExpectedTests({})), make_task(""), "int add;")
    assert (len(ran), done.retries, done.run) == (2, 1, ran[1])


@pytest.mark.parametrize(
    ("wall_s", "cpu_s", "lines", "runs"),
    [
        (5.3, 0.1, ["rate is right", "CPU is slow"], 2),
        # What it prints may be the answer's doing where it computes, and where it printed no more than it should.
        (5.3, 2.0, ["rate is right", "CPU is slow"], 1),
        (0.5, 0.01, ["rate is right", "CPU is slow"], 1),
        (5.3, 0.1, [], 1),
    ],
)
def test_a_suite_that_waits_and_printed_more_than_it_should_runs_again_alone(
    wall_s: float, cpu_s: float, lines: list[str], runs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: golds of libevent that a busy machine's timers send to a reviewer."""
    ran: list[TestRun] = []

    def execute(*given: object, **__: object) -> TestRun:
        assert given[3] == ("unit",)
        steps = [Step(tier.value, tier, ("x",), ".", 0, False, False, False, 1.0, 1.0, "x.log") for tier in Tier]
        check, build, tests = steps[1:]
        results = tuple(TestResult(line, TestStatus.PASSED) for line in (["rate is right"] if ran else lines))
        ran.append(TestRun((check,), (build,), (SuiteRun("unit", tests, results),), "", ()))
        return ran[-1]

    monkeypatch.setattr("executor.workers.candidate_work.execute_edits", execute)
    repo = make_repo(ExpectedTests({"unit": {"rate is right": 1}}))
    repo.image.suite_seconds["unit"], repo.image.suite_cpu_s["unit"] = wall_s, cpu_s
    executions = Executions(tmp_path, LocalWorkers(cast(Any, None), tmp_path))
    _, done = executions.build_and_test_once(repo, make_task(""), "int add;")
    assert (len(ran), done.run) == (runs, ran[-1])


@pytest.mark.parametrize(("gold", "runs"), [("int add (void);", 2), ("int sub(void);", 1)])
def test_the_golds_own_text_that_fails_runs_again_alone(
    gold: str, runs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: a right answer that fails since a test of the repository's fails by chance; another text may not try
    again."""
    ran: list[TestRun] = []

    def execute(*_: object, **__: object) -> TestRun:
        build, tests = (
            Step(t.value, t, ("x",), ".", 0, False, False, False, 1.0, 1.0, "x.log") for t in list(Tier)[2:]
        )
        status = TestStatus.PASSED if ran else TestStatus.FAILED
        ran.append(TestRun((), (build,), (SuiteRun("unit", tests, (TestResult("sums", status),)),), "", ()))
        return ran[-1]

    monkeypatch.setattr("executor.workers.candidate_work.execute_edits", execute)
    repo = make_repo(ExpectedTests({"unit": {"sums": 1}}))
    executions = Executions(tmp_path, LocalWorkers(cast(Any, None), tmp_path))
    _, done = executions.build_and_test_once(repo, make_task(gold), "int add(void);")
    assert (len(ran), done.retries, done.run) == (runs, runs - 1, ran[-1])


ADD = "int add(int a, int b) { return a + b; }"
SUM = "int add(int a, int b) { int sum = a; sum += b; return sum; }"
SHADY = 'int add(int a, int b) { static int done; if (!done++) system("true"); return a + b; }'


@pytest.mark.parametrize(
    ("audit", "golds", "audited"),
    [
        ("all", False, {SUM, SHADY}),
        ("all", True, {ADD, SUM, SHADY}),
        ("flagged", False, {SHADY}),
        ("none", False, set[str]()),
    ],
)
def test_which_answers_get_a_control_run(
    audit: Audit, golds: bool, audited: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents also: a record that was made without a control run, and that later counts as audited."""

    def step(name: str, tier: Tier) -> Step:
        (folder / f"{name}.log").write_bytes(b"")
        return Step(name, tier, ("x",), ".", 0, False, False, False, 1.0, 1.0, f"{name}.log")

    def execute(image: object, edits: Sequence[Edit], *given: object, **__: object) -> TestRun:
        nonlocal folder
        folder = cast(Path, given[2])
        folder.mkdir(parents=True, exist_ok=True)
        ran.extend(edit.text for edit in edits)
        unit = SuiteRun("unit", step("suite", Tier.TESTS), (TestResult("adds", TestStatus.PASSED),))
        return TestRun((step("check", Tier.CHECK),), (step("build", Tier.BUILD),), (unit,))

    def controls(image: object, edits: Sequence[Edit], *_: object, every: bool) -> tuple[ControlRun, ...]:
        checked.extend(edit.text for edit in edits)
        # What is flagged meets all that is known.
        assert every == any(edit.text == SHADY for edit in edits)
        failed = SuiteRun("unit", step("control", Tier.TESTS), (TestResult("adds", TestStatus.FAILED),))
        return (ControlRun("unit", "b.c", "main", "one", True, (), failed),)

    folder = tmp_path
    ran: list[str] = []
    checked: list[str] = []
    monkeypatch.setattr("executor.workers.candidate_work.execute_edits", execute)
    monkeypatch.setattr("executor.workers.candidate_work.run_controls", controls)
    expected = ExpectedTests({"unit": {"adds": 1}})
    repo, task = make_repo(expected), make_task(ADD)

    def do(audit: Audit) -> dict[str, TestRun]:
        executions = Executions(tmp_path, LocalWorkers(cast(Any, None), tmp_path), audit, golds)
        return {code: executions.build_and_test_once(repo, task, code)[1].run for code in (ADD, SUM, SHADY)}

    before = do("none")
    assert not any(run.controls for run in before.values())
    after = do(audit)
    assert {code for code, run in after.items() if run.controls} == set(checked) == audited
    assert len(ran) == 3
    assert do(audit) == after
    assert len(checked) == len(audited)
    for code in audited:
        verdict = grade(after[code], expected, code)
        assert verdict.outcome is (Outcome.TO_REVIEW if code == SHADY else Outcome.PASSED)
        assert collect_audit_facts(after[code], verdict) == AuditFacts("honest", 1.0, 3.0)
