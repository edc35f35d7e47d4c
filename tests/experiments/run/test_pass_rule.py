"""Prevents: a score that counts an answer which its plus tests refuse; a failure of Graft's in its plus tests that
counts as the model's; an answer that a person decided on and that is open for ever; sides that are compared by
different rules; a line that calls a score by suites alone one by plus tests too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from executor.values import Outcome
from experiments.compare.pairs import compare_sides
from experiments.compare.sides import read_sides
from experiments.report.metrics import estimate_pass_by_suites_if_plus_known, estimate_pass_without_gold_differences
from experiments.report.run_progress import Follower
from experiments.report.run_report import explain_pass_without_plus_tests
from experiments.run.manifest import RunManifest, read_manifest, write_manifest
from experiments.run.pass_rule import SUITES_ALONE, WITH_PLUS, PassRule
from experiments.run.records import (
    JOURNAL,
    UNFINISHED,
    SampleRecord,
    apply_rule_and_reviews,
    read_finished_records,
    read_finished_samples_with_executions,
)
from experiments.run.reviews import Review
from experiments.run.sampling.attribution import find_cause_of_outcome, name_callees_or_test_behind_cause
from tests.support.runs import make_run, record

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
    open_one = record("a", plus="not told: an odd text")
    open_one = replace(open_one, graft=replace(open_one.graft, execution="executions/x"))
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
