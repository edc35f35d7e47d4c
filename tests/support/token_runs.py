"""Runs of tokens: what tells a text that holds a part of a body from one that merely looks like it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from pathlib import Path

from executor.values import Task
from index.cpp.tokens import tokenize
from index.repo_index import RepoIndex
from index.values import Span

RUN = 12
Run = tuple[str, ...]


def list_runs(text: str, length: int = RUN) -> Iterator[Run]:
    found = tokenize(text)
    return (tuple(found[at : at + length]) for at in range(len(found) - length + 1))


def count_runs_in_tree(index: RepoIndex, wanted: Set[Run] | None = None) -> Counter[Run]:
    """How often each run stands in the tree; of all runs, or of those wanted."""
    counted: Counter[Run] = Counter()
    for path, file in index.files.items():
        if not file.reason:
            text = index.read_file(path).decode("utf-8", "replace")
            counted.update(run for run in list_runs(text) if wanted is None or run in wanted)
    return counted


def read_lines(index: RepoIndex, path: str, span: Span) -> str:
    """The lines as they stand in the file: no code under test cuts them out."""
    text = index.read_file(path).decode("utf-8", "replace").split("\n")
    return "\n".join(text[span.first - 1 : span.last])


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
