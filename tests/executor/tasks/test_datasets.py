"""Bug prevented: a gold that isn't the repository's own text, byte for byte, or one that reaches the oracle; a data
set that comes with Graft and holds its repository's text, or reads other text than it was made from."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.tasks.datasets import bind_row, load_rows, select_rows
from executor.tasks.made_datasets import (
    Passage,
    Places,
    TaskPlace,
    digest_lines,
    find_passages,
    read_made_dataset_rows,
    write_places,
)
from executor.tasks.oracle_items import (
    cut_targets_from_oracle,
    describe_cuts,
    fill_in_item_paths,
    read_text_on_same_lines,
)
from executor.tasks.task_row import TaskRow, join_span_lines, split_lines_keeping_ends
from executor.tasks.yabloco import DATA
from executor.values import Level, OracleItem
from index.errors import TaskError
from index.values import Span
from tests.fixtures.rows import make_row, write_toy_recipe
from tests.support.projects import write_files

GOLD = """\
static int
add(int a, int b)
{
    int sum = a;
    while (b--) {
        sum++;
    }
    return sum;
}"""


def row(**changes: object) -> TaskRow:
    return make_row(docstring="Add.", **({"dataset_gold": GOLD + "\n"} | changes))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_files(tmp_path, {"src/add.c": f"#include <a.h>\n\n{GOLD}\n\nint tail;\n"})


def test_gold_is_the_repositorys_text(source: Path) -> None:
    task = bind_row(row(dataset_gold="damaged"), source)
    assert task.gold == GOLD
    assert task.dataset_gold == "damaged"
    assert (task.target.repo, task.target.path, task.target.span) == ("demo", "src/add.c", Span(3, 11))
    assert task.target.signature == "static int add(int a, int b)"


def test_the_signature_is_the_data_sets_to_the_letter_unless_it_is_damaged(source: Path) -> None:
    given = " static int add(int a, int b)\n"
    assert bind_row(row(signature=given), source).target.signature == given
    task = bind_row(row(signature="static intadd(int a, int b)"), source)
    assert task.target.signature == "static int\nadd(int a, int b)"
    assert "signature taken from the repository" in task.notes


def test_a_row_without_a_text_takes_the_repositorys(source: Path) -> None:
    assert bind_row(row(dataset_gold=None), source).dataset_gold == GOLD


def test_lines_are_cut_at_line_feeds_alone() -> None:
    assert split_lines_keeping_ends("a\x0c\x85\u2028b\rc\nd") == ["a\x0c\x85\u2028b\rc\n", "d"]
    assert split_lines_keeping_ends("a\n") == ["a\n"]
    assert split_lines_keeping_ends("") == []
    assert join_span_lines(["a\r\n", "b\r\n", "c"], Span(1, 2)) == "a\r\nb"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"path": "src/none.c"}, r"mine\.csv row 7: field path: src/none\.c can't be read in"),
        ({"path": "src"}, r"field path: src can't be read"),
        ({"span": Span(10, 18)}, r"row 7: span 10\.\.18 is outside src/add\.c, which has 13 lines"),
        ({"span": Span(0, 8)}, r"span 0\.\.8 is not a span"),
        ({"span": Span(3, 2)}, r"span 3\.\.2 is not a span"),
    ],
)
def test_a_span_outside_the_file_is_named(changes: dict[str, object], message: str, source: Path) -> None:
    with pytest.raises(TaskError, match=message):
        bind_row(row(**changes), source)


def test_an_oracle_item_that_holds_the_gold_is_dropped_and_noted(source: Path) -> None:
    helper = OracleItem("int other(int a)\n{\n    int sum = a;\n    return sum;\n}", name="other")
    leak = OracleItem("/* clone */\n" + GOLD.replace("    ", "\t").replace("static ", ""), name="clone")
    task = bind_row(row(oracle=(helper, leak)), source)
    assert task.oracle == (helper,)
    assert "oracle holds the gold: item 2 of 2" in task.notes
    assert "1 oracle items that hold the gold were dropped" in task.notes


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("kvstoreExpand", "int dictTryExpand("),
        ("dictCheckRehashingCompleted", "    void (*rehashingCompleted)"),
        ("OSSL_STORE_eof", "    OSSL_FUNC_store_eof_fn"),
        ("ossl_quic_tx_packetiser_set_initial_token", "    ossl_quic_initial_token_free_fn"),
        ("ossl_quic_engine_get_time", "OSSL_TIME ossl_time_now(void)"),
    ],
)
def test_the_targets_own_text_is_cut_from_an_oracle_item(name: str, begins: str) -> None:
    """Prevents: an oracle that tells the first statements of the answer."""
    (found,) = (row for row in load_rows("yabloco") if row.name == name)
    items, notes = cut_targets_from_oracle(found, [str(found.dataset_gold)], [found.target])
    changed = [item for item in items if item not in found.oracle]
    assert notes == ["1 oracle items began with the target's own text, which was cut"]
    assert len(items) == len(found.oracle) and len(changed) == 1
    assert changed[0].text.startswith(begins) and f"{name}(" not in changed[0].text


def test_an_oracle_item_gets_the_name_of_its_file(source: Path) -> None:
    """Prevents: callees of an unknown file, which a model can't include."""
    whole, part = (source / "src/add.c").read_text().strip("\n"), "int nowhere(void);"
    (named,) = fill_in_item_paths([row(oracle=(OracleItem(whole), OracleItem(part), OracleItem(part, "x.c")))], source)
    assert [item.path for item in named.oracle] == ["src/add.c", "", "x.c"]


