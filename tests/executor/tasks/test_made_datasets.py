"""Prevents: a data set that comes with Graft and holds its repository's text, or reads other text than it was made
from."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.tasks.made_datasets import (
    Passage,
    Places,
    TaskPlace,
    digest_lines,
    find_passages,
    read_places,
    write_places,
)
from executor.values import OracleItem
from index.errors import TaskError

SOURCE = """\
/* How many there are,
 * all in all. */
int count(int a)
{
    return more(a);
}

int more(int a) { return a + 1; }
"""
RECIPE = """\
name: toy
display: Toy
languages: [c]
source: {{directory: '{0}'}}
build: {{commands: [make], goals: [toy]}}
suites: [{{name: all, argv: [./toy], parser: lines}}]
parsers: {{lines: {{passed: '(?P<name>x)'}}}}
tests: {{default: [all]}}
"""


def test_the_rows_are_read_from_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFT_RECIPES", "")
    tree, folder = tmp_path / "tree", tmp_path / "toys"
    tree.mkdir()
    (tree / "a.c").write_text(SOURCE)
    (folder / "recipes" / "toy").mkdir(parents=True)
    (folder / "recipes" / "toy" / "recipe.yaml").write_text(RECIPE.format(tree))
    callee = OracleItem("int more(int a) { return a + 1; }", "a.c", "more")
    place = TaskPlace(
        id="count-1",
        path="a.c",
        first=3,
        last=6,
        sha256=digest_lines(tree, "a.c", 3, 6),
        name="count",
        language="c",
        level="file",
        comment=Passage(path="a.c", start=0, end=SOURCE.index("int count") - 1),
        oracle=find_passages(tree, [callee]),
    )
    write_places(Places(repository="toy", no_comment="-", tasks=(place,)), folder)
    assert "return" not in (folder / "places.json").read_text()
    (row,) = read_places(folder, tmp_path / "cache")
    assert (row.docstring, row.signature) == ("How many there are,\nall in all.", "int count(int a)")
    assert (row.oracle, row.span.last, row.dataset) == ((callee,), 6, "toys")
    (tree / "a.c").write_text(SOURCE.replace("more(a)", "more(2)"))
    with pytest.raises(TaskError, match=r"toys: count in a.c isn't what the data set was made from"):
        read_places(folder, tmp_path / "cache")
