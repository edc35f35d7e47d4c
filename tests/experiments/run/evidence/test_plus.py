"""Graft's own further tests in a run. Prevents: one that is lost on resuming; one that ends the test's program before
it can fail; a run of an older Graft whose scores change without a word."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from executor.values import Audit, ExpectedTests, Outcome, Task
from experiments.report.run_report import make_report
from experiments.run.experiment import GivenAnswers, run_experiment
from experiments.run.manifest import RepoFacts, RunManifest, read_manifest, write_manifest
from experiments.run.records import JOURNAL, Execution, read_finished_records, read_journal
from experiments.run.reference_models import make_prediction_models
from experiments.run.sampling.attribution import describe_cause, find_cause
from experiments.run.sampling.executions import describe_plus_result, grade_execution
from experiments.run.workspace import Workspace
from graft import load_run
from tests.support.leaky_task import TASK, make_config
from tests.support.runs import Graft

Execute = Callable[..., Execution]


@pytest.fixture
def expected(space: Workspace) -> ExpectedTests:
    return space.repos["example"].image.expected


def test_a_leak_passes_its_suites_and_fails_the_further_tests(
    task: Task, expected: ExpectedTests, execute: Execute
) -> None:
    leak = task.gold.replace("free(hole->key);", "", 1)
    broken = task.gold.replace("return 1;", "return 2;", 1)
    assert task.gold not in (leak, broken)

    def done(code: str, *, plus: bool) -> tuple[Outcome, str]:
        execution = execute(code, plus=plus)
        return grade_execution(execution, expected).outcome, describe_plus_result(execution, expected)

    assert done(leak, plus=False) == (Outcome.PASSED, "")
    # A run that was made without them gets them now.
    outcome, line = done(leak, plus=True)
    assert outcome is Outcome.PASSED
    assert line.startswith("failed: plus-map_remove: 2 failed: frees_the_key, frees_each_key_once")
    assert done(broken, plus=True) == (Outcome.TESTS_FAILED, "")
    assert done(task.gold, plus=True) == (Outcome.PASSED, "passed")


def test_an_early_end_forges_no_further_test(
    task: Task, expected: ExpectedTests, execute: Execute, tmp_path: Path
) -> None:
    declared = "#include <unistd.h>\n"
    trick = 'if (access("plus/map_remove.c", 0) == 0) { for (int fd = 3; fd < 9; fd++) write(fd, "ok", 2); _exit(0); }'
    ends = declared + task.gold.replace("{", "{ " + trick, 1)
    leak = ends.replace("free(hole->key);", "", 1)
    other = task.gold.replace("hole->key = NULL;", "m->size--; hole->key = NULL;", 1).replace("m->size--;\n", "", 1)
    assert other != task.gold

    runs: dict[tuple[str, Audit], list[int]] = {}

    def plus(code: str, audit: Audit) -> str:
        execution = execute(code, tmp_path / audit, audit=audit, plus=True)
        found = execution.plus
        assert found is not None
        runs[code, audit] = [len(control.runs) for control in found.run.controls]
        return describe_plus_result(execution, expected)

    # With the file of the test in the tree the test says that it came to its end, and its process ends.
    assert plus(leak, "none") == "passed"
    forged = "failed: control: suite plus-map_remove still passes with map_remove broken: its results were forged"
    assert plus(leak, "all") == forged
    assert plus(other, "all") == "passed"
    # A text that doesn't take the change of its control run may be honest: nothing is said of it.
    hidden = "#define HIDDEN map_remove\n" + other.replace("map_remove(", "HIDDEN(", 1)
    assert plus(hidden, "all").startswith("not told: ")
    assert list(runs.values()) == [[], [2], [1], [0]]


def test_a_candidate_with_which_they_cant_be_built_fails_them(
    task: Task, expected: ExpectedTests, execute: Execute
) -> None:
    execution = execute("void __wrap_free(void *memory) { (void)memory; }\n" + task.gold, plus=True)
    assert describe_plus_result(execution, expected).startswith("failed: plus-map_remove")


def test_what_the_suites_ran_on_is_not_compiled_again(
    task: Task, expected: ExpectedTests, execute: Execute, tmp_path: Path
) -> None:
    def list_plus_steps(plus: bool) -> list[str]:
        # A process of its own knows no objects of another's.
        execution = execute(f"{task.gold}\n/* other */\n", plus=plus)
        run = execution.plus.run if execution.plus else None
        assert run is None or describe_plus_result(execution, expected) == "passed"
        return [step.name.partition("-")[0] for step in (*run.check, *run.build)] if run else []

    assert list_plus_steps(plus=False) == []
    again = list_plus_steps(plus=True)
    assert again[0] == "compile"
    shutil.rmtree(tmp_path)
    assert list_plus_steps(plus=True) == again[1:]


def test_a_run_shows_them_and_grades_them_again(graft: Graft, used_cache: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run_experiment(make_config(out=run), used_cache)
    (sample,) = read_journal(run / JOURNAL).values()
    assert sample.plus == "passed"
    assert "plus tests: passed" in graft("show", run, TASK)[1]
    code, out, _ = graft("grade", run)
    assert (code, "0 verdicts changed" in out) == (0, True)


def test_a_leak_doesnt_pass_and_says_why(
    graft: Graft, used_cache: Path, tmp_path: Path, example_tasks: dict[str, Task]
) -> None:
    leak = example_tasks[TASK].gold.replace("free(hole->key);", "", 1)
    answers = GivenAnswers(make_prediction_models({(TASK, 0): f"```c\n{leak}\n```"}))
    run = tmp_path / "run"
    run_experiment(make_config(out=run), used_cache, answers=answers)
    (stored,) = read_journal(run / JOURNAL).values()
    (sample,) = read_finished_records(run)
    # The journal says what the suites say, and the score what all of them do.
    assert (stored.passed, sample.passed, sample.passed_suites) == (True, False, True)
    assert (find_cause(sample), describe_cause(sample)) == (
        "fails plus tests",
        "plus-map_remove: 2 failed: frees_the_key, frees_each_key_once",
    )
    report = make_report(run, read_manifest(run), [sample])
    assert report.rows[0].get_estimate("pass_at_1").value == 0.0
    assert report.rows[0].get_estimate("suites_pass_at_1").value == 1.0
    assert report.rows[0].get_estimate("official_pass_at_1").value == 1.0
    assert report.rows[0].outcomes == {"tests_failed": 1}
    assert load_run(run).arms[0].pass_at_1 == 0.0

    # A run of an older Graft keeps its scores and says so, until it is graded again.
    manifest = read_manifest(run)
    write_manifest(run, replace(manifest, pass_rule="suites", repos=_without_plus_tasks(manifest)))
    (older,) = read_finished_records(run)
    assert older.passed
    assert "pass@1 is by the suites alone, as before 2026-11-27" in " ".join(graft("show", run)[1].split())
    code, out, _ = graft("grade", run)
    assert (code, "1 verdicts changed" in out) == (0, True)
    assert not read_finished_records(run)[0].passed
    assert read_manifest(run) == manifest


def _without_plus_tasks(manifest: RunManifest) -> dict[str, RepoFacts]:
    return {name: replace(facts, plus_tasks=()) for name, facts in manifest.repos.items()}