def test_an_oracle_item_of_a_variant_is_the_variants_own_text(tmp_path: Path) -> None:
    """Prevents: an item that renames a parameter and leaves its uses: the repository's names don't hold local ones."""
    for folder, word in (("old", "size"), ("new", "tavok")):
        write_files(tmp_path / folder, {"a.c": f"int first;\n\nint f(int {word})\n{{\n    return {word};\n}}\n"})
    item = OracleItem("int f(int size)\n{\n    return size;\n}\n", "a.c")
    found = read_text_on_same_lines(item, "a.c", tmp_path / "old", tmp_path / "new")
    assert found == "int f(int tavok)\n{\n    return tavok;\n}"
    assert read_text_on_same_lines(item, "a.c", tmp_path / "old", tmp_path / "nowhere") is None
    assert read_text_on_same_lines(OracleItem("int g;", "a.c"), "a.c", tmp_path / "old", tmp_path / "new") is None


def test_only_the_targets_own_text_is_cut_from_the_oracle() -> None:
    rows = [row for row in load_rows("yabloco") if row.dataset_gold]
    cleaned = [cut_targets_from_oracle(row, [str(row.dataset_gold)], [row.target]) for row in rows]
    assert sum(bool(notes) for _, notes in cleaned) == 7
    assert sum(len(row.oracle) for row in rows) - sum(len(items) for items, _ in cleaned) == 1


