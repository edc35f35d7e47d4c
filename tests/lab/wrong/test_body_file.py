"""Prevents: an edit that silently changes another place than its author meant; a misspelt kind; a body that says the
same as the gold or as its neighbour; a file of ours that its own rules refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.repository.recipe import BUILT_IN, find_recipe
from executor.repository.source import checkout_source
from executor.tasks.datasets import bind_row, load_rows
from index.errors import TaskError
from lab.wrong.body_file import (
    KINDS,
    BodyEdit,
    BodyEntry,
    find_body_file,
    find_body_rule_violations,
    make_wrong_bodies,
    read_body_entries,
)
from tests.fixtures.calc import GOLD, add_task

WHY = "It must add both, and this gives the first one back."


def _edit(old: str, new: str, kind: str = "ignored-parameter", *, held: bool = False, why: str = WHY) -> BodyEntry:
    return BodyEntry(kind=kind, why=why, held=held, edits=(BodyEdit(old=old, new=new),))


def _good() -> list[BodyEntry]:
    return [_edit("a + b", text, held=n % 2 == 0) for n, text in enumerate(("a", "b", "a - b", "b - a", "a + b + 1"))]


def test_edits_are_made_at_their_one_place_in_any_order() -> None:
    two = BodyEntry(
        kind="wrong-callee", why=WHY, edits=(BodyEdit(old="a + b", new="b"), BodyEdit(old="int b", new="int c"))
    )
    assert make_wrong_bodies(add_task(), {"add": [two]})[0].text == "int add(int a, int c)\n{\n    return b;\n}\n"
    windows = add_task(GOLD.replace("\n", "\r\n"))
    long = _edit("{\n    return a + b;", "{\n    return a;")
    assert (
        make_wrong_bodies(windows, {"add": [long]})[0].text == "int add(int a, int b)\r\n{\r\n    return a;\r\n}\r\n"
    )


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ((("int", "long"),), "'int' occurs 3 times in the gold; it must occur once"),
        ((("a * b", "a"),), r"'a \* b' doesn't occur in the gold"),
        ((("a + b", "a"), ("+ b;", ";")), "two edits change the same text"),
    ],
)
def test_an_edit_that_fits_nowhere_or_twice_is_told(edits: tuple[tuple[str, str], ...], message: str) -> None:
    entry = BodyEntry(kind="wrong-constant", why=WHY, edits=tuple(BodyEdit(old=old, new=new) for old, new in edits))
    with pytest.raises(TaskError, match=message):
        make_wrong_bodies(add_task(), {"add": [entry]})


def test_rules_name_the_body_that_breaks_them() -> None:
    assert list(find_body_rule_violations([add_task()], {"add": _good()})) == []
    bodies = [
        *_good(),
        _edit("a + b", "a /* b */"),
        _edit("return a", "return /**/ a"),
        _edit("a + b", "7", why="Bad"),
    ]
    lines = "\n".join(find_body_rule_violations([add_task()], {"add": bodies, "sub": _good()}))
    assert "body 6 (ignored-parameter): the same as body 1" in lines
    assert "body 7 (ignored-parameter): the same as the gold" in lines
    assert "body 8 (ignored-parameter): why: write one sentence" in lines
    assert "sub: no task of the repository has this id" in lines
    few = "\n".join(find_body_rule_violations([add_task()], {"add": [_edit("a", "b")] * 5}))
    assert "0 of 5 bodies are held back" in few
    few = "\n".join(find_body_rule_violations([add_task()], {"add": _good()[:1]}))
    assert "1 bodies; write 5, and at least 3" in few


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{kind: missing-chek, why: x, body: y}", "missing-check"),
        ("{kind: missing-check, why: x}", "give either edits or body"),
        ("{kind: missing-check, why: x, body: y, hold: true}", "did you mean 'held'"),
    ],
)
def test_a_file_that_isnt_right_is_told_with_its_place(tmp_path: Path, entry: str, message: str) -> None:
    path = tmp_path / "redis.yaml"
    path.write_text(f"AB12:\n  - {entry}\n")
    with pytest.raises(TaskError, match=rf"redis.yaml: AB12: body 1: .*{message}"):
        read_body_entries(path)


def test_own_files_name_tasks_of_their_repository() -> None:
    """Whether they fit their golds is asked of the repository's source: `graft audit wrong check`."""
    files = {path.parent.name: path for path in BUILT_IN.glob("*/wrong.yaml")}
    assert "example" in files
    known: dict[str, set[str]] = {}
    for row in (row for name in ("yabloco", "example", "example-pairs") for row in load_rows(name)):
        known.setdefault(row.repository, set()).add(row.id)
    for name, path in files.items():
        entries = read_body_entries(path)
        # LLVM's tasks are built from a distribution's package, under a recipe of another name.
        assert set(entries) <= known[{"llvm-prebuilt": "llvm"}.get(name, name)]
        assert {entry.kind for bodies in entries.values() for entry in bodies} <= set(KINDS)


def test_the_examples_bodies_keep_the_rules(tmp_path: Path) -> None:
    recipe = find_recipe("example")
    root = checkout_source(recipe, None, tmp_path).root
    tasks = [bind_row(row, root) for name in ("example", "example-pairs") for row in load_rows(name)]
    entries = read_body_entries(find_body_file(recipe))
    assert set(entries) == {task.id for task in tasks}
    assert list(find_body_rule_violations(tasks, entries)) == []
