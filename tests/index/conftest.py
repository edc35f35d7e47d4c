"""Small trees written by the tests, indexed for real."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from index.build import build_index
from index.repo_index import RepoIndex, open_index
from index.values import Target
from tests.support.indexes import Files


def write_tree(root: Path, files: Files) -> Path:
    for path, text in files.items():
        full = root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text.encode() if isinstance(text, str) else text)
    return root


@pytest.fixture
def tree(tmp_path: Path) -> Callable[[Files], Path]:
    """Writes files under one root."""
    return lambda files: write_tree(tmp_path / "tree", files)


@pytest.fixture
def indexed(tmp_path: Path) -> Iterator[Callable[[Files], RepoIndex]]:
    """Writes files, indexes them and opens the index."""
    opened: list[RepoIndex] = []

    def make(files: Files) -> RepoIndex:
        root = write_tree(tmp_path / "tree", files)
        build_index(root, tmp_path / "index", workers=1)
        opened.append(open_index(tmp_path / "index", root))
        return opened[-1]

    yield make
    for index in opened:
        index.close()


@pytest.fixture
def target_at() -> Callable[[RepoIndex, str, str], Target]:
    """The target that the index itself finds: (index, path, qualified name)."""

    def make(index: RepoIndex, path: str, name: str) -> Target:
        entry = next(
            e for e in index.entries_in_file(path) if e.symbol.qualified_name == name and e.symbol.kind == "function"
        )
        s = entry.symbol
        return Target("tiny", path, s.span, name, s.signature, s.docstring, s.language)

    return make
