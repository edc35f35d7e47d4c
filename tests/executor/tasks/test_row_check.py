"""Bug prevented: damage in a data set that goes unnamed, or a sound row that is called damaged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from executor.tasks.datasets import bind_row, load_rows, select_rows
from executor.tasks.row_check import Damage, check_row, has_long_gold_run
from executor.tasks.task_row import TaskRow
from executor.tasks.yabloco import DATA
from executor.values import Level, OracleItem
from index.values import Span
from tests.fixtures.rows import make_row

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


@pytest.mark.parametrize(
    "text",
    [GOLD, GOLD + "\n", "\n\n" + GOLD + "\n\n", GOLD.replace("{\n", "{  \n"), GOLD.replace("\n", "\r\n"), None],
)
def test_sound_texts(text: str | None, source: Path) -> None:
    assert found(source, dataset_gold=text) == []


LINES = GOLD.split("\n")


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        ("\n".join(LINES[1:]), Damage.HEADER_LOST, "the first 1 of 13 lines are missing"),
        ("\n".join(LINES[4:]), Damage.HEADER_LOST, "the first 4 of 13 lines are missing"),
        (
            "\n".join([*LINES[:5], *LINES[8:11], LINES[12]]),
            Damage.DIRECTIVES_LOST,
            "3 directives and 1 other lines are missing",
        ),
        (
            "\n".join(line for line in LINES if not line.startswith("#")),
            Damage.DIRECTIVES_LOST,
            "3 directives and 0 other lines are missing",
        ),
        ("", Damage.TEXT_DIFFERS, "the data set's text is empty"),
        (GOLD.replace("    ", "\t"), Damage.WHITE_SPACE, "equal but for white space"),
        (" ".join(GOLD.split()), Damage.WHITE_SPACE, "equal but for white space"),
        (
            GOLD.replace("get(&tz);", "got(&tz);"),
            Damage.TEXT_DIFFERS,
            "1 lines of the repository's are missing, 1 others stand in the data set",
        ),
        (
            "int zone_copy(void)\n{\n    return 3;\n}",
            Damage.SPAN_SHIFTED,
            "the data set's text stands +14 lines away",
        ),
    ],
)
def test_each_damage_has_its_name(text: str, kind: Damage, detail: str, source: Path) -> None:
    assert found(source, dataset_gold=text) == [(kind, detail)]


def test_two_damages_are_two_findings(source: Path) -> None:
    text = "\n".join([*LINES[1:5], LINES[6], LINES[12]])
    assert [kind for kind, _ in found(source, dataset_gold=text)] == [Damage.HEADER_LOST, Damage.DIRECTIVES_LOST]


def test_a_shifted_span(source: Path) -> None:
    shifted = (Damage.SPAN_SHIFTED, "the data set's text stands -2 lines away")
    assert shifted in found(source, span=Span(5, 17))


def test_bad_places_are_findings_not_crashes(source: Path) -> None:
    ((kind, detail),) = found(source, path="none.c")
    assert kind is Damage.NO_FILE and "none.c" in detail
    ((kind, detail),) = found(source, span=Span(3, 503))
    assert kind is Damage.SPAN_OUTSIDE and "3..503" in detail


def test_names_and_signatures(source: Path) -> None:
    assert found(source, name="A::zone") == []
    assert found(source, name="zon") == [(Damage.NAME_ABSENT, "zon is not in the lines before the body")]
    kinds = [kind for kind, _ in found(source, signature="static longzone(int which, int other)")]
    assert kinds == [Damage.SIGNATURE_DIFFERS]


def test_oracles(source: Path) -> None:
    leak = OracleItem("long clone(int which, int other)\n" + GOLD[GOLD.index("{") :])
    assert found(source, oracle=(OracleItem("struct tz tz;"), leak)) == [(Damage.ORACLE_HOLDS_GOLD, "item 2 of 2")]
    ((kind, detail),) = found(source, level=Level.PACKAGE)
    assert kind is Damage.ORACLE_EMPTY and "package" in detail


def test_a_short_body_isnt_found_everywhere() -> None:
    gold = "int f(void) { return 0; }"
    assert not has_long_gold_run(OracleItem("int g(void) { return 0; }"), gold, None)


def test_the_two_bad_oracle_entries_of_the_benchmark_and_no_other() -> None:
    held = Counter(
        row.name
        for row in load_rows("yabloco")
        for item in row.oracle
        if row.dataset_gold is not None and has_long_gold_run(item, row.dataset_gold, None)
    )
    assert held == {"PromoteXForms": 1, "getInstructionsInTree": 2}


@pytest.mark.real
@pytest.mark.parametrize(
    ("repo", "bench", "tasks", "counts"),
    [
        (
            "redis",
            "bench-v0.8.csv",
            67,
            {Damage.HEADER_LOST: 2, Damage.DIRECTIVES_LOST: 6, Damage.ORACLE_EMPTY: 1},
        ),
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
    assert all(bind_row(row, tree).gold.rstrip().endswith("}") for row in rows)
