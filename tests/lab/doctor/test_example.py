"""Bug prevented: a doctor that works on the tests' own toy and on no repository with a recipe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from executor.manifest.health import Health
from executor.manifest.manifest import load_manifest, manifest_path
from executor.repository.images import build_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from executor.tasks.datasets import bind_row, load_rows
from lab.doctor.body_trial import Effort
from lab.doctor.repository_examination import OpenRepository, examine_repository


@pytest.mark.slow
def test_three_of_the_examples_tasks(cache: Path, tmp_path: Path) -> None:
    """A C function, one that both programs reach, and a C++ member; trusted variants, so no sandbox is needed."""
    recipe = find_recipe("example")
    backend = open_unscheduled_backend("process", cache)
    source = checkout_source(recipe, None, cache)
    built = build_image(recipe, source, backend, None, cache)
    # Both programs are done in no time: which is the cheaper is the machine's mood.
    image = replace(built, suite_seconds={"c": 0.1, "cpp": 0.2})
    chosen = ["date-plus-months", "array-reserve", "item-order"]
    tasks = [bind_row(row, source.root) for row in load_rows("example") if row.id in chosen]
    effort = Effort(budget_s=60, gold_runs=1, mutants=2, forgeries=False)
    path = manifest_path(recipe, tmp_path)
    manifest = examine_repository(OpenRepository(image, backend, tasks, chosen, path, tmp_path), effort)
    assert {key: entry.health for key, entry in manifest.tasks.items()} == dict.fromkeys(sorted(chosen), Health.VALID)
    assert manifest.tasks["item-order"].suites == ("cpp",)
    assert manifest.tasks["date-plus-months"].suites == ("c",)
    assert load_manifest(path) == manifest


def test_every_task_of_the_example_is_valid_in_the_shipped_manifest() -> None:
    manifest = load_manifest(manifest_path(find_recipe("example")))
    assert manifest is not None
    assert set(manifest.tasks) == {row.id for name in ("example", "example-pairs") for row in load_rows(name)}
    assert {entry.health for entry in manifest.tasks.values()} == {Health.VALID}
    assert not any(entry.forgeries_passed for entry in manifest.tasks.values())
