"""Prevents: a renaming that changes a string, an included file's name or prose, leaves a name of a macro or a comment
behind, moves a line, or loses a byte; a task of a variant that tells an old name, and a sabotage that is lost (or put
into the wrong function) because its digest is that of the original text; a plus test that asks a variant for an old
name; a test whose own name changes, so that its result is missed; plus tests that grade a variant though its proof
never saw them hold; two `graft variants make` of one variant that write into each other's folder."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from executor import cache
from executor.function.call_limited_text import read_call_limit
from executor.function.sabotage import digest_definition, make_sabotaged_definition, read_definition_at
from executor.manifest.health import Health, HealthManifest, judge_tasks_by_suites_and_plus_tests
from executor.manifest.manifest import load_manifest, manifest_path
from executor.manifest.variant.renamed_tasks import (
    rename_manifest_keeping_ids_and_digests,
    rename_plus_tests,
    rename_proved_plus_tests,
    rename_qualified_name,
    rename_row_keeping_id_and_span,
)
from executor.manifest.variant.renamed_text import (
    rename_code,
    rename_comment,
    rename_words_of_non_c_file,
    restore_original_names,
)
from executor.manifest.variant.values import Proof, VariantRecord, VariantSpec
from executor.repository.recipe import BUILT_IN, find_recipe
from executor.tasks.datasets import load_rows, make_task_from_row
from executor.tasks.task_row import TaskRow
from executor.values import OracleItem, Sabotage
from index.values import Span
from tests.fixtures.rows import make_row

TASK_NAMES = {
    "array_reserve": "bolun_tamev", "array_insert": "bolun_kifad", "Array": "Bolun", "capacity": "sivolek",
    "store": "pimar", "check_digit": "gudel_wosin", "Item": "Nafot", "text": "vusel", "money_permille": "lof_zat",
}  # fmt: skip
NOWHERE = Path("nowhere")
EXAMPLE = BUILT_IN.parent / "examples" / "inventory"


def _record(paths: dict[str, str] | None = None) -> VariantRecord:
    proof = Proof("bwrap", "example-0123", "2026-11-22", suites_tried=2)
    return VariantRecord(
        "example", VariantSpec(), "", "example-tree-1", TASK_NAMES, {}, paths or {}, "d" * 16, proof=proof
    )


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
    done = rename_row_keeping_id_and_span(_row(), _record({"src/core/array.c": "src/core/bolun.c"}), NOWHERE, NOWHERE)
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


def test_qualified_names() -> None:
    names = {"store::operator<": "pimar::operator<", "Item::operator Array": "Nafot::operator Bolun"}
    names |= {"items": "items", "": ""}
    assert {name: rename_qualified_name(name, TASK_NAMES) for name in names} == names


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """The example, and the example with the names replaced; one file has another name there."""
    changed = tmp_path / "variant"
    for path in (*EXAMPLE.glob("src/**/*.*"), *EXAMPLE.glob("tests/*.*")):
        place = changed / path.relative_to(EXAMPLE)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(rename_code(path.read_text(), TASK_NAMES))
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
    done = rename_manifest_keeping_ids_and_digests(
        manifest, _record({"src/store/item.cpp": "src/store/nafot.cpp"}), original, variant
    )
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
            assert (new.function, new.change) == (rename_qualified_name(old.function, TASK_NAMES), old.change)
            continue
        broken = make_sabotaged_definition((original / old.path).read_bytes(), old, language)  # type: ignore[arg-type]
        again = make_sabotaged_definition((variant / new.path).read_bytes(), new, language)  # type: ignore[arg-type]
        assert again == rename_code(broken, TASK_NAMES)
    assert {s.path for s in after} >= {"src/store/nafot.cpp"}
    assert any(new.change != old.change for old, new in zip(before, after, strict=True))


def test_health_and_kill_scores_carry_over_and_plus_tests_say_nothing_of_a_variant(
    trees: tuple[Path, Path], manifest: HealthManifest
) -> None:
    done = rename_manifest_keeping_ids_and_digests(manifest, _record(), *trees)
    assert done.image == "example-0123"
    entry, old = done.tasks["array-reserve"], manifest.tasks["array-reserve"]
    assert (entry.name, entry.health, entry.kill_score) == ("bolun_tamev", old.health, old.kill_score)
    assert any("sivolek" in found.detail for found in entry.findings)
    assert [found.fate for found in entry.findings] == [found.fate for found in old.findings]
    weak = replace(manifest.tasks["map-remove"], health=Health.WEAK)
    known = judge_tasks_by_suites_and_plus_tests(replace(manifest, tasks={"map-remove": weak}))
    assert known.tasks["map-remove"].health is Health.VALID
    done = rename_manifest_keeping_ids_and_digests(known, _record(), *trees)
    assert (done.tasks["map-remove"].health, done.plus) == (Health.WEAK, {})


def test_a_sabotage_of_another_text_is_left_out(trees: tuple[Path, Path], manifest: HealthManifest) -> None:
    original, variant = trees
    file = variant / "src/core/array.c"
    file.write_text(file.read_text().replace("if (", "while (", 1))
    other = Sabotage("src/gone.c", "f", 1, 2, "one", "0" * 16)
    mutant = next(s for s in manifest.sabotages["c"] if s.function == "array_reserve" and "@" in s.change)
    edited = replace(manifest, sabotages={"c": (mutant, other)})
    assert rename_manifest_keeping_ids_and_digests(edited, _record(), original, variant).sabotages == {}


def test_the_renamed_row_binds_to_the_renamed_tree(trees: tuple[Path, Path]) -> None:
    original, variant = trees
    for row in load_rows("example"):
        before = make_task_from_row(row, original)
        record = _record({"src/store/item.cpp": "src/store/nafot.cpp"})
        after = make_task_from_row(rename_row_keeping_id_and_span(row, record, original, variant), variant)
        assert after.gold == rename_code(before.gold, TASK_NAMES)
        assert after.dataset_gold == rename_code(before.dataset_gold, TASK_NAMES)
        assert after.notes == before.notes


PLUS_PROOF = Proof("bwrap", "example-0123", "2026-11-28", suites_tried=2, plus_tasks=("map-remove",), plus_tried=4)
RECORD = VariantRecord(
    "example", VariantSpec(), "", "example-tree-1", {"map_remove": "gudel_wosin", "map_set": "lof_zat"}, {},
    {"src/core/map.h": "src/core/bolun.h"}, "d" * 16, proof=PLUS_PROOF,
)  # fmt: skip


def test_code_and_files_follow_and_names_of_tests_stay() -> None:
    (before,) = find_recipe("example").list_plus_tests_of_task("map-remove")
    (after,) = rename_plus_tests(find_recipe("example"), RECORD).list_plus_tests_of_task("map-remove")
    text = after.files["plus/map_remove.c"]
    for part in ('gudel_wosin(&m, "key 1")', '#include "core/bolun.h"', "TEST(frees_the_key)"):
        assert part in text
    assert "map_remove(" not in text
    kept = ("name", "tests", "argv")
    assert [getattr(after, key) for key in kept] == [getattr(before, key) for key in kept]
    assert list(after.files) == list(before.files)


def test_only_proved_tests_grade_and_count(manifest: HealthManifest) -> None:
    recipe = rename_proved_plus_tests(find_recipe("example"), RECORD)
    assert {task for suite in recipe.plus_suites for task in suite.tasks} == {"map-remove"}
    assert rename_proved_plus_tests(recipe, replace(RECORD, proof=None)).plus_suites == ()
    assert set(rename_manifest_keeping_ids_and_digests(manifest, RECORD, EXAMPLE, EXAMPLE).plus) == {"map-remove"}
    assert len(manifest.plus) > 1


NAMES = {"dict": "zap", "dictFind": "zapSeek", "word": "plonk", "LEN": "MUB", "a_b": "c_d", "_suffix": "_ending"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("dict *d = dictFind(word);", "zap *d = zapSeek(plonk);"),
        ("s = \"dict\" LEN\"dict\" L'd' 'dict';", "s = \"dict\" MUB\"dict\" L'd' 'dict';"),
        ('R"(dict " )" dict u8R"x(dict)"x)x" dict', 'R"(dict " )" zap u8R"x(dict)"x)x" zap'),
        ('#include "dict.h"\n# include <dict>\n#include LEN', '#include "dict.h"\n# include <dict>\n#include MUB'),
        ("#error a dict isn't\n#pragma dict\ndict", "#error a dict isn't\n#pragma dict\nzap"),
        ("#error dict \\\n dict\ndict", "#error dict \\\n dict\nzap"),
        ("#define LEN <a_b/dict.h> /* LEN */\n#include LEN", "#define MUB <a_b/dict.h> /* MUB */\n#include MUB"),
        ("#define LEN\t<dict.h>\r\nf <dict.word> (1);", "#define MUB\t<dict.h>\r\nf <zap.plonk> (1);"),
        ("#if __has_include(<dict>) || LEN", "#if __has_include(<dict>) || MUB"),
        ("#define F(x) dict##x #x word.dict", "#define F(x) zap##x #x plonk.zap"),
        ("%:define LEN <:dict:>", "%:define MUB <:zap:>"),
        ("1'000'000 + 0xdict + 1.0_suffix + .5dict + dict", "1'000'000 + 0xdict + 1.0_suffix + .5dict + zap"),
        ('operator""_suffix "x"_suffix', 'operator""_ending "x"_ending'),
        ("mydict dict2 DICT", "mydict dict2 DICT"),
        ('"open\ndict', '"open\nzap'),
        ('"a\\"dict" dict', '"a\\"dict" zap'),
        # The text names the operands by their labels.
        (
            'asm("%[dict]" : [dict] "=r"(dict), [ word ]"r"(word));',
            'asm("%[dict]" : [dict] "=r"(zap), [ word ]"r"(plonk));',
        ),
        ('f(dict[word], "x"); g([word] { h("x"); });', 'f(zap[plonk], "x"); g([plonk] { h("x"); });'),
    ],
)
def test_tokens_are_replaced_outside_literals(text: str, wanted: str) -> None:
    assert rename_code(text, NAMES) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("/* a word of a dict (any) */", "/* a word of a dict (any) */"),
        ("// dict() and `word` and 'dict', struct dict", "// zap() and `plonk` and 'zap', struct zap"),
        ("// see dictFind, a_b or LEN", "// see zapSeek, c_d or MUB"),
        ("/** @param word a word\n * \\p dict */", "/** @param plonk a word\n * \\p zap */"),
        ("/** @param[in] word a word */", "/** @param[in] plonk a word */"),
        ("// dict->x, dict::y, dict[0], &word, x->word", "// zap->x, zap::y, zap[0], &plonk, x->plonk"),
        ("// dict.c holds dictFind.c and a_b.h, not a_b.", "// dict.c holds dictFind.c and a_b.h, not c_d."),
        ("// in bold: **word**", "// in bold: **word**"),
    ],
)
def test_names_in_comments_change_and_prose_stays(text: str, wanted: str) -> None:
    assert rename_comment(text, NAMES) == wanted
    assert rename_code(f"{text}\n", NAMES) == f"{wanted}\n"


def test_an_answer_reads_under_the_original_names() -> None:
    code = 'dict *d = dictFind(word); /* dictFind() of a word */\nlog("dict");\n'
    assert restore_original_names(rename_code(code, NAMES), NAMES) == code
    told = restore_original_names('It calls zapSeek on a zap, and logs "zapSeek".', NAMES)
    assert told == 'It calls dictFind on a dict, and logs "dictFind".'


@pytest.mark.parametrize(
    "opening", ["/*", '"', "'", 'R"(', "#error \\\n", "__has_include(", "a" * 3, "1'", " <a.", " <a.b>/"]
)
def test_text_that_is_never_closed_takes_linear_time(opening: str) -> None:
    assert rename_code(opening * 100_000, NAMES) == opening * 100_000


def test_a_generators_json_names_handlers_and_groups() -> None:
    """redis: its command table is generated of these files, and refused when a command's group was renamed."""
    names = {"getCommand": "golpVusk", "string": "brin", "get_keys": "pelk_jorv", "group": "x", "aB": "qR"}
    text = '{"group": "string", "function": "getCommand", "get_keys": "get_keys", "aB": "aB"}'
    renamed = '{"group": "string", "function": "golpVusk", "get_keys": "pelk_jorv", "aB": "qR"}'
    assert rename_words_of_non_c_file("src/commands/get.json", text, names) == renamed


def test_a_second_maker_says_that_it_waits_and_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    waits = threading.Event()
    monkeypatch.setattr(cache.log, "info", lambda line: order.append(line) or waits.set())

    def second() -> None:
        with cache.hold_file_lock(tmp_path / "lock", "redis renamed"):
            order.append("second")

    with cache.hold_file_lock(tmp_path / "lock", "redis renamed"):
        other = threading.Thread(target=second)
        other.start()
        assert waits.wait(10)
        order.append("first")
    other.join()
    assert order == ["redis renamed: another process is making it; waiting", "first", "second"]
