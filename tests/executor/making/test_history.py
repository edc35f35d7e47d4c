"""Prevents: a function that a model may have read, taken for one that is new."""

from __future__ import annotations

import datetime
import os
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from executor.making.history import changed_since
from executor.making.origin import find_origin
from executor.repository.recipe import RecipeSource
from index.build import build_index
from index.errors import RecipeError
from index.repo_index import open_index

OLD = "int old(int a)\n{\n    return a;\n}\n\n/* Twice. */\nint new(int a)\n{\n    return a + a;\n}\n"


def _commit(root: Path, text: str, day: str) -> None:
    (root / "a.c").write_text(text)
    who = {"NAME": "a", "EMAIL": "a@localhost", "DATE": f"{day}T12:00:00Z"}
    env = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    for words in (["init", "-q"], ["add", "a.c"], ["commit", "-qm", day]):
        subprocess.run(["git", "-C", str(root), *words], env={**os.environ, **env}, check=True)


def test_only_a_changed_body_counts_as_new(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    _commit(root, OLD, "2020-05-01")
    # The first function moves and gets a comment; the second one's body changes.
    _commit(root, "/* A comment. */\n" + OLD.replace("a + a", "2 * a"), "2024-05-01")
    origin = find_origin(str(root), "HEAD", None, tmp_path / "cache")
    build_index(root, tmp_path / "index", workers=1)
    with closing(open_index(tmp_path / "index", root)) as index:
        new = {}
        for day in (datetime.date(2024, 5, 1), datetime.date(2024, 5, 2)):
            is_recent = changed_since(day, "tree", origin.source, None, tmp_path / "cache", index)
            new[day.day] = [e.symbol.name for e in index.functions if is_recent(e)]
        assert new == {1: ["new"], 2: []}
        with pytest.raises(RecipeError, match=r"choose.since needs the source's git history, and there is none"):
            plain = RecipeSource(directory=str(tmp_path))
            changed_since(datetime.date(2024, 5, 1), "x", plain, None, tmp_path, index)
