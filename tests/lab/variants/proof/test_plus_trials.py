"""Prevents: plus tests that grade a variant though they say something else there than on the original."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from executor.manifest.health import Fate, HealthManifest
from executor.manifest.manifest import load_manifest, manifest_path
from executor.manifest.variant.record import locate_variant_source
from executor.manifest.variant.renamed_tasks import rename_row
from executor.manifest.variant.values import VariantRecord
from executor.repository.images import build_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from executor.tasks.datasets import bind_row, load_rows
from lab.variants.proof.task_trials import TaskPair, TrialSetup, prove_renamed_plus_tests
from tests.support.variants import renamed_example

TASK = "map-remove"
# The variant's image is built once.
pytestmark = [pytest.mark.xdist_group("variant"), pytest.mark.slow]


def test_tests_hold_where_each_text_meets_its_fate(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, setup, pair = _make_setup(cache, tmp_path)
    manifest = setup.manifest
    assert manifest is not None
    found = prove_renamed_plus_tests(setup, record, [pair], 1)
    assert (found.passed, found.tried, found.problems) == ((TASK,), 1, ())
    # Also without the bodies: graft-suite's don't stand beside its recipes.
    with monkeypatch.context() as without_bodies:
        without_bodies.setattr("lab.variants.proof.task_trials.find_body_file", lambda _: tmp_path / "wrong.yaml")
        (tmp_path / "bare").mkdir()
        assert prove_renamed_plus_tests(replace(setup, folder=tmp_path / "bare"), record, [pair], 1) == found

    plus = manifest.plus[TASK]
    wrong = next(body for body in plus.bodies if body.fate is Fate.KILLED)
    others = {
        "is survived on the original alone": [
            replace(body, fate=Fate.SURVIVED) if body is wrong else body for body in plus.bodies
        ],
        "stubs fail, on the original 0 of": plus.bodies,
    }
    for number, (line, bodies) in enumerate(others.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        changed = replace(plus, bodies=tuple(bodies), stubs_killed=0 if "stubs" in line else plus.stubs_killed)
        told = replace(manifest, plus={TASK: changed})
        found = prove_renamed_plus_tests(replace(setup, manifest=told, folder=folder), record, [pair], 1)
        assert found.passed == ()
        assert line in found.problems[0]
    unsound = replace(manifest, plus={TASK: replace(plus, gold_passed=0)})
    assert prove_renamed_plus_tests(replace(setup, manifest=unsound), record, [pair], 1).tried == 0


def _make_setup(cache: Path, folder: Path) -> tuple[VariantRecord, TrialSetup, TaskPair]:
    recipe, record = find_recipe("example"), renamed_example(cache)
    source = checkout_source(recipe, None, cache)
    tree = locate_variant_source(cache, source, record)
    backend = open_unscheduled_backend("process", cache)
    image, original = (build_image(recipe, place, backend, None, cache) for place in (tree, source))
    row = next(row for row in load_rows("example") if row.id == TASK)
    renamed = rename_row(row, record, source.root, tree.root)
    pair = TaskPair(bind_row(row, source.root), bind_row(renamed, tree.root))
    manifest = load_manifest(manifest_path(recipe))
    assert isinstance(manifest, HealthManifest)
    return record, TrialSetup(image, original, backend, record.names, manifest, folder), pair
