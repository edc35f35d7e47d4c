"""Rows of a data set, and a recipe of a repository that needs none: what tests of tasks and sources write."""

from __future__ import annotations

from pathlib import Path

from executor.tasks.task_row import TaskRow
from executor.values import Level


def make_row(**changes: object) -> TaskRow:
    """A row of the data set `mine`, with these fields in place of the usual ones."""
    values: dict[str, object] = {
        "id": "add",
        "repository": "demo",
        "path": "src/add.c",
        "first": 3,
        "code_length": 8,
        "name": "add",
        "docstring": "",
        "signature": "static int add(int a, int b)",
        "oracle": (),
        "dataset_gold": None,
        "level": Level.NONE,
        "dataset": "mine",
        "dataset_version": "1",
        "language": "c",
        "origin": "mine.csv row 7",
    }
    return TaskRow(**(values | changes))  # type: ignore[arg-type]


TOY_RECIPE = """\
name: toy
display: Toy
languages: [c]
source: SOURCE
build: {commands: [make], goals: [toy]}
suites:
  - {name: all, argv: [./toy], parser: lines}
parsers:
  lines: {passed: '^ok (?P<name>.*)$'}
tests: {default: [all]}
"""


def write_toy_recipe(folder: Path, source: str) -> Path:
    """The recipe of `toy` below `folder`, with this source. Its path."""
    path = folder / "toy" / "recipe.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TOY_RECIPE.replace("SOURCE", source))
    return path
