"""Runs of tokens: what tells a text that holds a part of a body from one that merely looks like it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from executor.values import Task
from index.cpp.tokens import tokenize

RUN = 12
Run = tuple[str, ...]


def list_runs(text: str, length: int = RUN) -> Iterator[Run]:
    found = tokenize(text)
    return (tuple(found[at : at + length]) for at in range(len(found) - length + 1))


def find_secret_runs(task: Task, root: Path, length: int = RUN) -> set[Run]:
    """The runs of the task's bodies that stand nowhere else in the tree: the bodies are cut out by their lines."""
    elsewhere: set[Run] = set()
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        lines = path.read_text(errors="replace").split("\n")
        for hole in task.target.holes:
            if path == root / hole.path:
                lines[hole.span.first : hole.span.last] = [""] * (hole.span.last - hole.span.first)
        elsewhere.update(list_runs("\n".join(lines), length))
    golds = (gold[gold.index("{") :] for gold in task.golds)
    return {run for gold in golds for run in list_runs(gold, length)} - elsewhere
