"""Prevents: a task of the embedded demo that the shipped manifest doesn't call valid."""

from __future__ import annotations

from executor.manifest.health import Health
from executor.manifest.manifest import load_manifest, manifest_path
from executor.repository.recipe import find_recipe
from executor.tasks.datasets import load_rows


def test_every_task_of_the_example_is_valid_in_the_shipped_manifest() -> None:
    manifest = load_manifest(manifest_path(find_recipe("example")))
    assert manifest is not None
    assert set(manifest.tasks) == {row.id for name in ("example", "example-pairs") for row in load_rows(name)}
    assert {entry.health for entry in manifest.tasks.values()} == {Health.VALID}
    assert not any(entry.forgeries_passed for entry in manifest.tasks.values())
