"""Prevents: scores over tasks that no test can judge, without a word about it; scores over valid tasks that count
others; and a `tasks=valid` that silently runs all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from executor.manifest.health import Health, HealthManifest, PlusHealth, judge_tasks_by_suites_and_plus_tests
from executor.manifest.manifest import load_manifest, manifest_path
from executor.repository.recipe import find_recipe
from executor.tasks.datasets import load_rows
from executor.values import Outcome
from experiments.report.run_end import make_report_json_fields
from experiments.run.manifest import read_manifest
from experiments.run.validity import (
    RepoHealth,
    collect_repo_health,
    count_tasks_by_health,
    describe_validity,
    expand_valid_into_task_ids,
)
from index.errors import ConfigError
from tests.fixtures.run_fixtures import Runner
from tests.support.runs import format_report, make_run, record, report_of


def test_scores_over_all_and_over_valid_tasks_stand_side_by_side(tmp_path: Path) -> None:
    # Two valid ones, of which one fails; a weak one that fails; one that nobody examined.
    passed = {name: record(name) for name in "abcd"}
    failed = [record(name, Outcome.TESTS_FAILED, official=passed[name].official) for name in "bc"]
    run = make_run(tmp_path / "run", [passed["a"], *failed, passed["d"]])
    manifest = read_manifest(run)
    health = {"a": "valid", "b": "valid", "c": "weak"}
    known = RepoHealth("2026-11-22", "process", health, {"c": "f: weak for a test"})
    facts = replace(manifest.repos["tiny"], health=known)
    report = report_of(run, None, replace(manifest, repos={"tiny": facts}))
    (everything,), (valid,) = report.rows, report.valid_rows
    assert (everything.figures["tasks"], everything.get_estimate("pass_at_1").value) == (4, 0.5)
    assert (valid.figures["tasks"], valid.get_estimate("pass_at_1").value) == (2, 0.5)
    assert valid.get_estimate("official_pass_at_1").value == 1.0
    (counts,) = report.validity
    assert (counts.valid, counts.weak, counts.unknown, counts.broken) == (2, 1, 1, 0)
    assert report.not_valid == ("c (tiny): weak: f: weak for a test",)
    text = format_report(report)
    assert "| none | 4 | 50.0 [" in text
    assert "| none, valid tasks | 2 | 50.0 [" in text
    assert "tiny: 2 of 4 tasks are valid, 1 weak, 1 not examined (manifest of 2026-11-22" in text
    assert "## Tasks that aren't valid" in text
    kept = make_report_json_fields(report)
    assert [row["tasks"] for row in (*kept["rows"], *kept["valid_rows"])] == [4, 2]
    # Without a manifest the report says that nothing is proven.
    bare = report_of(run, None, replace(manifest, repos={"tiny": replace(facts, health=None)}))
    assert bare.valid_rows == ()
    assert "no manifest says which of its 4 tasks are valid" in format_report(bare)


ROWS = load_rows("example")
IDS = [row.id for row in ROWS]


@pytest.fixture
def manifest() -> HealthManifest:
    """The example's own."""
    found = load_manifest(manifest_path(find_recipe("example")))
    assert found is not None
    return found


def test_valid_stands_for_what_the_manifests_call_valid(
    manifest: HealthManifest, run_example: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It holds the tasks of `example-pairs` too, which stand in the same repository.
    assert {key for key, health in manifest.tasks.items() if health.health == "valid"} - set(IDS)
    valid = {key for key in IDS if manifest.tasks[key].health == "valid"}
    assert set(expand_valid_into_task_ids(["valid"], [], ROWS, plus=True)) == valid
    assert expand_valid_into_task_ids(["money-print"], [], ROWS, plus=True) == ("money-print",)
    with pytest.raises(ConfigError, match="stands alone"):
        expand_valid_into_task_ids(["valid", "money-print"], [], ROWS, plus=True)
    known = "experiments.run.validity.list_valid_task_ids"
    monkeypatch.setattr(known, lambda manifest: frozenset({"money-print"}))
    done = run_example(model="gold", tasks=["valid"])
    assert [found.task_id for found in done.records] == ["money-print"]
    monkeypatch.setattr(known, lambda manifest: frozenset())
    with pytest.raises(ConfigError, match=r"tasks=valid: no manifest calls a task of example valid; graft doctor"):
        expand_valid_into_task_ids(["valid"], ["example"], ROWS, plus=True)


def test_where_plus_tests_grade_they_make_a_weak_task_valid(
    manifest: HealthManifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = {"money-print": {}, "item-order": {"stubs_killed": 1}, "lot-label": {"gold_passed": 2}}
    weak = {key: replace(manifest.tasks[key], health=Health.WEAK) for key in tried}
    plus = {
        key: replace(PlusHealth(("plus-f",), 3, "", weak[key].text_digest, 3, 3, 2, 2, (), 0.1), **facts)
        for key, facts in tried.items()
    }
    changed = judge_tasks_by_suites_and_plus_tests(replace(manifest, tasks={**manifest.tasks, **weak}, plus=plus))
    monkeypatch.setattr("experiments.run.validity.load_manifest", lambda path: changed)
    by_suites = set(IDS) - set(weak)
    assert set(expand_valid_into_task_ids(["valid"], [], ROWS, plus=True)) == by_suites | {"money-print"}
    assert set(expand_valid_into_task_ids(["valid"], [], ROWS, plus=False)) == by_suites
    both, suites = (
        count_tasks_by_health("example", collect_repo_health(changed, plus=plus), IDS) for plus in (True, False)
    )
    assert (both.valid, both.by_plus, both.weak) == (len(IDS) - 2, 1, 2)
    says = f"{len(IDS) - 2} of {len(IDS)} tasks are valid ({len(IDS) - 3} by the suites alone)"
    assert says in describe_validity(both)
    assert (suites.valid, suites.by_plus, suites.weak) == (len(IDS) - 3, 0, 3)


def test_a_task_whose_text_changed_since_is_unexamined(
    manifest: HealthManifest, run_example: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: a score over valid tasks that counts one which nobody examined as it is now."""
    other = replace(manifest.tasks["money-print"], text_digest="another")
    changed = replace(manifest, tasks={**manifest.tasks, "money-print": other})
    monkeypatch.setattr("experiments.run.variant_source.load_manifest", lambda path: changed)
    done = run_example(model="gold", tasks=["money-print", "text-trim"])
    health = read_manifest(done.run).repos["example"].health
    assert health is not None and "money-print" not in health.health and health.health["text-trim"] == "valid"


def test_a_task_that_the_manifest_lacks_is_unknown_not_weak(manifest: HealthManifest) -> None:
    counts = count_tasks_by_health("example", collect_repo_health(manifest, plus=True), ["money-print", "newer-task"])
    assert (counts.valid, counts.weak, counts.unknown) == (1, 0, 1)
    assert "example: 1 of 1 task is valid (" in describe_validity(replace(counts, unknown=0))
    nothing = count_tasks_by_health("r", None, ["a", "b"])
    assert describe_validity(nothing).startswith("r: no manifest says which of its 2 tasks")
