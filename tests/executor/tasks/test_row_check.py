"""Prevents: damage in a data set that goes unnamed, or a sound row that is called damaged; a task bound to another
version by its old lines, which puts candidates over the wrong function."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from executor.repository.recipe import find_recipe
from executor.tasks.datasets import load_rows, make_task_from_row, select_rows
from executor.tasks.row_check import Damage, check_row, has_long_gold_run
from executor.tasks.row_rebinding import (
    add_copies_for_rebinding_recipes,
    fill_item_paths_and_relocate_rows,
    find_span_of_dataset_gold,
)
from executor.tasks.task_row import TaskRow, split_lines_keeping_ends
from executor.tasks.yabloco import DATA
from executor.values import Level, OracleItem
from index.errors import TaskError
from index.values import Span
from tests.fixtures.rows import make_row
from tests.support.projects import write_files

GOLD = """\
static long
zone(int which,
     int other)
{
    int seen = which + other;
#if defined(__linux__)
    return timezone + seen;
#else
    struct tz tz;
    get(&tz);
    return tz.minutes * 60L;
#endif
}"""
FILE = f"#include <a.h>\n\n{GOLD}\n\nint zone_copy(void)\n{{\n    return 3;\n}}\n"


def row(**changes: object) -> TaskRow:
    place = {
        "path": "zone.c",
        "span": Span(3, 15),
        "name": "zone",
        "signature": "static long zone(int which, int other)",
    }
    return make_row(**({"id": "zone", "dataset_gold": GOLD + "\n", "level": Level.STDLIB} | place | changes))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "zone.c").write_text(FILE)
    return tmp_path


def found(source: Path, **changes: object) -> list[tuple[Damage, str]]:
    return [(finding.kind, finding.detail) for finding in check_row(row(**changes), source)]


LINES = GOLD.split("\n")
BARE = [line for line in LINES if not line.startswith("#")]


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        ("\n".join(LINES[1:]), Damage.HEADER_LOST, "the first 1 of 13 lines are missing"),
        ("\n".join(LINES[4:]), Damage.HEADER_LOST, "the first 4 of 13 lines are missing"),
        ("\n".join([*LINES[:5], *LINES[8:11], LINES[12]]), Damage.DIRECTIVES_LOST, "3 directives and 1 other lines"),
        ("\n".join(BARE), Damage.DIRECTIVES_LOST, "3 directives and 0 other lines are missing"),
        ("", Damage.TEXT_DIFFERS, "the data set's text is empty"),
        (GOLD.replace("    ", "\t"), Damage.WHITE_SPACE, "equal but for white space"),
        (" ".join(GOLD.split()), Damage.WHITE_SPACE, "equal but for white space"),
        (
            GOLD.replace("get(&tz);", "got(&tz);"),
            Damage.TEXT_DIFFERS,
            "1 lines of the repository's are missing, 1 others",
        ),
        ("int zone_copy(void)\n{\n    return 3;\n}", Damage.SPAN_SHIFTED, "the data set's text stands +14 lines away"),
    ],
)
def test_each_damage_of_a_text_has_its_name(text: str, kind: Damage, detail: str, source: Path) -> None:
    ((known, line),) = found(source, dataset_gold=text)
    assert known is kind and line.startswith(detail)


def test_sound_texts_have_none_and_two_damages_are_two_findings(source: Path) -> None:
    laid_out = (GOLD + "\n", "\n\n" + GOLD + "\n\n", GOLD.replace("{\n", "{  \n"), GOLD.replace("\n", "\r\n"))
    for text in (GOLD, *laid_out, None):
        assert found(source, dataset_gold=text) == []
    text = "\n".join([*LINES[1:5], LINES[6], LINES[12]])
    assert [kind for kind, _ in found(source, dataset_gold=text)] == [Damage.HEADER_LOST, Damage.DIRECTIVES_LOST]


@pytest.mark.parametrize(
    ("changes", "kind", "detail"),
    [
        ({"path": "none.c"}, Damage.NO_FILE, "none.c"),
        ({"span": Span(3, 503)}, Damage.SPAN_OUTSIDE, "3..503"),
        ({"span": Span(5, 17)}, Damage.SPAN_SHIFTED, "the data set's text stands -2 lines away"),
        ({"name": "zon"}, Damage.NAME_ABSENT, "zon is not in the lines before the body"),
        ({"signature": "static longzone(int which, int other)"}, Damage.SIGNATURE_DIFFERS, ""),
        ({"level": Level.PACKAGE}, Damage.ORACLE_EMPTY, "package"),
    ],
)
def test_each_damage_of_a_place_a_name_or_a_level_has_its_name(
    changes: dict[str, object], kind: Damage, detail: str, source: Path
) -> None:
    assert any(known is kind and detail in line for known, line in found(source, **changes))
    assert found(source, name="A::zone") == []


def test_an_oracle_that_holds_the_gold_is_named_and_a_short_body_isnt_found_everywhere(source: Path) -> None:
    leak = OracleItem("long clone(int which, int other)\n" + GOLD[GOLD.index("{") :])
    assert found(source, oracle=(OracleItem("struct tz tz;"), leak)) == [(Damage.ORACLE_HOLDS_GOLD, "item 2 of 2")]
    gold = "int f(void) { return 0; }"
    assert not has_long_gold_run(OracleItem("int g(void) { return 0; }"), gold, None)
    # The two bad entries of the benchmark, and no other.
    held = Counter(
        row.name
        for row in load_rows("yabloco")
        for item in row.oracle
        if row.dataset_gold is not None and has_long_gold_run(item, row.dataset_gold, None)
    )
    assert held == {"PromoteXForms": 1, "getInstructionsInTree": 2}


def test_a_long_table_is_compared_in_no_time() -> None:
    """Prevents: a body with a table of 8,000 zeros kept a core busy for 12 s for each oracle item with another."""
    gold = f"int f(void) {{ static const int t[] = {{{'0, ' * 40_000}}}; return t[1]; }}"
    began = time.process_time()
    assert has_long_gold_run(OracleItem(f"int t[] = {{{'0, ' * 21_000}}};"), gold, None)
    assert not has_long_gold_run(OracleItem(f"int t[] = {{{'0, ' * 19_000}}};"), gold, None)
    assert time.process_time() - began < 20


@pytest.mark.real
@pytest.mark.parametrize(
    ("repo", "bench", "tasks", "counts"),
    [
        ("redis", "bench-v0.8.csv", 67, {Damage.HEADER_LOST: 2, Damage.DIRECTIVES_LOST: 6, Damage.ORACLE_EMPTY: 1}),
        ("redis", "bench-v0.8.json", 67, {Damage.DIRECTIVES_LOST: 6, Damage.ORACLE_EMPTY: 1}),
        ("bullet3", "bench-v0.8.csv", 23, {Damage.DIRECTIVES_LOST: 9, Damage.SIGNATURE_DIFFERS: 3}),
    ],
)
def test_the_benchmark_against_the_real_tree(
    repo: str, bench: str, tasks: int, counts: dict[Damage, int], real_tree: Callable[[str], Path]
) -> None:
    tree = real_tree(repo)
    rows = select_rows(load_rows(str(DATA / bench)), repos=[repo])
    assert len(rows) == tasks
    assert Counter(finding.kind for row in rows for finding in check_row(row, tree)) == counts
    # Every row binds, and the gold is a whole definition.
    assert all(make_task_from_row(row, tree).gold.rstrip().endswith("}") for row in rows)


PLACE = "llvm/lib/Support/a.cpp"
OLD = """\
static int twice(int x) {
  return x + x; // doubled
}"""


def _row(text: str = OLD, lines: int | None = None, **changes: object) -> TaskRow:
    span = Span(1, len(text.split("\n")) if lines is None else lines)
    place = {"repo": "llvm-prebuilt", "path": PLACE, "span": span, "name": "lib::twice", "language": "cpp"}
    return make_row(**({"id": "T1", "signature": "static int twice(int x)", "dataset_gold": text} | place | changes))


def test_moved_and_laid_out_anew_it_is_found_and_lost_first_lines_are_given_back() -> None:
    tree = "int before;\n\n/* anew */ static int\ntwice(int x)\n{\n  return x + x;\n}\nint after;\n"
    assert find_span_of_dataset_gold(_row(), split_lines_keeping_ends(tree)) == Span(3, 7)
    tree = "int before;\nstatic int twice(int x,\n                 int y) {\n  return x + y;\n}\n"
    text = "                 int y) {\n  return x + y;\n}"
    assert find_span_of_dataset_gold(_row(text, lines=4), split_lines_keeping_ends(tree)) == Span(2, 5)
    # A name of several tokens.
    for name in ("operator ==", "operator()", "~twice", "operator std::string"):
        text = OLD.replace("twice", name)
        of = _row(text, name=f"lib::{name.replace(' =', '=')}")
        assert find_span_of_dataset_gold(of, ["\n", *split_lines_keeping_ends(text)]) == Span(2, 4)


@pytest.mark.parametrize(
    ("text", "tree", "why"),
    [
        (OLD, OLD.replace("x + x", "x * 2"), "its text isn't in llvm/lib/Support/a.cpp"),
        (OLD, f"namespace a {{\n{OLD}\n}}\n{OLD}\n", "stands 2 times"),
        (OLD, f"{OLD} int more;\n", "hold something else as well"),
        # Another function's body.
        ("  return x + x;\n}", OLD.replace("twice", "thrice") + "\n", "have no lib::twice before a body"),
    ],
)
def test_what_the_rule_does_not_cover_is_left_out_with_its_reason(text: str, tree: str, why: str) -> None:
    with pytest.raises(TaskError, match=why):
        find_span_of_dataset_gold(_row(text), split_lines_keeping_ends(tree))


def test_stand_ins_are_the_other_repositorys_rows() -> None:
    rows = load_rows("yabloco")
    more = add_copies_for_rebinding_recipes(rows, ["llvm-prebuilt", "redis", "llvm-prebuilt", "no-such"])
    assert more[: len(rows)] == tuple(rows)
    added = [(row.repository, row.id) for row in more[len(rows) :]]
    assert added == [("llvm-prebuilt", row.id) for row in rows if row.repository == "llvm"]
    assert len(added) == 68


def test_rows_are_bound_at_their_new_lines_and_the_rest_is_told(tmp_path: Path) -> None:
    write_files(tmp_path, {PLACE: f"int moved;\n{OLD}\n"})
    gone = _row("int other(int) { return 9; }", id="T2", name="other")
    absent = _row(id="T3", path="llvm/lib/Support/gone.cpp")
    elsewhere = _row(id="T4", path="llvm/lib/Target/Hexagon/a.cpp")
    found = fill_item_paths_and_relocate_rows(
        [_row(), gone, absent, elsewhere], find_recipe("llvm-prebuilt"), tmp_path
    )
    assert [(row.id, row.span) for row in found.rows] == [("T1", Span(2, 4))]
    assert make_task_from_row(found.rows[0], tmp_path).gold == OLD
    assert [row.id for row, _ in found.excluded] == ["T2", "T3", "T4"]
    assert found.excluded[2][1] == "recipe llvm-prebuilt builds no program from llvm/lib/Target/Hexagon/a.cpp"
    assert "T2 other left out: its text isn't in llvm/lib/Support/a.cpp" in found.exclusion_notes[0]
    # Other recipes' rows stay as they are.
    row = make_row(repo="redis")
    assert fill_item_paths_and_relocate_rows([row, _row()], find_recipe("redis"), tmp_path).rows == (row,)
