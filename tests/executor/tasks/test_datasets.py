"""Prevents: a gold that isn't the repository's own text, byte for byte, or one that reaches the oracle; a data set
that comes with Graft and holds its repository's text, or reads other text than it was made from; a suite that names a
package which doesn't ship or which taught the ranker, or two of whose tasks share an id; a misspelt part that means
all; and a source that can't be had which takes all tasks of the others along."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import executor.tasks.suite_members as suite_members
from benchmarks.figures.suite import RECIPES
from benchmarks.retrieval.training.package_lot import TAUGHT_BEFORE
from benchmarks.tables import read_tables
from executor.repository.recipe import RecipeSource, find_recipe
from executor.tasks.datasets import load_rows, make_task_from_row, select_rows
from executor.tasks.made_datasets import (
    Passage,
    Places,
    TaskPlace,
    digest_lines,
    find_byte_offsets_in_item_files,
    list_built_in_made_datasets,
    read_made_dataset_rows,
    write_places,
)
from executor.tasks.oracle_items import (
    cut_target_definition,
    cut_targets_from_oracle,
    fill_in_item_paths_by_text,
    read_text_on_same_lines,
    summarise_oracle_cuts,
)
from executor.tasks.suite_members import SUITE, find_suite_members_or_empty, load_task_suite
from executor.tasks.task_row import TaskRow
from executor.tasks.yabloco import DATA
from executor.values import Level, OracleItem
from experiments.run.config import RunConfig, load_config
from experiments.run.resolve import choose_tasks
from experiments.run.workspace import bind_tasks
from index.errors import RecipeError, TaskError
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
    task = make_task_from_row(row(dataset_gold="damaged"), source)
    assert task.gold == GOLD
    assert task.dataset_gold == "damaged"
    assert (task.target.repo, task.target.path, task.target.span) == ("demo", "src/add.c", Span(3, 11))
    assert task.target.signature == "static int add(int a, int b)"

    assert make_task_from_row(row(dataset_gold=None), source).dataset_gold == GOLD


def test_the_signature_is_the_data_sets_to_the_letter_unless_it_is_damaged(source: Path) -> None:
    given = " static int add(int a, int b)\n"
    assert make_task_from_row(row(signature=given), source).target.signature == given
    task = make_task_from_row(row(signature="static intadd(int a, int b)"), source)
    assert task.target.signature == "static int\nadd(int a, int b)"
    assert "signature taken from the repository" in task.notes
    # It never holds a constructor's initialisers.
    (source / "a.cpp").write_text("A::A(int x)\n    : secret(x)\n{\n}\n")
    changes = {"path": "a.cpp", "span": Span(1, 4), "name": "A::A", "signature": "A::A(intx)"}
    assert make_task_from_row(row(**changes), source).target.signature == "A::A(int x)"


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
        make_task_from_row(row(**changes), source)


def test_an_oracle_item_that_holds_the_gold_is_dropped_and_noted(source: Path) -> None:
    helper = OracleItem("int other(int a)\n{\n    int sum = a;\n    return sum;\n}", name="other")
    leak = OracleItem("/* clone */\n" + GOLD.replace("    ", "\t").replace("static ", ""), name="clone")
    task = make_task_from_row(row(oracle=(helper, leak)), source)
    assert task.oracle == (helper,)
    assert "oracle holds the gold: item 2 of 2" in task.notes
    assert "1 oracle items that hold the gold were dropped" in task.notes


def test_the_targets_own_text_is_cut_from_an_oracle_item_and_nothing_else() -> None:
    """Prevents: an oracle that tells the first statements of the answer."""
    begins = {
        "kvstoreExpand": "int dictTryExpand(",
        "dictCheckRehashingCompleted": "    void (*rehashingCompleted)",
        "OSSL_STORE_eof": "    OSSL_FUNC_store_eof_fn",
        "ossl_quic_tx_packetiser_set_initial_token": "    ossl_quic_initial_token_free_fn",
        "ossl_quic_engine_get_time": "OSSL_TIME ossl_time_now(void)",
    }
    noted = dropped = 0
    for row in load_rows("yabloco"):
        items, notes = (
            cut_targets_from_oracle(row, [str(row.dataset_gold)], [row.target]) if row.dataset_gold else ((), ())
        )
        noted += bool(notes)
        dropped += len(row.oracle) - len(items) if row.dataset_gold else 0
        if row.name in begins:
            (changed,) = [item for item in items if item not in row.oracle]
            assert notes == ["1 oracle items began with the target's own text, which was cut"]
            assert len(items) == len(row.oracle)
            assert changed.text.startswith(begins[row.name]) and f"{row.name}(" not in changed.text
    assert (noted, dropped) == (7, 1)
    # A name of several tokens, and a body that is too short to be known by its tokens.
    own, rest = "bool S::operator==(S o) const { return x == o.x; }", "int helper(int a);"
    assert cut_target_definition(f"{own}\n\n\n{rest}", own, "S::operator==").strip() == rest


def test_an_oracle_item_gets_the_name_of_its_file(source: Path) -> None:
    """Prevents: callees of an unknown file, which a model can't include."""
    whole, part = (source / "src/add.c").read_text().strip("\n"), "int nowhere(void);"
    (named,) = fill_in_item_paths_by_text(
        [row(oracle=(OracleItem(whole), OracleItem(part), OracleItem(part, "x.c")))], source
    )
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
    with pytest.raises(TaskError, match=r"'yablaco' is neither a name .* did you mean 'yabloco'"):
        load_rows("yablaco")


