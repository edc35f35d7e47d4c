"""Prevents: a function that a model may have read, taken for one that is new."""

from __future__ import annotations

import datetime
import os
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from executor.cache import cache_root
from executor.repository.recipe import RecipeSource, find_recipe
from executor.repository.source import checkout_source
from index.build import build_index
from index.errors import RecipeError
from index.repo_index import open_index
from lab.making.source.origin import find_or_fetch_origin, make_recent_change_predicate
from tests.support.engines import require_mirror

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
    origin = find_or_fetch_origin(str(root), "HEAD", None, tmp_path / "cache")
    build_index(root, tmp_path / "index", workers=1)
    with closing(open_index(tmp_path / "index", root)) as index:
        new = {}
        for day in (datetime.date(2024, 5, 1), datetime.date(2024, 5, 2)):
            is_recent = make_recent_change_predicate(day, "tree", origin.source, None, tmp_path / "cache", index)
            new[day.day] = [e.symbol.name for e in index.functions if is_recent(e)]
        assert new == {1: ["new"], 2: []}
        with pytest.raises(RecipeError, match=r"choose.since needs the source's git history, and there is none"):
            plain = RecipeSource(directory=str(tmp_path))
            make_recent_change_predicate(datetime.date(2024, 5, 1), "x", plain, None, tmp_path, index)


@pytest.mark.real
def test_redis_says_the_same_by_its_blame(tmp_path: Path) -> None:
    """A line that blame gives to a later commit is a change that log -L must see; only what was deleted shows there
    alone."""
    mirror = require_mirror("redis")
    commit, day = "493e31e3ad299c99cbb96b8581b7598b19b23892", datetime.date(2021, 1, 1)
    recipe = find_recipe("redis")
    root = checkout_source(recipe, mirror, cache_root()).root
    build_index(root, tmp_path / "index")
    with closing(open_index(tmp_path / "index", root)) as index:
        is_recent = make_recent_change_predicate(day, "redis", recipe.source, mirror, tmp_path, index)
        new = 0
        for entry in [e for e in index.functions if e.symbol.path == "src/listpack.c" and e.body > 0][:20]:
            span = entry.symbol.span
            first = index.read_file(entry.symbol.path)[: entry.body].count(b"\n") + 1
            argv = ["git", "-C", str(mirror / "redis"), "blame", "--line-porcelain", f"-L{first},{span.last}", commit]
            done = subprocess.run([*argv, "--", entry.symbol.path], capture_output=True, check=True)
            days = [int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith(b"committer-time ")]
            blamed = datetime.datetime.fromtimestamp(max(days), datetime.UTC).date() >= day
            assert is_recent(entry) >= blamed, entry.symbol.name
            new += is_recent(entry)
        assert 0 < new < 20
