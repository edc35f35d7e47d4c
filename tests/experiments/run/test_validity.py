"""Prevents: scores over tasks that no test can judge, without a word about it; scores over valid tasks that count
others; and a `tasks=valid` that silently runs all."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from executor.manifest.health import Health, PlusHealth, join_suite_and_plus_findings
from executor.manifest.manifest import load_manifest, manifest_path
from executor.repository.recipe import find_recipe
from executor.tasks.datasets import load_rows
from executor.values import Outcome, Verdict
from experiments.documents import format_markdown
from experiments.report.report_document import make_report_document
from experiments.report.run_end import keep_report
from experiments.report.run_report import make_report
from experiments.run.manifest import RunManifest, read_manifest
from experiments.run.records import SampleRecord
from experiments.run.validity import choose_task_ids, collect_repo_health, count_tasks_by_health, describe_validity
from index.errors import ConfigError
from tests.fixtures.run_fixtures import Runner


def _with_health(manifest: RunManifest, health: dict[str, str]) -> RunManifest:
    """The run's manifest, had the doctor said this of the example's tasks."""
    facts = manifest.repos["example"]
    assert facts.health is not None
    reasons = {task: f"f: {word} for a test" for task, word in health.items() if word != "valid"}
    return replace(
        manifest,
        repos={"example": replace(facts, health=replace(facts.health, health=health, reasons=reasons))},
    )


def _failed(record: SampleRecord) -> SampleRecord:
    verdict: Verdict = replace(record.graft.verdict, outcome=Outcome.TESTS_FAILED)
    return replace(record, graft=replace(record.graft, verdict=verdict))


def test_scores_over_all_and_over_valid_tasks_stand_side_by_side(run_example: Runner) -> None:
    done = run_example(model="gold", limit=4)
    manifest = read_manifest(done.run)
    assert manifest.repos["example"].health is not None, "the example's own manifest is read"
    ids = [record.task_id for record in done.records]
    assert len(ids) == 4
    # Two valid ones, of which one fails; a weak one that fails; one that nobody examined.
    manifest = _with_health(manifest, {ids[0]: "valid", ids[1]: "valid", ids[2]: "weak"})
    records = [_failed(record) if record.task_id in (ids[1], ids[2]) else record for record in done.records]
    report = make_report(done.run, manifest, records)
    (everything,), (valid,) = report.rows, report.valid_rows
    assert (everything.figures["tasks"], everything.get_estimate("pass_at_1").value) == (4, 0.5)
    assert (valid.figures["tasks"], valid.get_estimate("pass_at_1").value) == (2, 0.5)
    assert valid.get_estimate("official_pass_at_1").value == 1.0
    (counts,) = report.validity
    assert (counts.valid, counts.weak, counts.unknown, counts.broken) == (2, 1, 1, 0)
    assert report.not_valid == (f"{ids[2]} (example): weak: f: weak for a test",)
    text = format_markdown(make_report_document(report))
    assert "| none | 4 | 50.0 [" in text
    assert "| none, valid tasks | 2 | 50.0 [" in text
    assert "example: 2 of 4 tasks are valid, 1 weak, 1 not examined (manifest of " in text
    assert "## Tasks that aren't valid" in text
    keep_report(done.run, report)
    kept = json.loads((done.run / "report.json").read_text())
    assert [row["tasks"] for row in (*kept["rows"], *kept["valid_rows"])] == [4, 2]
    assert kept["validity"][0]["date"] == counts.date != ""


def test_without_a_manifest_the_report_says_that_nothing_is_proven(run_example: Runner) -> None:
    done = run_example(model="gold", limit=1)
    manifest = read_manifest(done.run)
    bare = replace(manifest, repos={"example": replace(manifest.repos["example"], health=None)})
    report = make_report(done.run, bare, done.records)
    assert report.valid_rows == ()
    assert "no manifest says which of its 1 tasks are valid" in format_markdown(make_report_document(report))


def test_valid_stands_for_what_the_manifests_call_valid() -> None:
    rows = load_rows("example")
    manifest = load_manifest(manifest_path(find_recipe("example")))
    assert manifest is not None
    # It holds the tasks of `example-pairs` too, which stand in the same repository.
    assert {key for key, health in manifest.tasks.items() if health.health == "valid"} - {row.id for row in rows}
    assert set(choose_task_ids(["valid"], [], rows, plus=True)) == {
        row.id for row in rows if manifest.tasks[row.id].health == "valid"
    }
    assert choose_task_ids(["money-print"], [], rows, plus=True) == ("money-print",)
    with pytest.raises(ConfigError, match="stands alone"):
        choose_task_ids(["valid", "money-print"], [], rows, plus=True)


def test_where_plus_tests_grade_they_make_a_weak_task_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = load_rows("example")
    manifest = load_manifest(manifest_path(find_recipe("example")))
    assert manifest is not None
    weak = {
        key: replace(manifest.tasks[key], health=Health.WEAK) for key in ("money-print", "item-order", "lot-label")
    }

    def tried(key: str) -> PlusHealth:
        return PlusHealth(("plus-f",), 3, "", manifest.tasks[key].text_digest, 3, 3, 2, 2, (), 0.1)

    plus = {
        "money-print": tried("money-print"),
        "item-order": replace(tried("item-order"), stubs_killed=1),
        "lot-label": replace(tried("lot-label"), gold_passed=2),
    }
    changed = join_suite_and_plus_findings(replace(manifest, tasks={**manifest.tasks, **weak}, plus=plus))
    monkeypatch.setattr("experiments.run.validity.load_manifest", lambda path: changed)
    by_suites = {row.id for row in rows} - set(weak)
    assert set(choose_task_ids(["valid"], [], rows, plus=True)) == by_suites | {"money-print"}
    assert set(choose_task_ids(["valid"], [], rows, plus=False)) == by_suites
    ids = [row.id for row in rows]
    counts = count_tasks_by_health("example", collect_repo_health(changed, plus=True), ids)
    assert (counts.valid, counts.by_plus, counts.weak) == (len(ids) - 2, 1, 2)
    assert f"{len(ids) - 2} of {len(ids)} tasks are valid ({len(ids) - 3} by the suites alone)" in describe_validity(
        counts
    )
    counts = count_tasks_by_health("example", collect_repo_health(changed, plus=False), ids)
    assert (counts.valid, counts.by_plus, counts.weak) == (len(ids) - 3, 0, 3)


def test_valid_runs_only_those(run_example: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("experiments.run.validity.list_valid_task_ids", lambda manifest: frozenset({"money-print"}))
    done = run_example(model="gold", tasks=["valid"])
    assert [record.task_id for record in done.records] == ["money-print"]


def test_valid_without_a_valid_task_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("experiments.run.validity.list_valid_task_ids", lambda manifest: frozenset())
    with pytest.raises(ConfigError, match=r"tasks=valid: no manifest calls a task of example valid; graft doctor"):
        choose_task_ids(["valid"], ["example"], load_rows("example"), plus=True)


def test_a_task_that_the_manifest_lacks_is_unknown_not_weak() -> None:
    manifest = load_manifest(manifest_path(find_recipe("example")))
    counts = count_tasks_by_health("example", collect_repo_health(manifest, plus=True), ["money-print", "newer-task"])
    assert (counts.valid, counts.weak, counts.unknown) == (1, 0, 1)
    assert describe_validity(count_tasks_by_health("r", None, ["a", "b"])).startswith(
        "r: no manifest says which of its 2 tasks"
    )
