"""Checking out a source. Prevents: a tree that differs from the commit (changed line ends, a lost export-ignored file,
half a copy after a kill), which makes every gold of the repository wrong."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from executor.repository.recipe import Recipe, load_recipe
from executor.repository.source import checkout_source, choose_mirror_folder, is_source_at_hand
from index.errors import RecipeError
from tests.fixtures.rows import write_toy_recipe
from tests.support.engines import unavailable
from tests.support.projects import write_files

FILES = {
    "a.c": b"int a;\n",
    "dos.c": b"int b;\r\n",
    "sub/ignored.c": b"int c;\n",
    ".gitattributes": b"sub/ignored.c export-ignore\n",
}


def _git(folder: Path, *args: str) -> str:
    if shutil.which("git") is None:
        unavailable("git isn't installed")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *who, *args], cwd=folder, env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """An ordinary clone whose work tree has moved on from the pinned commit."""
    folder = write_files(tmp_path / "mirror" / "toy", {**FILES, "run.sh": "#!/bin/sh\n"})
    _git(folder, "init", "-q")
    (folder / "link").symlink_to("a.c")
    (folder / "run.sh").chmod(0o755)
    _git(folder, "add", "-A")
    _git(folder, "commit", "-qm", "pinned")
    return folder


@pytest.fixture
def commit(upstream: Path) -> str:
    return _git(upstream, "rev-parse", "HEAD")


def _recipe(tmp_path: Path, commit: str, url: str = "https://example.invalid/toy") -> Recipe:
    return load_recipe(write_toy_recipe(tmp_path / "recipes", f'{{url: "{url}", commit: "{commit}"}}'))


def _assert_whole(root: Path) -> None:
    for name, data in FILES.items():
        assert (root / name).read_bytes() == data
    assert (root / "link").readlink() == Path("a.c")
    assert os.access(root / "run.sh", os.X_OK)
    assert not (root / ".git").exists()


@pytest.mark.parametrize("kind", ["ordinary", "bare", "bare.git"])
def test_a_clone_gives_the_pinned_commit(
    tmp_path: Path, upstream: Path, commit: str, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    (upstream / "a.c").write_text("later\n")
    _git(upstream, "commit", "-qam", "later")
    (upstream / "uncommitted.c").write_text("x")
    if kind != "ordinary":
        bare = tmp_path / "bare" / ("toy.git" if kind == "bare.git" else "toy")
        _git(tmp_path, "clone", "-q", "--bare", str(upstream), str(bare))
    mirror = upstream.parent if kind == "ordinary" else tmp_path / "bare"
    tree = checkout_source(_recipe(tmp_path, commit), mirror, tmp_path / "cache")
    assert tree.root == tmp_path / "cache" / "sources" / f"toy-{commit[:12]}"
    assert (tree.commit, tree.notes) == (commit, ())
    _assert_whole(tree.root)
    assert not (tree.root / "uncommitted.c").exists()
    again = checkout_source(_recipe(tmp_path, commit), mirror, tmp_path / "cache")
    assert again == tree
    assert len(caplog.messages) == 1


def test_a_plain_tree_is_taken_but_not_believed(tmp_path: Path, upstream: Path, commit: str) -> None:
    (upstream / ".git").rename(tmp_path / "gone")
    recipe = _recipe(tmp_path, commit)
    tree = checkout_source(recipe, upstream.parent, tmp_path / "cache")
    assert tree.commit == ""
    assert "wasn't checked" in tree.notes[0]
    _assert_whole(tree.root)
    (upstream / "a.c").write_text("int edited;\n")
    edited = checkout_source(recipe, upstream.parent, tmp_path / "cache")
    assert edited.root != tree.root
    assert (tree.root / "a.c").read_bytes() == FILES["a.c"]


def test_upstream_is_fetched_once_and_then_not_asked(tmp_path: Path, upstream: Path, commit: str) -> None:
    recipe = _recipe(tmp_path, commit, url=str(upstream))
    tree = checkout_source(recipe, None, tmp_path / "cache")
    _assert_whole(tree.root)
    upstream.rename(tmp_path / "gone")
    assert checkout_source(recipe, None, tmp_path / "cache") == tree


def test_a_source_is_at_hand_where_nothing_has_to_be_fetched(
    tmp_path: Path, upstream: Path, commit: str, tiny_recipe: Recipe
) -> None:
    cache = tmp_path / "cache"
    recipe = _recipe(tmp_path, commit)
    assert not is_source_at_hand(recipe, None, cache)
    assert is_source_at_hand(recipe, upstream.parent, cache)
    checkout_source(recipe, upstream.parent, cache)
    assert is_source_at_hand(recipe, None, cache)
    assert is_source_at_hand(tiny_recipe, None, tmp_path / "empty")


def test_a_clone_without_the_commit_says_how_to_add_it(tmp_path: Path, upstream: Path) -> None:
    with pytest.raises(RecipeError, match=r"has no commit 0{40}; add it: git -C .* fetch"):
        checkout_source(_recipe(tmp_path, "0" * 40), upstream.parent, tmp_path / "cache")


def test_no_source_at_all_says_where_was_looked_and_how_to_give_one(tmp_path: Path) -> None:
    (tmp_path / "mirror").mkdir()
    recipe = _recipe(tmp_path, "0" * 40, url=str(tmp_path / "no-such"))
    with pytest.raises(RecipeError) as caught:
        checkout_source(recipe, tmp_path / "mirror", tmp_path / "cache")
    for word in (str(tmp_path / "mirror"), "--mirror", "GRAFT_MIRROR", "neither toy nor toy.git"):
        assert word in str(caught.value)
    with pytest.raises(RecipeError, match="no such folder"):
        checkout_source(recipe, tmp_path / "nowhere", tmp_path / "cache")


def test_contents_that_a_clone_lacks_are_left_out_only_where_the_recipe_says_so(
    tmp_path: Path, upstream: Path, commit: str
) -> None:
    blob = _git(upstream, "rev-parse", "HEAD:sub/ignored.c")
    (upstream / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    strict = _recipe(tmp_path, commit)
    with pytest.raises(RecipeError, match=r"lacks the content of sub/ignored\.c.*source\.may_lack"):
        checkout_source(strict, upstream.parent, tmp_path / "cache")
    source = strict.source.model_copy(update={"may_lack": ("sub/*",)})
    recipe = strict.model_copy(update={"source": source})
    tree = checkout_source(recipe, upstream.parent, tmp_path / "cache")
    assert tree.notes == ("left out, the clone lacks its content: sub/ignored.c",)
    assert not (tree.root / "sub" / "ignored.c").exists()
    assert (tree.root / "a.c").read_bytes() == FILES["a.c"]
    assert checkout_source(recipe, upstream.parent, tmp_path / "cache") == tree


def test_a_users_git_settings_dont_change_the_tree(
    tmp_path: Path, upstream: Path, commit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "gitconfig"
    settings.write_text("[core]\n\tautocrlf = true\n\tsymlinks = false\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    _assert_whole(checkout_source(_recipe(tmp_path, commit), upstream.parent, tmp_path / "cache").root)


def test_a_directory_is_copied_without_what_is_excluded(tiny_recipe: Recipe, tmp_path: Path) -> None:
    tree = checkout_source(tiny_recipe, None, tmp_path / "cache")
    assert sorted(path.name for path in tree.root.iterdir()) == ["Makefile", "calc.c", "calc.h", "test.c"]
    (tmp_path / "tree" / "build").mkdir()
    (tmp_path / "tree" / "build" / "stale.o").write_text("x")
    source = tiny_recipe.source.model_copy(update={"exclude": ("build",)})
    excluding = tiny_recipe.model_copy(update={"source": source})
    assert checkout_source(excluding, None, tmp_path / "cache").root == tree.root


def test_the_mirror_option_wins_over_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFT_MIRROR", str(tmp_path / "env"))
    assert choose_mirror_folder(tmp_path / "option") == tmp_path / "option"
    assert choose_mirror_folder() == tmp_path / "env"
    monkeypatch.delenv("GRAFT_MIRROR")
    assert choose_mirror_folder() is None
