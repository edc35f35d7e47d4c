"""Prevents: a function that a model may have read, taken for one that is new; a data set of an old commit, or of
another repository of the same name, since the cache held its clone."""

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
from tests.support.projects import write_files

OLD = "int old(int a)\n{\n    return a;\n}\n\n/* Twice. */\nint new(int a)\n{\n    return a + a;\n}\n"


def _commit(root: Path, text: str, day: str) -> str:
    """Commit the text of a.c, and return the commit."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "a.c").write_text(text)
    who = {"NAME": "a", "EMAIL": "a@localhost", "DATE": f"{day}T12:00:00Z"}
    env = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    for words in (["init", "-q"], ["add", "a.c"], ["commit", "-qm", day]):
        subprocess.run(["git", "-C", str(root), *words], env={**os.environ, **env}, check=True)
    return _git(root, "rev-parse", "HEAD").strip()


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, text=True).stdout


def test_only_a_changed_body_counts_as_new(tmp_path: Path) -> None:
    root = tmp_path / "tree"
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


@pytest.mark.parametrize(("there", "left_out"), [(None, True), ("a/journal.jsonl", True), ("run.c", False)])
def test_runs_that_are_started_in_the_folder_are_no_part_of_it(
    tmp_path: Path, there: str | None, left_out: bool
) -> None:
    """With its own run in it the tree was another: no run could be continued, and answers lay before models."""
    root, cache = tmp_path / "tree", tmp_path / "cache"
    write_files(root, {"a.c": OLD, **({f"runs/{there}": ""} if there else {})})
    source = find_or_fetch_origin(str(root), None, None, cache).source
    recipe = find_recipe("example").model_copy(update={"name": "tree", "source": source})
    before = checkout_source(recipe, None, cache).root
    assert (before / "runs").exists() != left_out
    write_files(root, {"runs/b/journal.jsonl": "{}\n"})
    assert (checkout_source(recipe, None, cache).root == before) == left_out


def test_uncommitted_lines_are_no_others(tmp_path: Path) -> None:
    """Their numbers are those of other lines in git's history, or of none there."""
    root = tmp_path / "tree"
    _commit(root, OLD, "2024-05-01")
    (root / "a.c").write_text("/* One. */\n" * 8 + OLD)
    build_index(root, tmp_path / "index", workers=1)
    with closing(open_index(tmp_path / "index", root)) as index:
        source, day = RecipeSource(directory=str(root)), datetime.date(2024, 5, 1)
        is_recent = make_recent_change_predicate(day, "tree", source, None, tmp_path, index)
        for entry in index.functions:
            with pytest.raises(RecipeError, match=r"a\.c has changes that aren't committed: commit them"):
                is_recent(entry)


def test_a_history_of_one_commit_makes_nothing_new(tmp_path: Path) -> None:
    """In a shallow clone all lines are of its one commit: a checkout makes one in the cache, and users have them."""
    root, cache, short = tmp_path / "tree", tmp_path / "cache", tmp_path / "short"
    _commit(root, OLD, "2020-05-01")
    commit, day = _commit(root, OLD.replace("a + a", "2 * a"), "2024-05-01"), datetime.date(2024, 5, 1)
    # No folder that is looked at by its path.
    source = RecipeSource(url=f"file://localhost{root}", commit=commit)
    checkout_source(find_recipe("example").model_copy(update={"name": "tree", "source": source}), None, cache)
    assert (cache / "git" / "tree.git" / "shallow").is_file()
    build_index(root, tmp_path / "index", workers=1)
    with closing(open_index(tmp_path / "index", root)) as index:
        is_recent = make_recent_change_predicate(day, "tree", source, None, cache, index)
        assert [e.symbol.name for e in index.functions if is_recent(e)] == ["new"]
        subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{root}", short], check=True)
        with pytest.raises(RecipeError, match=r"whole git history, and .*short has its end alone"):
            make_recent_change_predicate(day, "tree", RecipeSource(directory=str(short)), None, cache, index)


def test_the_cache_s_clone_follows_its_address(tmp_path: Path) -> None:
    """A later commit, another repository of the same name, a branch, and the clone that a run made of one commit."""
    ours, theirs = tmp_path / "ours" / "tree", tmp_path / "theirs" / "tree"

    def find_commit(root: Path, rev: str | None = None) -> str | None:
        return find_or_fetch_origin(f"file://{root}", rev, None, tmp_path / "cache").source.commit

    first = _commit(ours, OLD, "2020-05-01")
    clone = tmp_path / "cache" / "git" / "tree.git"
    subprocess.run(["git", "init", "-q", "--bare", clone], check=True)
    _git(clone, "fetch", "-q", "--depth", "1", f"file://{ours}", first)
    assert find_commit(ours) == first
    second = _commit(ours, f"{OLD}int one;\n", "2020-05-02")
    _git(ours, "tag", "v1")
    assert find_commit(ours) == second
    assert _git(clone, "rev-list", "HEAD").split() == [second, first]
    other = _commit(theirs, "int two;\n", "2020-05-03")
    _git(theirs, "checkout", "-q", "-b", "feature")
    feature = _commit(theirs, "int three;\n", "2020-05-04")
    _git(theirs, "checkout", "-q", "-")
    assert [find_commit(theirs), find_commit(theirs, "feature")] == [other, feature]
    with pytest.raises(RecipeError, match="Needed a single revision"):
        find_commit(theirs, "v1")
    # What the first data set is made of isn't lost.
    assert second in _git(clone, "for-each-ref", "--format=%(objectname)")


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
