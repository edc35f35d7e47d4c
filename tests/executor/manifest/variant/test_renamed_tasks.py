"""Prevents: a task of a variant that tells an old name, and a sabotage that is lost (or put into the wrong function)
because its digest is that of the original text; a plus test that asks a variant for an old name; a test whose own name
changes, so that its result is missed; plus tests that grade a variant though its proof never saw them hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from executor.function.call_limited_text import read_call_limit
from executor.function.sabotage import digest_definition, make_sabotaged_definition, read_definition_at
from executor.manifest.health import Health, HealthManifest, join_suite_and_plus_findings
from executor.manifest.manifest import load_manifest, manifest_path
from executor.manifest.variant.renamed_tasks import (
    keep_proved_plus_tests,
    rename_manifest,
    rename_plus_tests,
    rename_qualified_name,
    rename_row,
)
from executor.manifest.variant.renamed_text import rename_code
from executor.manifest.variant.values import Proof, VariantRecord, VariantSpec
from executor.repository.recipe import BUILT_IN, find_recipe
from executor.tasks.datasets import bind_row, load_rows
from executor.tasks.task_row import TaskRow
from executor.values import OracleItem, Sabotage
from index.values import Span
from tests.fixtures.rows import make_row

NAMES = {
    "array_reserve": "bolun_tamev", "array_insert": "bolun_kifad", "Array": "Bolun", "capacity": "sivolek",
    "store": "pimar", "check_digit": "gudel_wosin", "Item": "Nafot", "text": "vusel", "money_permille": "lof_zat",
}  # fmt: skip
NOWHERE = Path("nowhere")
EXAMPLE = BUILT_IN.parent / "examples" / "inventory"


def _record(paths: dict[str, str] | None = None) -> VariantRecord:
    proof = Proof("bwrap", "example-0123", "2026-11-22", suites_tried=2)
    return VariantRecord("example", VariantSpec(), "", "example-tree-1", NAMES, {}, paths or {}, "d" * 16, proof=proof)


def _row() -> TaskRow:
    return make_row(
        id="T1",
        repo="example",
        path="src/core/array.c",
        span=Span(30, 32),
        name="store::Item::~Item",
        docstring="Grows the store with array_reserve(). The store stays as it is. See array.c.",
        signature="int array_reserve(Array *a, size_t capacity)",
        oracle=(OracleItem("int array_insert(Array *a);", "src/core/array.c", "store::array_insert"), OracleItem("")),
        dataset_gold='{ return array_insert(a, "array_insert"); }',
        official_gold="{ return array_insert(a); }",
        instruction="Write {signature}; it is like array_reserve. Context: {context}, language {text}.",
        oracle_text="// File name: example/src/core/array.c\n// Comment: calls array_insert\n"
        "/* array.c */ int array_insert(Array *a);\n\n\n"
        "// File name: example/src/other.c\n// Comment: \nint other(void);\n",
    )


def test_a_row_is_told_in_new_names() -> None:
    done = rename_row(_row(), _record({"src/core/array.c": "src/core/bolun.c"}), NOWHERE, NOWHERE)
    assert done == replace(
        _row(),
        target=replace(
            _row().target,
            path="src/core/bolun.c",
            name="pimar::Nafot::~Nafot",
            docstring="Grows the store with bolun_tamev(). The store stays as it is. See bolun.c.",
            signature="int bolun_tamev(Bolun *a, size_t sivolek)",
        ),
        oracle=(OracleItem("int bolun_kifad(Bolun *a);", "src/core/bolun.c", "pimar::bolun_kifad"), OracleItem("")),
        dataset_gold='{ return bolun_kifad(a, "array_insert"); }',
        official_gold="{ return bolun_kifad(a); }",
        instruction="Write {signature}; it is like bolun_tamev. Context: {context}, language {text}.",
        oracle_text="// File name: repository/src/core/bolun.c\n// Comment: calls bolun_kifad\n"
        "/* bolun.c */ int bolun_kifad(Bolun *a);\n\n\n"
        "// File name: repository/src/other.c\n// Comment: \nint other(void);\n",
    )


@pytest.mark.parametrize(
    ("name", "renamed"),
    [
        ("store::operator<", "pimar::operator<"),
        ("Item::operator Array", "Nafot::operator Bolun"),
        ("items", "items"),
        ("", ""),
    ],
)
def test_qualified_names(name: str, renamed: str) -> None:
    assert rename_qualified_name(name, NAMES) == renamed


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """The example, and the example with the names replaced; one file has another name there."""
    changed = tmp_path / "variant"
    for path in (*EXAMPLE.glob("src/**/*.*"), *EXAMPLE.glob("tests/*.*")):
        place = changed / path.relative_to(EXAMPLE)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(rename_code(path.read_text(), NAMES))
    (changed / "src/store/item.cpp").rename(changed / "src/store/nafot.cpp")
    return EXAMPLE, changed


@pytest.fixture
def manifest() -> HealthManifest:
    found = load_manifest(manifest_path(find_recipe("example")))
    assert found is not None
    return found


def test_every_sabotage_breaks_the_same_function_in_the_same_way(
    trees: tuple[Path, Path], manifest: HealthManifest
) -> None:
    original, variant = trees
    done = rename_manifest(manifest, _record({"src/store/item.cpp": "src/store/nafot.cpp"}), original, variant)
    before = [s for found in manifest.sabotages.values() for s in found]
    after = [s for found in done.sabotages.values() for s in found]
    assert len(after) == len(before) > 20
    for old, new in zip(before, after, strict=True):
        assert (new.first, new.last, new.tasks, new.others) == (old.first, old.last, old.tasks, old.others)
        language = "c" if old.path.endswith(".c") else "cpp"
        if read_call_limit(old.change) is not None:
            # The answer's text is broken so, and not the tree's.
            span = Span(new.first, new.last)
            assert digest_definition(read_definition_at((variant / new.path).read_bytes(), span)) == new.digest
            assert (new.function, new.change) == (rename_qualified_name(old.function, NAMES), old.change)
            continue
        broken = make_sabotaged_definition((original / old.path).read_bytes(), old, language)  # type: ignore[arg-type]
        again = make_sabotaged_definition((variant / new.path).read_bytes(), new, language)  # type: ignore[arg-type]
        assert again == rename_code(broken, NAMES)
    assert {s.path for s in after} >= {"src/store/nafot.cpp"}
    assert any(new.change != old.change for old, new in zip(before, after, strict=True))


def test_health_and_kill_scores_carry_over(trees: tuple[Path, Path], manifest: HealthManifest) -> None:
    done = rename_manifest(manifest, _record(), *trees)
    assert done.image == "example-0123"
    entry, old = done.tasks["array-reserve"], manifest.tasks["array-reserve"]
    assert (entry.name, entry.health, entry.kill_score) == ("bolun_tamev", old.health, old.kill_score)
    assert any("sivolek" in found.detail for found in entry.findings)
    assert [found.fate for found in entry.findings] == [found.fate for found in old.findings]


def test_plus_tests_say_nothing_of_a_variant(trees: tuple[Path, Path], manifest: HealthManifest) -> None:
    weak = replace(manifest.tasks["map-remove"], health=Health.WEAK)
    known = join_suite_and_plus_findings(replace(manifest, tasks={"map-remove": weak}))
    assert known.tasks["map-remove"].health is Health.VALID
    done = rename_manifest(known, _record(), *trees)
    assert (done.tasks["map-remove"].health, done.plus) == (Health.WEAK, {})


def test_a_sabotage_of_another_text_is_left_out(trees: tuple[Path, Path], manifest: HealthManifest) -> None:
    original, variant = trees
    file = variant / "src/core/array.c"
    file.write_text(file.read_text().replace("if (", "while (", 1))
    other = Sabotage("src/gone.c", "f", 1, 2, "one", "0" * 16)
    mutant = next(s for s in manifest.sabotages["c"] if s.function == "array_reserve" and "@" in s.change)
    edited = replace(manifest, sabotages={"c": (mutant, other)})
    assert rename_manifest(edited, _record(), original, variant).sabotages == {}


def test_the_renamed_row_binds_to_the_renamed_tree(trees: tuple[Path, Path]) -> None:
    original, variant = trees
    for row in load_rows("example"):
        before = bind_row(row, original)
        record = _record({"src/store/item.cpp": "src/store/nafot.cpp"})
        after = bind_row(rename_row(row, record, original, variant), variant)
        assert after.gold == rename_code(before.gold, NAMES)
        assert after.dataset_gold == rename_code(before.dataset_gold, NAMES)
        assert after.notes == before.notes


PLUS_PROOF = Proof("bwrap", "example-0123", "2026-11-28", suites_tried=2, plus_tasks=("map-remove",), plus_tried=4)
RECORD = VariantRecord(
    "example", VariantSpec(), "", "example-tree-1", {"map_remove": "gudel_wosin", "map_set": "lof_zat"}, {},
    {"src/core/map.h": "src/core/bolun.h"}, "d" * 16, proof=PLUS_PROOF,
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


def test_only_proved_tests_grade_and_count(manifest: HealthManifest) -> None:
    recipe = keep_proved_plus_tests(find_recipe("example"), RECORD)
    assert {task for suite in recipe.plus_suites for task in suite.tasks} == {"map-remove"}
    assert keep_proved_plus_tests(recipe, replace(RECORD, proof=None)).plus_suites == ()
    assert set(rename_manifest(manifest, RECORD, EXAMPLE, EXAMPLE).plus) == {"map-remove"}
    assert len(manifest.plus) > 1
