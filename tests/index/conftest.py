"""Small trees written by the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from index.repo_index import RepoIndex
from index.values import Target
from tests.support.indexes import Files
from tests.support.projects import write_files


@pytest.fixture
def tree(tmp_path: Path) -> Callable[[Files], Path]:
    """Writes files under one root."""
    return lambda files: write_files(tmp_path / "tree", files)


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
