"""Prevents: a suite that hits its time limit because of the harness's other sandboxes, and a model that is blamed; a
record that was made without a control run, and that later counts as audited; a first verdict that waits for two rounds
of all suites, and one that stands although the second round says that the suite's results differ from run to run."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import yaml

from executor.function.splice import Edit
from executor.grading.grade import grade
from executor.repository.baseline import SuiteLoad
from executor.repository.recipe import find_recipe
from executor.values import (
    Audit,
    ControlRun,
    ExpectedTests,
    Outcome,
    Step,
    SuiteRun,
    Task,
    TestResult,
    TestRun,
    TestStatus,
    Tier,
)
from executor.workers.local import LocalWorkers
from experiments.run.experiment import GivenAnswers, RunEnd, run_experiment
from experiments.run.manifest import read_manifest
from experiments.run.records import JOURNAL
from experiments.run.sample_facts import AuditFacts
from experiments.run.sampling.executions import EXPECTED, Executions, collect_control_run_state_and_costs
from tests.fixtures.calc import add_task
from tests.support.runs import example_config
from tests.support.scripts import fence, give_answers

UNIT = ExpectedTests({"unit": {"sums": 1}})


def make_repo(wall_s: float = 0.0, cpu_s: float = 0.0) -> Any:
    """What executions and workers ask of a repository with one suite, which takes so long."""
    image = SimpleNamespace(
        estimate_load=lambda _: SuiteLoad(),
        suite_seconds={"unit": wall_s} if wall_s else {},
        suite_cpu_s={"unit": cpu_s} if cpu_s else {},
        recipe=SimpleNamespace(find_suite=lambda _: SimpleNamespace(memory_mb=64)),
        key="tiny",
        expected=UNIT,
    )
    chosen = {name: lambda _: ("unit",) for name in ("list_suites_answer_must_pass", "list_judging_suites")}
    return SimpleNamespace(image=image, health=None, wait_until_task_suites_measured=lambda _: None, **chosen)


def make_step(tier: Tier, *, late: bool = False) -> Step:
    return Step(tier.value, tier, ("x",), ".", None if late else 0, late, False, False, 1.0, 1.0, "x.log")


def make_run(*lines: str, late: Tier | None = None, status: TestStatus = TestStatus.PASSED) -> TestRun:
    """One in which these tests of the suite have this status, and the step `late` hit its time limit."""
    check, build, tests = (make_step(tier, late=tier is late) for tier in (Tier.CHECK, Tier.BUILD, Tier.TESTS))
    results = tuple(TestResult(line, status) for line in lines)
    return TestRun((check,), (build,), (SuiteRun("unit", tests, results),), "", ())


Judge = Callable[..., tuple[int, int, TestRun]]


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Judge:
    """judge(first, then, gold): how many executions there were, how many retries of ours, and which execution counts,
    where the first one of an answer ends as `first` and each later one as `then`."""

    def judged(first: TestRun, then: TestRun, gold: str = "", **load: float) -> tuple[int, int, TestRun]:
        ran: list[TestRun] = []

        def execute(*given: object, **__: object) -> TestRun:
            assert given[3] == ("unit",)
            ran.append(then if ran else first)
            return ran[-1]

        monkeypatch.setattr("executor.workers.candidate_work.execute_edits", execute)
        executions = Executions(tmp_path, LocalWorkers(cast(Any, None), tmp_path))
        _, done = executions.build_and_test_once(make_repo(**load), add_task(gold), "int add(void);")
        return len(ran), done.retries, done.run

    return judged


@pytest.mark.parametrize("late", [Tier.CHECK, Tier.BUILD, Tier.TESTS])
def test_what_a_busy_machine_cut_off_runs_again_alone(judge: Judge, late: Tier) -> None:
    whole = make_run("sums")
    assert judge(make_run("sums", late=late), whole) == (2, 1, whole)


@pytest.mark.parametrize(
    ("wall_s", "cpu_s", "lines", "runs"),
    [
        (5.3, 0.1, ["sums", "CPU is slow"], 2),
        # What it prints may be the answer's doing where it computes, and where it printed no more than it should.
        (5.3, 2.0, ["sums", "CPU is slow"], 1),
        (0.5, 0.01, ["sums", "CPU is slow"], 1),
        (5.3, 0.1, [], 1),
    ],
)
def test_a_suite_that_waits_and_printed_more_than_it_should_runs_again_alone(
    judge: Judge, wall_s: float, cpu_s: float, lines: list[str], runs: int
) -> None:
    """Prevents: golds of libevent that a busy machine's timers send to a reviewer."""
    first, then = make_run(*lines), make_run("sums")
    found, _, run = judge(first, then, wall_s=wall_s, cpu_s=cpu_s)
    assert (found, run) == (runs, then if runs == 2 else first)


