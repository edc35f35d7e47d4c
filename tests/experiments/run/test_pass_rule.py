"""Prevents: a score that counts an answer which its plus tests refuse; a failure of Graft's in its plus tests that
counts as the model's; an answer that a person decided on and that is open for ever; sides that are compared by
different rules; a line that calls a score by suites alone one by plus tests too; evidence (plus tests, the comparison
with the gold) that gets lost, also on resuming, or that is taken for a verdict; a further test that an answer ends
before it can fail; a run of an older Graft whose scores change without a word."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executor.values import Audit, ExpectedTests, Outcome, Task
from executor.workers.local import LocalWorkers
from experiments.compare.pairs import compare_sides
from experiments.compare.sides import read_sides
from experiments.report.metrics import estimate_pass_by_suites_if_plus_known, estimate_pass_without_gold_differences
from experiments.report.run_progress import Follower
from experiments.report.run_report import explain_pass_without_plus_tests
from experiments.run.experiment import run_experiment
from experiments.run.manifest import RunManifest, read_manifest, write_manifest
from experiments.run.pass_rule import SUITES_ALONE, WITH_PLUS, PassRule
from experiments.run.records import (
    JOURNAL,
    UNFINISHED,
    Execution,
    SampleRecord,
    apply_rule_and_reviews,
    read_finished_records,
    read_finished_samples_with_executions,
    read_journal,
)
from experiments.run.resolve import resolve_config_parts
from experiments.run.reviews import Review
from experiments.run.sampling.attribution import find_cause_of_outcome, name_callees_or_test_behind_cause
from experiments.run.sampling.executions import Executions, describe_plus_test_result_or_empty, grade_execution
from experiments.run.workspace import Workspace, prepare_workspace
from graft import load_run
from lab.differential.compare_with_gold import compare_with_gold
from tests.support.runs import Graft, example_config, make_run, record, report_of, succeed
from tests.support.scripts import fence, give_answers

FAILED = "failed: plus-x: 1 failed: y"
FORGED = "failed: control: suite plus-x still passes with f broken: its results were forged"


def by_rule(plus: str, outcome: Outcome = Outcome.PASSED, rule: PassRule = WITH_PLUS) -> SampleRecord:
    return apply_rule_and_reviews(record("a", outcome, plus=plus), rule, {})


@pytest.mark.parametrize(
    ("plus", "outcome", "cause", "about"),
    [
        ("", Outcome.PASSED, "passed", ""),
        ("passed", Outcome.PASSED, "passed", ""),
        (FAILED, Outcome.TESTS_FAILED, "fails plus tests", "plus-x: 1 failed: y"),
        (FORGED, Outcome.TESTS_FAILED, "forged results", FORGED.removeprefix("failed: ")),
        ("not run: no disk", Outcome.INFRA_ERROR, "our error", "no disk"),
        ("not told: an odd text", Outcome.TO_REVIEW, "flagged: to review", "an odd text"),
    ],
)
def test_what_plus_tests_say_decides(plus: str, outcome: Outcome, cause: str, about: str) -> None:
    found = by_rule(plus)
    assert (found.graft.verdict.outcome, find_cause_of_outcome(found), name_callees_or_test_behind_cause(found)) == (
        outcome,
        cause,
        about,
    )
    assert found.passed_suites
    assert by_rule(plus, rule=SUITES_ALONE).passed
    # What fails its suites fails, and an answer that waits for a person waits.
    for worse in (Outcome.TESTS_FAILED, Outcome.TO_REVIEW):
        assert by_rule(plus, worse).graft.verdict.outcome is worse


def test_a_person_decides_on_what_plus_tests_leave_open() -> None:
    open_one = record("a", plus="not told: an odd text", execution="executions/x")
    for passed in (True, False):
        review = Review("executions/x", "a", passed, "ada", "I read it", "2026-11-27")
        found = apply_rule_and_reviews(open_one, WITH_PLUS, {"executions/x": review})
        assert (found.passed, found.graft.verdict.reason) == (passed, "review: ada: I read it")
        # It says nothing of tests that the answer fails.
        failing = apply_rule_and_reviews(replace(open_one, plus=FAILED), WITH_PLUS, {"executions/x": review})
        assert find_cause_of_outcome(failing) == "fails plus tests"


def test_what_graft_failed_to_try_is_done_again_and_every_reader_uses_the_rule(tmp_path: Path) -> None:
    records = [record("a", plus=FAILED), record("b", plus="not run: no disk"), record("c", plus="passed")]
    run = make_run(tmp_path / "run", records)
    for rule, done in ((WITH_PLUS, {"a", "c"}), (SUITES_ALONE, {"a", "b", "c"})):
        found = read_finished_samples_with_executions(run / JOURNAL, UNFINISHED, rule)
        assert {key[1] for key in found} == done
    scored = [(found.passed, found.is_scored) for found in read_finished_records(run)]
    assert scored == [(False, True), (False, False), (True, True)]
    (arm,) = Follower(run).read_state(0.0).arms
    assert (arm.passed, arm.errors) == (1, 1)


def test_the_details_tell_the_suites_score_where_it_differs() -> None:
    some = [by_rule("passed"), replace(by_rule(FAILED), task_id="b")]
    found = estimate_pass_by_suites_if_plus_known(some)
    assert found is not None and (found.value, found.tasks) == (1.0, 2)
    assert estimate_pass_by_suites_if_plus_known([by_rule("")]) is None
    lines = ("differs on call 1: x", "same on 3 calls")
    differing = [replace(scored, differential=line) for scored, line in zip(some, lines, strict=True)]
    same = estimate_pass_without_gold_differences(differing)
    assert same is not None and (same.value, same.tasks) == (0.0, 2)
    assert estimate_pass_without_gold_differences(some) is None


def _changed(run: Path, **more: object) -> RunManifest:
    manifest = read_manifest(run)
    facts = replace(manifest.repos["tiny"], plus_tasks=("a", "b"))
    found = replace(manifest, **{"repos": {"tiny": facts}, "places": {"a": ("tiny", ""), "b": ("tiny", "")}, **more})
    write_manifest(run, found)
    return found


def test_sides_are_compared_by_one_rule(tmp_path: Path) -> None:
    records = [record("a", plus=FAILED), record("b", plus="passed")]
    new, other, old = (make_run(tmp_path / name, records, model=f"openai/{name}") for name in ("new", "other", "old"))
    for run, rule in ((new, WITH_PLUS), (other, WITH_PLUS), (old, SUITES_ALONE)):
        _changed(run, pass_rule=rule)

    def shares(*runs: Path) -> tuple[float, float, tuple[str, ...]]:
        found = compare_sides(read_sides([str(path) for path in runs]))
        return found.pairs[0].difference.first, found.pairs[0].difference.second, found.notes

    assert shares(new, other) == (0.5, 0.5, ())
    note = f"pass@1 is by the suites alone: plus tests decide nothing in {old}"
    assert shares(new, old) == (1.0, 1.0, (note,))


def test_a_line_says_where_plus_tests_have_no_part(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [record("a"), record("b")])
    manifest = _changed(run)
    assert explain_pass_without_plus_tests(manifest) == ()
    few = replace(manifest, repos={"tiny": replace(manifest.repos["tiny"], plus_tasks=("a",))})
    assert explain_pass_without_plus_tests(few) == (
        "tiny: 1 of 2 tasks have plus tests, which an answer must pass too",
    )
    (line,) = explain_pass_without_plus_tests(replace(manifest, config={**manifest.config, "plus": False}))
    assert line.endswith("suites alone: the run was made with plus=false")
    (line,) = explain_pass_without_plus_tests(replace(manifest, pass_rule=SUITES_ALONE))
    assert line.startswith("pass@1 is by the suites alone, as before 2026-11-27")


# The evidence, by real runs


# Wrong answers to it pass its suites, and are found by other evidence.
TASK = "map-remove"
LEAKS = "plus-map_remove: 2 failed: frees_the_key, frees_each_key_once"

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
    assert judge(leak) == (Outcome.PASSED, f"failed: {LEAKS}")
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
    assert (find_cause_of_outcome(sample), name_callees_or_test_behind_cause(sample)) == ("fails plus tests", LEAKS)
    (row,) = report_of(run).rows
    figures = ("pass_at_1", "suites_pass_at_1", "official_pass_at_1")
    assert [row.get_estimate(figure).value for figure in figures] == [0.0, 1.0, 1.0]
    assert row.outcomes == {"tests_failed": 1}
    assert load_run(run).arms[0].pass_at_1 == 0.0
    shown = " ".join(succeed(graft, "show", run, TASK).split())
    assert stored.differential.startswith("differs on ")
    assert f"plus tests: failed: {LEAKS}" in shown and f"beside the gold: {stored.differential}" in shown
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
