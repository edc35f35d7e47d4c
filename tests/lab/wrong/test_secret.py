"""Prevents: a wrong body, or the line that says what is wrong with it, within reach of a model: it names the very
mistakes that the tests look for. So does a plus test."""

from __future__ import annotations

from pathlib import Path

from executor.repository.recipe import BUILT_IN, find_recipe
from executor.repository.source import checkout_source
from executor.tasks.datasets import bind_row, load_rows
from lab.wrong.body_file import find_body_file, make_wrong_bodies, read_body_entries

ROOT = BUILT_IN.parent


def test_the_tree_that_is_indexed_holds_none(tmp_path: Path) -> None:
    recipe = find_recipe("example")
    root = checkout_source(recipe, None, tmp_path).root
    entries = read_body_entries(find_body_file(recipe))
    files = {path.relative_to(root).as_posix(): path for path in root.rglob("*")}
    texts = [path.read_text(encoding="utf-8") for path in files.values() if path.is_file()]
    assert any("int array_reserve(" in text for text in texts)
    for task in (bind_row(row, root) for row in load_rows("example")):
        for body in make_wrong_bodies(task, entries):
            assert not [text for text in texts if body.text.strip() in text or body.why in text]
    plus = {path for suite in recipe.plus_suites for path in suite.files}
    assert plus
    assert files.keys().isdisjoint(plus)


def test_what_a_model_is_given_is_made_by_code_that_knows_of_none() -> None:
    """The contract on imports keeps `executor` and `lab` out of these; none opens its files by path."""
    for package in ("agent", "retrieval", "index"):
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert "wrong.yaml" not in text and "lab.wrong" not in text, path
    for path in (ROOT / "experiments").rglob("*.py"):
        assert "wrong.library" not in path.read_text(encoding="utf-8"), path