@pytest.mark.parametrize(("gold", "runs"), [("int add (void);", 2), ("int sub(void);", 1)])
def test_the_golds_own_text_that_fails_runs_again_alone(judge: Judge, gold: str, runs: int) -> None:
    """Prevents: a right answer that fails since a test of the repository's fails by chance; another text may not try
    again."""
    first, then = make_run("sums", status=TestStatus.FAILED), make_run("sums")
    assert judge(first, then, gold) == (runs, runs - 1, then if runs == 2 else first)


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
    def execute(image: object, edits: Sequence[Edit], *given: object, **__: object) -> TestRun:
        folder = cast(Path, given[2])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "x.log").write_bytes(b"")
        ran.extend(edit.text for edit in edits)
        return make_run("sums")

    def controls(image: object, edits: Sequence[Edit], *_: object, until_one_convicts: bool) -> tuple[ControlRun, ...]:
        checked.extend(edit.text for edit in edits)
        # What is flagged meets all that is known.
        assert until_one_convicts == any(edit.text == SHADY for edit in edits)
        failed = make_run("sums", status=TestStatus.FAILED).suites[0]
        return (ControlRun("unit", "b.c", "main", "one", True, (), failed),)

    ran: list[str] = []
    checked: list[str] = []
    monkeypatch.setattr("executor.workers.candidate_work.execute_edits", execute)
    monkeypatch.setattr("executor.workers.candidate_work.run_suites_with_first_buildable_sabotage", controls)
    repo, task = make_repo(), add_task(ADD)

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
        verdict = grade(after[code], UNIT, code)
        assert verdict.outcome is (Outcome.TO_REVIEW if code == SHADY else Outcome.PASSED)
        assert collect_control_run_state_and_costs(after[code], verdict) == AuditFacts("honest", 1.0, 3.0)


# Verdicts before the second round of all suites, by real runs

GOLD = "money-print"


@pytest.fixture
def write_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """write_recipe(shell): the example's recipe without C++. Its suite c runs the shell's text before its program."""

    def write(before: str) -> None:
        own = find_recipe("example")
        text = (own.folder / "recipe.yaml").read_text(encoding="utf-8")
        recipe = yaml.safe_load(text.replace("../../examples", str(own.folder.parents[1] / "examples")))
        recipe["build"] = {"commands": ["make -j$JOBS build/test_c"], "goals": ["build/test_c"]}
        recipe["suites"] = [suite for suite in recipe["suites"] if suite["name"] == "c"]
        recipe["suites"][0]["argv"] = ["sh", "-c", f"{before}; exec build/test_c"]
        recipe["tests"] = {"default": ["c"]}
        path = tmp_path / "recipes" / "example" / "recipe.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(yaml.safe_dump(recipe), encoding="utf-8")
        monkeypatch.setenv("GRAFT_RECIPES", str(tmp_path / "recipes"))

    return write


def run_gold(tmp_path: Path, answers: GivenAnswers | None = None) -> RunEnd:
    config = example_config(tasks=(GOLD,), plus=False, out=tmp_path / "run")
    end = run_experiment(config, tmp_path / "cache", answers=answers)
    assert [record.graft.verdict.outcome for record in end.records] == [Outcome.PASSED]
    assert not list((end.run / EXPECTED).glob("*.early.json"))
    return end


@pytest.mark.slow
def test_a_verdict_is_given_after_the_first_round_and_confirmed_by_the_second(
    tmp_path: Path, write_recipe: Callable[[str], None], task: Task
) -> None:
    """The unmodified tree's second run of the suite waits until a verdict is in the journal: it would wait for ever if
    the verdict waited for it."""
    seen, journal = tmp_path / "seen", tmp_path / "run" / JOURNAL
    wait = f"while [ ! -s {journal} ]; do sleep 0.1; done"
    write_recipe(
        f"if mkdir {seen} 2> /dev/null; then :; elif grep -rqs ANSWER_7 --include=*.c .; then :; else {wait}; fi"
    )
    end = run_gold(tmp_path, give_answers({(GOLD, 0): fence(task.gold.replace("{", "{ /* ANSWER_7 */", 1))}))
    facts = read_manifest(end.run).repos["example"]
    assert (facts.early, facts.taken_back) == (1, ())


@pytest.mark.slow
def test_what_the_second_round_takes_back_is_judged_again_after_a_kill_too(
    tmp_path: Path, write_recipe: Callable[[str], None]
) -> None:
    """A test that only the first run of the suite prints: the gold lacks it, and fails until the second round lacks it
    too."""
    seen = tmp_path / "seen"
    write_recipe(f"[ -e {seen} ] || echo PASS shaky; touch {seen}")
    run = run_gold(tmp_path).run
    lines = (run / JOURNAL).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["graft"]["verdict"]["outcome"] for line in lines] == ["tests_failed", "passed"]
    facts = read_manifest(run).repos["example"]
    assert (facts.early, facts.taken_back) == (1, (GOLD,))
    expected = json.loads((run / EXPECTED / "example.json").read_text(encoding="utf-8"))
    assert expected["ignored_in"]["c"] == ["shaky"]
    # As a kill leaves a run: the first verdict stands, and what it hangs on is noted.
    (run / JOURNAL).write_text(lines[0] + "\n", encoding="utf-8")
    (run / EXPECTED / "example.early.json").write_text('["c"]', encoding="utf-8")
    run_gold(tmp_path)