def test_a_signature_never_holds_a_constructors_initialisers(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("A::A(int x)\n    : secret(x)\n{\n}\n")
    changes = {"path": "a.cpp", "span": Span(1, 4), "name": "A::A", "signature": "A::A(intx)"}
    assert bind_row(row(**changes), tmp_path).target.signature == "A::A(int x)"


def test_the_data_sets_by_name_and_by_path(tmp_path: Path) -> None:
    shipped = load_rows("yabloco")
    assert len(shipped) == 218
    assert load_rows(str(DATA / "bench-v0.8.csv")) == shipped
    assert len(load_rows(str(DATA / "bench-v0.8.json"))) == 218
    copy = tmp_path / "copy.csv"
    copy.write_bytes((DATA / "bench-v0.8.csv").read_bytes())
    with pytest.raises(TaskError, match="no oracle file at"):
        load_rows(str(copy))
    assert len(load_rows(str(copy), DATA / "yabloco_oracle_v1.json")) == 218


def test_an_unknown_data_set_names_the_nearest() -> None:
    with pytest.raises(TaskError, match=r"'yablaco' is neither a name .* did you mean 'yabloco'"):
        load_rows("yablaco")


ROWS = (
    row(id="A1", meta={"mera_id": "11"}),
    row(id="A2", repo="redis", level=Level.FILE),
    row(id="B1", repo="redis", level=Level.NONE),
)


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({}, ["A1", "A2", "B1"]),
        ({"repos": ["redis"]}, ["A2", "B1"]),
        ({"ids": ["B1", "A1"]}, ["A1", "B1"]),
        ({"ids": ["11"]}, ["A1"]),
        ({"levels": ["none"]}, ["A1", "B1"]),
        ({"levels": [Level.NONE], "repos": ["redis"]}, ["B1"]),
        ({"limit": 2}, ["A1", "A2"]),
        ({"repos": ["redis"], "limit": 1}, ["A2"]),
    ],
)
def test_select(filters: dict[str, list[str]], ids: list[str]) -> None:
    assert [chosen.id for chosen in select_rows(ROWS, **filters)] == ids  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"ids": ["A22"]}, r"unknown task id 'A22'; did you mean 'A2'\?"),
        ({"ids": ["zzzzzz"]}, "unknown task id 'zzzzzz'$"),
        ({"repos": ["rediss"]}, r"unknown repository 'rediss'; did you mean 'redis'\?; there are demo, redis"),
        ({"levels": ["same_file"]}, "unknown level 'same_file'"),
        ({"limit": 0}, "limit must be 1 or more"),
    ],
)
def test_select_names_what_it_does_not_know(filters: dict[str, list[str]], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        select_rows(ROWS, **filters)  # type: ignore[arg-type]


SOURCE = """\
/* How many there are,
 * all in all. */
int count(int a)
{
    return more(a);
}

int more(int a) { return a + 1; }
"""


def test_the_rows_are_read_from_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each text of a row of two functions. One that changed is named, whichever of them it is."""
    monkeypatch.setenv("GRAFT_RECIPES", str(tmp_path / "recipes"))
    tree, folder = write_files(tmp_path / "tree", {"a.c": SOURCE}), tmp_path / "toy-hard"
    write_toy_recipe(tmp_path / "recipes", f"{{directory: '{tree}'}}")
    callee = OracleItem("int more(int a) { return a + 1; }", "a.c", "more")
    first, second = (
        {"name": name, "path": "a.c", "first": first, "last": last, "sha256": digest_lines(tree, "a.c", first, last)}
        for name, first, last in (("count", 3, 6), ("more", 8, 8))
    )
    comment = Passage(path="a.c", start=0, end=SOURCE.index("int count") - 1)
    task = {"id": "count-1.2", "level": "file", "oracle": find_passages(tree, [callee]), "language": "c", **first}
    task |= {"comment": comment, "further": [{**second, "language": "c", "comment": None}]}
    write_places(Places(repository="toy", no_comment="none", tasks=(TaskPlace.model_validate(task),)), folder)
    assert "return" not in (folder / "places.json").read_text()
    (row,) = read_made_dataset_rows(folder, tmp_path / "cache")
    assert [(hole.name, hole.signature, hole.docstring) for hole in row.target.holes] == [
        ("count", "int count(int a)", "How many there are,\nall in all."),
        ("more", "int more(int a)", "none"),
    ]
    assert (row.repository, row.dataset, row.oracle, row.span) == ("toy", "toy-hard", (callee,), Span(3, 6))
    assert bind_row(row, tree).golds[1] == callee.text
    for old, new, name in (("more(a)", "more(2)", "count"), ("a + 1", "a + 2", "more")):
        write_files(tree, {"a.c": SOURCE.replace(old, new)})
        with pytest.raises(TaskError, match=rf"toy-hard: {name} in a.c isn't what the data set was made from"):
            read_made_dataset_rows(folder, tmp_path / "cache")


def test_a_report_counts_what_was_cut_from_oracles() -> None:
    notes = [
        (
            "2 oracle items began with the target's own text, which was cut",
            "1 oracle items that hold the gold were dropped",
        ),
        ("the gold is the repository's own text",),
        ("1 oracle items that hold the gold were dropped; the row's own context keeps them",),
    ]
    assert describe_cuts(notes) == ("the oracle of 2 tasks held the target's own text: 2 items were cut, 2 dropped",)
    assert describe_cuts(notes[1:2]) == ()
