"""Prevents: a plus test that asks a variant for an old name; a test whose own name changes, so that its result is
missed; plus tests that grade a variant though its proof never saw them hold."""

from __future__ import annotations

from dataclasses import replace

from executor.manifest.health import HealthManifest
from executor.manifest.manifest import load_manifest, manifest_path
from executor.manifest.variant.renamed_tasks import keep_proved_plus_tests, rename_manifest, rename_plus_tests
from executor.manifest.variant.values import Proof, VariantRecord, VariantSpec
from executor.repository.recipe import BUILT_IN, find_recipe

PROOF = Proof("bwrap", "example-0123", "2026-11-28", suites_tried=2, plus_tasks=("map-remove",), plus_tried=4)
RECORD = VariantRecord(
    "example", VariantSpec(), "", "example-tree-1", {"map_remove": "gudel_wosin", "map_set": "lof_zat"}, {},
    {"src/core/map.h": "src/core/bolun.h"}, "d" * 16, proof=PROOF,
)  # fmt: skip


def test_code_and_files_follow_and_names_of_tests_stay() -> None:
    (before,) = find_recipe("example").plus_for("map-remove")
    (after,) = rename_plus_tests(find_recipe("example"), RECORD).plus_for("map-remove")
    text = after.files["plus/map_remove.c"]
    assert 'gudel_wosin(&m, "key 1")' in text
    assert '#include "core/bolun.h"' in text
    assert "map_remove(" not in text
    assert (after.name, after.tests, after.argv, list(after.files)) == (
        before.name,
        before.tests,
        before.argv,
        list(before.files),
    )
    assert "TEST(frees_the_key)" in text


def test_only_proved_tests_grade_and_count() -> None:
    recipe = keep_proved_plus_tests(find_recipe("example"), RECORD)
    assert {task for suite in recipe.plus_suites for task in suite.tasks} == {"map-remove"}
    assert keep_proved_plus_tests(recipe, replace(RECORD, proof=None)).plus_suites == ()
    manifest = load_manifest(manifest_path(find_recipe("example")))
    assert isinstance(manifest, HealthManifest)
    root = BUILT_IN.parent / "examples" / "inventory"
    assert set(rename_manifest(manifest, RECORD, root, root).plus) == {"map-remove"}
    assert len(manifest.plus) > 1
