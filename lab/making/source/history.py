"""When a function's body was last changed, by git."""

from __future__ import annotations

import datetime
import functools
import subprocess
from collections.abc import Callable
from pathlib import Path

from executor.repository.recipe import RecipeSource
from index.errors import RecipeError
from index.repo_index import RepoIndex
from index.values import Entry
from lab.making.source.origin import find_clone_and_commit

IsRecent = Callable[[Entry], bool]


def make_recent_change_predicate(
    day: datetime.date, name: str, source: RecipeSource, mirror: Path | None, cache: Path, index: RepoIndex
) -> IsRecent:
    """Tells of a function whether a line of its body was changed on this day or later (committer's date, UTC). Raises
    RecipeError when the source has no history."""
    clone, commit = find_clone_and_commit(name, source, mirror, cache)

    @functools.cache
    def find_last_file_commit_date(path: str) -> datetime.date | None:
        return _find_last_commit_date(clone, commit, "--", path)

    def is_recent(entry: Entry) -> bool:
        symbol = entry.symbol
        date = find_last_file_commit_date(symbol.path)
        if date is None or date < day:
            return False
        first = index.read_file(symbol.path)[: entry.body].count(b"\n") + 1
        changed = _find_last_commit_date(clone, commit, f"-L{first},{symbol.span.last}:{symbol.path}")
        return changed is not None and changed >= day

    return is_recent


def _find_last_commit_date(clone: Path, commit: str, *words: str) -> datetime.date | None:
    argv = ["git", "-C", str(clone), "log", "-1", "-s", "--format=%ct", commit, *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RecipeError(f"{clone}: git log: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}")
    stamp = done.stdout.strip().split("\n")[0]
    return datetime.datetime.fromtimestamp(int(stamp), datetime.UTC).date() if stamp else None