ROWS = (
    row(id="A1", meta={"mera_id": "11"}),
    row(id="A2", repo="redis", level=Level.FILE),
    row(id="B1", repo="redis", level=Level.NONE),
)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, "A1 A2 B1"),
        ({"repos": ["redis"]}, "A2 B1"),
        ({"ids": ["B1", "A1"]}, "A1 B1"),
        ({"ids": ["11"]}, "A1"),
        ({"levels": ["none"]}, "A1 B1"),
        ({"levels": [Level.NONE], "repos": ["redis"]}, "B1"),
        ({"limit": 2}, "A1 A2"),
        ({"repos": ["redis"], "limit": 1}, "A2"),
        # What isn't known is named.
        ({"ids": ["A22"]}, TaskError(r"unknown task id 'A22'; did you mean 'A2'\?")),
        ({"ids": ["zzzzzz"]}, TaskError("unknown task id 'zzzzzz'$")),
        (
            {"repos": ["rediss"]},
            TaskError(r"unknown repository 'rediss'; did you mean 'redis'\? \(known: demo, redis\)"),
        ),
        ({"repos": ["example"]}, TaskError(r"unknown repository 'example'; its tasks are dataset=example \(known")),
        ({"levels": ["same_file"]}, TaskError("unknown level 'same_file'")),
        ({"limit": 0}, TaskError("limit must be 1 or more")),
    ],
)
def test_rows_are_selected_by_id_repository_level_and_number(filters: dict[str, Any], found: str | TaskError) -> None:
    if isinstance(found, TaskError):
        with pytest.raises(TaskError, match=str(found)):
            select_rows(ROWS, **filters)
    else:
        assert [chosen.id for chosen in select_rows(ROWS, **filters)] == found.split()


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
    task = {
        "id": "count-1.2",
        "level": "file",
        "oracle": find_byte_offsets_in_item_files(tree, [callee]),
        "language": "c",
        **first,
    }
    task |= {"comment": comment, "further": [{**second, "language": "c", "comment": None}]}
    write_places(Places(repository="toy", no_comment="none", tasks=(TaskPlace.model_validate(task),)), folder)
    assert "return" not in (folder / "places.json").read_text()
    (row,) = read_made_dataset_rows(folder, tmp_path / "cache")
    assert [(hole.name, hole.signature, hole.docstring) for hole in row.target.holes] == [
        ("count", "int count(int a)", "How many there are,\nall in all."),
        ("more", "int more(int a)", "none"),
    ]
    assert (row.repository, row.dataset, row.oracle, row.span) == ("toy", "toy-hard", (callee,), Span(3, 6))
    assert make_task_from_row(row, tree).golds[1] == callee.text
    for old, new, name in (("more(a)", "more(2)", "count"), ("a + 1", "a + 2", "more")):
        write_files(tree, {"a.c": SOURCE.replace(old, new)})
        with pytest.raises(TaskError, match=rf"toy-hard: {name} in a.c isn't what the data set was made from"):
            read_made_dataset_rows(folder, tmp_path / "cache")


def test_a_report_counts_what_was_cut_from_oracles() -> None:
    cut, dropped = (
        "oracle items began with the target's own text, which was cut",
        "oracle items that hold the gold were dropped",
    )
    notes = [
        (f"2 {cut}", f"1 {dropped}"),
        ("the gold is the repository's own text",),
        (f"1 {dropped}; the row's own context keeps them",),
    ]
    assert summarise_oracle_cuts(notes) == (
        "the oracle of 2 tasks held the target's own text: 2 items were cut, 2 dropped",
    )
    assert summarise_oracle_cuts(notes[1:2]) == ()


ROOT = Path(__file__).parents[3]
BODY = "int one(void)\n{\n    return 1;\n}\n"


@cache
def read_member_sources() -> list[RecipeSource]:
    """Once: some recipes are long."""
    return [find_recipe(member.name).source for member in load_task_suite().members]


def test_each_member_ships_and_no_two_tasks_share_an_id() -> None:
    names = [member.name for member in load_task_suite().members]
    assert len(set(names)) == len(names) and set(names) <= set(list_built_in_made_datasets())
    ids = []
    for name in names:
        places, manifest = (
            json.loads((RECIPES / name / f"{part}.json").read_bytes()) for part in ("places", "manifest")
        )
        mine = [place["id"] for place in places["tasks"]]
        assert set(mine) <= manifest["tasks"].keys()
        ids += mine
    assert all(source.sha256 is not None for source in read_member_sources())
    assert len(set(ids)) == len(ids)
    assert not set(names) & {"dev", "test"}


