"""Binding tasks to another version. Prevents: a task bound by its old lines, which puts candidates over the wrong
function."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.repository.recipe import find_recipe
from executor.tasks.datasets import bind_row, load_rows
from executor.tasks.row_rebinding import add_rows_for_rebinding_recipes, find_row_span, rebind_rows
from executor.tasks.task_row import TaskRow, split_lines_keeping_ends
from index.errors import TaskError
from index.values import Span
from tests.fixtures.rows import make_row

PLACE = "llvm/lib/Support/a.cpp"
OLD = """\
static int twice(int x) {
  return x + x; // doubled
}"""


def _row(
    text: str = OLD, task: str = "T1", *, lines: int | None = None, name: str = "lib::twice", path: str = PLACE
) -> TaskRow:
    return make_row(
        id=task,
        repo="llvm-prebuilt",
        path=path,
        span=Span(1, len(text.split("\n")) if lines is None else lines),
        name=name,
        signature="static int twice(int x)",
        dataset_gold=text,
        language="cpp",
    )


def test_moved_and_laid_out_anew_it_is_found() -> None:
    tree = "int before;\n\n/* anew */ static int\ntwice(int x)\n{\n  return x + x;\n}\nint after;\n"
    span = find_row_span(_row(), split_lines_keeping_ends(tree))
    assert (span.first, span.last) == (3, 7)


def test_lost_first_lines_are_given_back() -> None:
    tree = "int before;\nstatic int twice(int x,\n                 int y) {\n  return x + y;\n}\n"
    text = "                 int y) {\n  return x + y;\n}"
    span = find_row_span(_row(text, lines=4), split_lines_keeping_ends(tree))
    assert (span.first, span.last) == (2, 5)


@pytest.mark.parametrize(
    ("tree", "why"),
    [
        (OLD.replace("x + x", "x * 2"), "its text isn't in llvm/lib/Support/a.cpp"),
        (f"namespace a {{\n{OLD}\n}}\n{OLD}\n", "stands 2 times"),
        (f"{OLD} int more;\n", "hold something else as well"),
    ],
)
def test_what_the_rule_does_not_cover_is_left_out_with_its_reason(tree: str, why: str) -> None:
    with pytest.raises(TaskError, match=why):
        find_row_span(_row(), split_lines_keeping_ends(tree))


def test_another_functions_body_is_not_taken_for_it() -> None:
    body = "  return x + x;\n}"
    with pytest.raises(TaskError, match="have no lib::twice before a body"):
        find_row_span(_row(body), split_lines_keeping_ends("static int thrice(int x) {\n  return x + x;\n}\n"))


def test_stand_ins_are_the_other_repositorys_rows() -> None:
    rows = load_rows("yabloco")
    more = add_rows_for_rebinding_recipes(rows, ["llvm-prebuilt", "redis", "llvm-prebuilt", "no-such"])
    added = more[len(rows) :]
    assert more[: len(rows)] == tuple(rows)
    assert len(added) == 68
    assert {row.repository for row in added} == {"llvm-prebuilt"}
    assert [row.id for row in added] == [row.id for row in rows if row.repository == "llvm"]


def test_rows_are_bound_at_their_new_lines_and_the_rest_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "llvm" / "lib" / "Support"
    folder.mkdir(parents=True)
    (folder / "a.cpp").write_text(f"int moved;\n{OLD}\n")
    gone = _row("int other(int) { return 9; }", "T2", name="other")
    absent = _row(task="T3", path="llvm/lib/Support/gone.cpp")
    elsewhere = _row(task="T4", path="llvm/lib/Target/Hexagon/a.cpp")
    found = rebind_rows([_row(), gone, absent, elsewhere], find_recipe("llvm-prebuilt"), tmp_path)
    assert [(row.id, row.span) for row in found.rows] == [("T1", Span(2, 4))]
    assert bind_row(found.rows[0], tmp_path).gold == OLD
    assert [row.id for row, _ in found.excluded] == ["T2", "T3", "T4"]
    assert found.excluded[2][1] == "recipe llvm-prebuilt builds no program from llvm/lib/Target/Hexagon/a.cpp"
    assert "T2 other left out: its text isn't in llvm/lib/Support/a.cpp" in found.notes[0]


def test_other_recipes_rows_stay_as_they_are(tmp_path: Path) -> None:
    row = make_row(repo="redis")
    assert rebind_rows([row, _row()], find_recipe("redis"), tmp_path).rows == (row,)
