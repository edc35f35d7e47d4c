"""Prevents: a task that counts as weak although its plus tests tell a stub from the gold, or as valid by plus tests of
another text or that the gold fails; a finding that is lost where plus tests don't grade; a manifest of an older Graft
that can't be read; an edited recipe whose shipped manifest is then of another image, so that nobody can add to it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from executor.manifest.health import (
    Health,
    HealthManifest,
    PlusHealth,
    TaskHealth,
    drop_plus_findings,
    judge_tasks_by_suites_and_plus_tests,
)
from executor.manifest.manifest import digest_suites, list_valid_task_ids, load_manifest, manifest_path
from executor.repository.images import image_key
from executor.repository.recipe import BUILT_IN, find_recipe
from executor.repository.source import SourceTree
from executor.tasks.datasets import load_rows
from lab.doctor.manifest import summarize_manifest, update_health_by_plus_tests_and_save

STUB = "the plain stub: no test of 3 suites notices it"
PLUS = PlusHealth(("plus-f",), 3, "digest", "gold", 3, 3, 2, 2, (), 0.1)


def task(health: Health, reason: str) -> TaskHealth:
    return TaskHealth(
        "f", "f", "f.c", health, reason, (), (), 0.1, 0.1, 0, 2, 0, 0, None, 3, 3, 0, (), (), True, 1.0, "gold"
    )


def manifest(entry: TaskHealth, plus: PlusHealth | None = PLUS) -> HealthManifest:
    held = {} if plus is None else {"f": plus}
    return HealthManifest(1, "tiny", "", "", "", "", "", "2026-11-27", {}, {"f": entry}, plus=held)


@pytest.mark.parametrize(
    ("plus", "health", "reason"),
    [
        (PLUS, Health.VALID, "plus tests: every stub fails (2 of 2)"),
        (replace(PLUS, stubs_killed=1), Health.WEAK, f"{STUB}; 1 of 2 stubs pass its plus tests"),
        (replace(PLUS, stubs_killed=0, stubs=0), Health.WEAK, f"{STUB}; 0 of 0 stubs pass its plus tests"),
        (replace(PLUS, gold_passed=2), Health.WEAK, f"{STUB}; the gold fails its plus tests"),
        (replace(PLUS, text_digest="another"), Health.WEAK, STUB),
        (None, Health.WEAK, STUB),
    ],
)
def test_health_is_by_all_that_grades_the_task(plus: PlusHealth | None, health: Health, reason: str) -> None:
    weak = task(Health.WEAK, STUB)
    joined = judge_tasks_by_suites_and_plus_tests(manifest(weak, plus))
    entry = joined.tasks["f"]
    assert (entry.health, entry.reason) == (health, reason)
    assert list_valid_task_ids(joined) == ({"f"} if health is Health.VALID else frozenset())
    # Both findings are there, and joining them again changes nothing.
    assert judge_tasks_by_suites_and_plus_tests(joined) == joined
    assert drop_plus_findings(joined).tasks["f"] == weak
    # New findings of plus tests replace what older ones said.
    assert judge_tasks_by_suites_and_plus_tests(replace(joined, plus={})).tasks["f"] == weak


@pytest.mark.parametrize("health", [Health.VALID, Health.FLAKY, Health.BROKEN])
def test_plus_tests_only_help_a_task_that_its_suites_leave_weak(health: Health) -> None:
    entry = task(health, "by its suites")
    for plus in (PLUS, replace(PLUS, gold_passed=0), replace(PLUS, stubs_killed=0)):
        assert judge_tasks_by_suites_and_plus_tests(manifest(entry, plus)).tasks["f"] == entry


def test_a_manifest_of_an_older_graft_is_read(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    written = update_health_by_plus_tests_and_save(path, manifest(task(Health.WEAK, STUB)))
    assert written.tasks["f"].health is Health.VALID
    assert "1 valid (1 of the valid by their plus tests)" in summarize_manifest(written)
    kept = json.loads(path.read_text())
    assert kept["tasks"]["f"]["health"] == "valid"
    assert kept["tasks"]["f"].pop("by_suites") == {"health": "weak", "reason": STUB}
    kept["tasks"]["f"] |= {"health": "weak", "reason": STUB}
    path.write_text(json.dumps(kept))
    assert load_manifest(path) == written


def test_the_shipped_manifests_say_what_their_findings_give() -> None:
    for path in BUILT_IN.glob("*/manifest.json"):
        found = load_manifest(path)
        assert found is not None
        said = {key: entry["health"] for key, entry in json.loads(path.read_bytes())["tasks"].items()}
        assert said == {key: entry.health.value for key, entry in found.tasks.items()}, path


def test_every_task_of_the_example_is_valid() -> None:
    """Prevents: a task of the embedded demo that the shipped manifest doesn't call valid."""
    found = load_manifest(manifest_path(find_recipe("example")))
    assert found is not None
    assert set(found.tasks) == {row.id for name in ("example", "example-pairs") for row in load_rows(name)}
    assert {entry.health for entry in found.tasks.values()} == {Health.VALID}
    assert not any(entry.forgeries_passed for entry in found.tasks.values())


def test_redis_manifest_is_of_the_image_that_its_recipe_builds() -> None:
    """Of the shipped recipes redis' key alone follows from the recipe without the source and a base."""
    recipe = find_recipe("redis")
    found = load_manifest(manifest_path(recipe))
    commit = recipe.source.commit or ""
    source = SourceTree(Path(f"redis-{commit[:12]}"), "redis", commit, "")
    assert found is not None and found.image == image_key(recipe, source, None)
    assert found.expected == digest_suites(recipe)
