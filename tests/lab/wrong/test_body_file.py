"""Prevents: an edit that silently changes another place than its author meant; a misspelt kind; a body that says the
same as the gold or as its neighbour; a file of ours that its own rules refuse; a wrong body, the line that says what
is wrong with it, or a plus test, within reach of a model: they name the very mistakes that the tests look for."""

from __future__ import annotations

import pytest

from executor.repository.recipe import BUILT_IN, find_recipe
from executor.repository.source import checkout_source
from executor.tasks.datasets import load_rows, make_task_from_row
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


def _edit(old, new, kind="ignored-parameter", *, held=False, why=WHY):
    return BodyEntry(kind=kind, why=why, held=held, edits=(BodyEdit(old=old, new=new),))


def _good():
    return [_edit("a + b", text, held=n % 2 == 0) for n, text in enumerate(("a", "b", "a - b", "b - a", "a + b + 1"))]


def test_edits_are_made_at_their_one_place_in_any_order():
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
def test_an_edit_that_fits_nowhere_or_twice_is_told(edits, message):
    entry = BodyEntry(kind="wrong-constant", why=WHY, edits=tuple(BodyEdit(old=old, new=new) for old, new in edits))
    with pytest.raises(TaskError, match=message):
        make_wrong_bodies(add_task(), {"add": [entry]})


def test_rules_name_the_body_that_breaks_them():
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
def test_a_file_that_isnt_right_is_told_with_its_place(tmp_path, entry, message):
    path = tmp_path / "redis.yaml"
    path.write_text(f"AB12:\n  - {entry}\n")
    with pytest.raises(TaskError, match=rf"redis.yaml: AB12: body 1: .*{message}"):
        read_body_entries(path)


def test_own_files_name_tasks_of_their_repository():
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


def test_the_examples_bodies_keep_the_rules_and_the_tree_that_is_indexed_holds_none(tmp_path):
    recipe = find_recipe("example")
    root = checkout_source(recipe, None, tmp_path).root
    tasks = [make_task_from_row(row, root) for name in ("example", "example-pairs") for row in load_rows(name)]
    entries = read_body_entries(find_body_file(recipe))
    assert set(entries) == {task.id for task in tasks}
    assert list(find_body_rule_violations(tasks, entries)) == []
    files = {path.relative_to(root).as_posix(): path for path in root.rglob("*")}
    texts = [path.read_text(encoding="utf-8") for path in files.values() if path.is_file()]
    assert any("int array_reserve(" in text for text in texts)
    for task in tasks:
        for body in make_wrong_bodies(task, entries):
            assert not [text for text in texts if body.text.strip() in text or body.why in text]
    plus = {path for suite in recipe.plus_suites for path in suite.files}
    assert plus
    assert files.keys().isdisjoint(plus)


def test_what_a_model_is_given_is_made_by_code_that_knows_of_none():
    """The contract on imports keeps `executor` and `lab` out of these; none opens its files by path."""
    for package in ("agent", "retrieval", "index"):
        for path in (BUILT_IN.parent / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert "wrong.yaml" not in text and "lab.wrong" not in text, path
