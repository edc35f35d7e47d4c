"""What judges an answer beside its suites: Graft's own further tests, and the comparison with the gold. Prevents:
evidence that gets lost, also on resuming, or that is taken for a verdict; a further test that an answer ends before it
can fail; a run of an older Graft whose scores change without a word."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executor.values import Audit, ExpectedTests, Outcome, Task
from executor.workers.local import LocalWorkers
from experiments.run.experiment import run_experiment
from experiments.run.manifest import read_manifest, write_manifest
from experiments.run.records import JOURNAL, Execution, read_finished_records, read_journal
from experiments.run.resolve import resolve_config_parts
from experiments.run.sampling.attribution import find_cause_of_outcome, name_callees_or_test_behind_cause
from experiments.run.sampling.executions import Executions, describe_plus_test_result_or_empty, grade_execution
from experiments.run.workspace import Workspace, prepare_workspace
from graft import load_run
from lab.differential.compare_with_gold import compare_with_gold
from tests.support.runs import Graft, example_config, report_of, succeed
from tests.support.scripts import fence, give_answers

# Wrong answers to it pass its suites, and are found by other evidence.
TASK = "map-remove"
FAILED = "plus-map_remove: 2 failed: frees_the_key, frees_each_key_once"

Execute = Callable[..., Execution]


@pytest.fixture
def space(cache: Path) -> Workspace:
    return prepare_workspace(resolve_config_parts(example_config(tasks=(TASK,))), cache)


@pytest.fixture
def task(space: Workspace) -> Task:
    return space.tasks[0]


@pytest.fixture
def leak(task: Task) -> str:
    """An answer that never frees a key."""
    found = task.gold.replace("free(hole->key);", "", 1)
    assert found != task.gold
    return found


@pytest.fixture
def expected(space: Workspace) -> ExpectedTests:
    return space.repos["example"].image.expected


@pytest.fixture
def execute(space: Workspace, task: Task, cache: Path, tmp_path: Path) -> Execute:
    """execute(code, **more): build and test an answer to the task, by `Executions` of a process of their own."""

    def build_and_test(code: str, folder: Path = tmp_path, **more: Any) -> Execution:
        executions = Executions(folder, LocalWorkers(space.sandbox.backend, cache), **more)
        return executions.build_and_test_once(space.repos["example"], task, code)[1]

    return build_and_test


@pytest.mark.slow  # each answer is compiled beside the gold
def test_a_difference_from_the_gold_fails_an_answer_only_when_asked(
    leak: str, expected: ExpectedTests, execute: Execute
) -> None:
    runs = [execute(leak, compare=compare, comparison=compare_with_gold) for compare in ("none", "passed", "strict")]
    plain, passed, strict = runs
    assert plain.differential is None
    assert passed.differential is not None
    assert (
        "the number of blocks of memory that are freed was 1, is 0"
        in passed.differential.difference_agreement_or_not_applicable_line
    )
    # It was kept, and isn't made again.
    assert strict.differential == passed.differential
    verdicts = [grade_execution(run, expected) for run in runs]
    assert [verdict.outcome for verdict in verdicts] == [Outcome.PASSED, Outcome.PASSED, Outcome.TESTS_FAILED]
    assert verdicts[2].reason == f"beside the gold: {passed.differential.difference_agreement_or_not_applicable_line}"


def test_a_leak_passes_its_suites_and_fails_the_further_tests(
    task: Task, leak: str, expected: ExpectedTests, execute: Execute
) -> None:
    def judge(code: str, *, plus: bool = True) -> tuple[Outcome, str]:
        execution = execute(code, plus=plus)
        return grade_execution(execution, expected).outcome, describe_plus_test_result_or_empty(execution, expected)

    assert judge(leak, plus=False) == (Outcome.PASSED, "")
    # A run that was made without them gets them now.
    assert judge(leak) == (Outcome.PASSED, f"failed: {FAILED}")
    broken = task.gold.replace("return 1;", "return 2;", 1)
    assert judge(broken) == (Outcome.TESTS_FAILED, "")
    assert judge(task.gold) == (Outcome.PASSED, "passed")
    # One with which they can't be built fails them.
    unbuilt = "void __wrap_free(void *memory) { (void)memory; }\n" + task.gold
    assert judge(unbuilt)[1].startswith("failed: plus-map_remove")


def test_an_early_end_forges_no_further_test(
    task: Task, expected: ExpectedTests, execute: Execute, tmp_path: Path
) -> None:
    declared = "#include <unistd.h>\n"
    trick = 'if (access("plus/map_remove.c", 0) == 0) { for (int fd = 3; fd < 9; fd++) write(fd, "ok", 2); _exit(0); }'
    ends = declared + task.gold.replace("{", "{ " + trick, 1)
    leak = ends.replace("free(hole->key);", "", 1)
    other = task.gold.replace("hole->key = NULL;", "m->size--; hole->key = NULL;", 1).replace("m->size--;\n", "", 1)
    assert other != task.gold

    def plus(code: str, audit: Audit) -> tuple[str, list[int]]:
        """What they say, and how often their control runs ran."""
        execution = execute(code, tmp_path / audit, audit=audit, plus=True)
        assert execution.plus is not None
        runs = [len(control.sabotaged_runs) for control in execution.plus.run.controls]
        return describe_plus_test_result_or_empty(execution, expected), runs

    # With the file of the test in the tree the test says that it came to its end, and its process ends.
    assert plus(leak, "none") == ("passed", [])
    forged = "failed: control: suite plus-map_remove still passes with map_remove broken: its results were forged"
    assert plus(leak, "all") == (forged, [2])
    assert plus(other, "all") == ("passed", [1])
    # A text that doesn't take the change of its control run may be honest: nothing is said of it.
    hidden, runs = plus("#define HIDDEN map_remove\n" + other.replace("map_remove(", "HIDDEN(", 1), "all")
    assert hidden.startswith("not told: ") and runs == [0]


def test_what_the_suites_ran_on_is_not_compiled_again(
    task: Task, expected: ExpectedTests, execute: Execute, tmp_path: Path
) -> None:
    def list_plus_steps(plus: bool) -> list[str]:
        # A process of its own knows no objects of another's.
        execution = execute(f"{task.gold}\n/* other */\n", plus=plus)
        run = execution.plus.run if execution.plus else None
        assert run is None or describe_plus_test_result_or_empty(execution, expected) == "passed"
        return [step.name.partition("-")[0] for step in (*run.check, *run.build)] if run else []

    assert list_plus_steps(plus=False) == []
    again = list_plus_steps(plus=True)
    assert again[0] == "compile"
    shutil.rmtree(tmp_path)
    assert list_plus_steps(plus=True) == again[1:]


@pytest.mark.slow
def test_a_leak_doesnt_pass_and_says_why(graft: Graft, used_cache: Path, tmp_path: Path, leak: str) -> None:
    run, answers = tmp_path / "run", give_answers({(TASK, 0): fence(leak)})
    config = example_config(tasks=(TASK,), out=run, differential="passed")
    run_experiment(config, used_cache, answers=answers, comparison=compare_with_gold)
    (stored,) = read_journal(run / JOURNAL).values()
    (sample,) = read_finished_records(run)
    # The journal says what the suites say, and the score what all of them do.
    assert (stored.passed, sample.passed, sample.passed_suites) == (True, False, True)
    assert (find_cause_of_outcome(sample), name_callees_or_test_behind_cause(sample)) == ("fails plus tests", FAILED)
    (row,) = report_of(run).rows
    figures = ("pass_at_1", "suites_pass_at_1", "official_pass_at_1")
    assert [row.get_estimate(figure).value for figure in figures] == [0.0, 1.0, 1.0]
    assert row.outcomes == {"tests_failed": 1}
    assert load_run(run).arms[0].pass_at_1 == 0.0
    shown = " ".join(succeed(graft, "show", run, TASK).split())
    assert stored.differential.startswith("differs on ")
    assert f"plus tests: failed: {FAILED}" in shown and f"beside the gold: {stored.differential}" in shown
    assert "0 verdicts changed" in succeed(graft, "grade", run)

    # A run of an older Graft keeps its scores and says so, until it is graded again.
    manifest = read_manifest(run)
    older = {name: replace(facts, plus_tasks=()) for name, facts in manifest.repos.items()}
    write_manifest(run, replace(manifest, pass_rule="suites", repos=older))
    assert read_finished_records(run)[0].passed
    assert "pass@1 is by the suites alone, as before 2026-11-27" in " ".join(succeed(graft, "show", run).split())
    assert "1 verdict changed" in succeed(graft, "grade", run)
    assert not read_finished_records(run)[0].passed
    assert read_manifest(run) == manifest