def test_the_ranker_learnt_from_no_member() -> None:
    """Its training set is recorded with every tree that it took; before that others taught it (TAUGHT_BEFORE)."""
    record = json.loads((ROOT / "benchmarks" / "records" / "training_set.json").read_text())
    table = next(table for table in read_tables(record["result"]) if "SHA-256 of upstream's archive" in table.head)
    taught = {(row[0], row[-1]) for row in table.rows}
    assert len(taught) == 47 and all(re.fullmatch(r"[0-9a-f]{64}", digest) for _, digest in taught)
    for source in read_member_sources():
        assert source.package not in {package for package, _ in taught}
        assert source.sha256 not in {digest for _, digest in taught}
        assert not str(source.package).startswith(TAUGHT_BEFORE)


def test_a_part_is_a_split_or_a_member() -> None:
    every = load_task_suite().members
    assert find_suite_members_or_empty(SUITE) == every
    assert {*find_suite_members_or_empty(f"{SUITE}/dev"), *find_suite_members_or_empty(f"{SUITE}/test")} == set(every)
    assert find_suite_members_or_empty(f"{SUITE}/metis") == tuple(member for member in every if member.name == "metis")
    assert find_suite_members_or_empty("metis") == find_suite_members_or_empty("graft-suites") == ()
    with pytest.raises(TaskError, match=r"graft-suite has no 'pcre'; did you mean 'pcre3'\? \(known: dev, test, "):
        load_rows(f"{SUITE}/pcre")
    with pytest.raises(TaskError, match=r"did you mean 'graft-suite'\?"):
        load_rows("graft-suit")
    # Each part has a run folder of its own.
    assert str(load_config(Path("dataset"), ["model=gold", f"dataset={SUITE}/dev"]).out) == "runs/graft-suite-dev-gold"


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of three: `toy` and `near`, whose source is a folder, and `far`, whose package nobody has."""
    recipes, tree = tmp_path / "recipes", write_files(tmp_path / "tree", {"a.c": BODY})
    digest = digest_lines(tree, "a.c", 1, 4)
    far = "{package: graft-none, version: 1-1, sha256: " + "a" * 64 + "}"
    for name, source in (("toy", f"{{directory: '{tree}'}}"), ("near", f"{{directory: '{tree}'}}"), ("far", far)):
        path = write_toy_recipe(recipes / name, source)
        (recipes / name / "recipe.yaml").write_text(path.read_text().replace("name: toy", f"name: {name}"))
        place = {"id": f"{name}-1", "path": "a.c", "first": 1, "last": 4, "sha256": digest, "name": "one"}
        task = TaskPlace.model_validate({**place, "language": "c", "level": "none", "comment": None, "oracle": ()})
        write_places(Places(repository=name, no_comment="-", tasks=(task,)), recipes / name)
    members = "".join(f"- {{name: {name}, split: test, licence: MIT}}\n" for name in ("toy", "far", "near"))
    write_files(recipes / SUITE, {"suite.yaml": f"version: '1'\ndrawn: by hand\nmembers:\n{members}"})
    monkeypatch.setenv("GRAFT_RECIPES", str(recipes))
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(suite_members, "BUILT_IN", recipes)
    monkeypatch.setattr("executor.tasks.datasets.BUILT_IN", recipes)
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "none"))
    monkeypatch.setattr("executor.repository.source_package.fetch_package_and_unpack_debian_folder", refuse)
    return tmp_path


def refuse(package: str, cache: Path, suite: str) -> None:
    raise TaskError("no way to an archive")


def test_a_source_that_cannot_be_had_leaves_its_tasks_out_and_counts_them(toys: Path) -> None:
    rows = load_rows(SUITE)
    assert [(row.id, bool(row.unread)) for row in rows] == [("toy-1", False), ("far-1", True), ("near-1", False)]
    assert {row.dataset_version for row in rows} == {rows[0].dataset_version} and rows[0].dataset == SUITE
    with pytest.raises(TaskError, match=r"far: far-1: its source can't be had"):
        make_task_from_row(rows[1], toys / "tree")
    config = RunConfig(model="gold", dataset=SUITE)
    bound = bind_tasks(config, choose_tasks(config), toys / "cache")
    assert [task.id for task in bound.tasks] == ["toy-1", "near-1"]
    (line,) = bound.left_out
    assert line.startswith("far: 1 tasks left out (its source can't be had: recipe far: no archive graft-none_1.orig")


def test_one_that_was_asked_for_is_an_error_and_no_other_is_read(toys: Path) -> None:
    asked = RunConfig(model="gold", dataset=SUITE, repos=("far",))
    with pytest.raises(RecipeError, match=r"its source can't be had"):
        choose_tasks(asked)
    rows = load_rows(SUITE, repos=["toy"])
    assert [row.unread for row in rows] == ["", "far isn't asked for", "near isn't asked for"]
    config = RunConfig(model="gold", dataset=SUITE, repos=("toy",))
    bound = bind_tasks(config, choose_tasks(config), toys / "cache")
    assert ([task.id for task in bound.tasks], bound.left_out) == (["toy-1"], ())
