"""Checking out a source. Prevents: a tree that differs from the commit (changed line ends, a lost export-ignored file,
half a copy after a kill), which makes every gold of the repository wrong; half an archive, or another than the
recipe's, under the recipe's name; the version of a signature's program taken for the package's; of two commands that
fetch apt's lists at once, one that ends with "Unable to lock directory"."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from executor.repository.apt import list_binary_package_names, read_one_line_dsc_fields
from executor.repository.recipe import Recipe, load_recipe
from executor.repository.source import SourceTree, checkout_source, choose_mirror_folder, is_source_at_hand
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
    tmp_path: Path,
    upstream: Path,
    commit: str,
    kind: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (upstream / "a.c").write_text("later\n")
    _git(upstream, "commit", "-qam", "later")
    (upstream / "uncommitted.c").write_text("x")
    # No user's settings of git change the tree.
    (tmp_path / "gitconfig").write_text("[core]\n\tautocrlf = true\n\tsymlinks = false\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    if kind != "ordinary":
        bare = tmp_path / "bare" / ("toy.git" if kind == "bare.git" else "toy")
        _git(tmp_path, "clone", "-q", "--bare", str(upstream), str(bare))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
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


def test_upstream_is_fetched_once_and_then_not_asked(
    tmp_path: Path, upstream: Path, commit: str, tiny_recipe: Recipe
) -> None:
    cache, recipe = tmp_path / "cache", _recipe(tmp_path, commit, url=str(upstream))
    at_hand = [is_source_at_hand(tiny_recipe, None, cache)]
    at_hand += [is_source_at_hand(recipe, mirror, cache) for mirror in (None, upstream.parent)]
    assert at_hand == [True, False, True]
    tree = checkout_source(recipe, None, cache)
    _assert_whole(tree.root)
    upstream.rename(tmp_path / "gone")
    assert is_source_at_hand(recipe, None, cache)
    assert checkout_source(recipe, None, cache) == tree


def test_two_commands_fetch_from_upstream_one_after_the_other(
    tmp_path: Path, upstream: Path, commit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: of two runs that begin at once, one that ends with "Unable to create shallow.lock"."""
    ssh = write_files(tmp_path / "bin", {"ssh": f"#!/bin/sh\nsleep 0.5\nexec git-upload-pack {upstream}\n"}) / "ssh"
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{ssh.parent}:{os.environ['PATH']}")
    recipe = _recipe(tmp_path, commit, url="host:toy")
    with ThreadPoolExecutor(2) as pool:
        trees = list(pool.map(lambda _: checkout_source(recipe, None, tmp_path / "cache"), range(2)))
    assert trees[0] == trees[1]
    _assert_whole(trees[0].root)


def test_a_commit_or_a_source_that_is_missing_says_where_was_looked_and_how_to_give_one(
    tmp_path: Path, upstream: Path
) -> None:
    with pytest.raises(RecipeError, match=r"has no commit 0{40}; add it: git -C .* fetch"):
        checkout_source(_recipe(tmp_path, "0" * 40), upstream.parent, tmp_path / "cache")
    upstream.rename(tmp_path / "gone")
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


def test_a_directory_is_copied_without_what_is_excluded(tiny_recipe: Recipe, tmp_path: Path) -> None:
    tree = checkout_source(tiny_recipe, None, tmp_path / "cache")
    assert sorted(path.name for path in tree.root.iterdir()) == ["Makefile", "calc.c", "calc.h", "test.c"]
    # As a killed server leaves it. To read it would wait for ever.
    os.mkfifo(tmp_path / "tree" / "pipe")
    (tmp_path / "tree" / "build").mkdir()
    (tmp_path / "tree" / "build" / "stale.o").write_text("x")
    source = tiny_recipe.source.model_copy(update={"exclude": ("build",)})
    excluding = tiny_recipe.model_copy(update={"source": source})
    assert checkout_source(excluding, None, tmp_path / "cache").root == tree.root
    (tmp_path / "tree" / "more.c").touch()
    assert not (checkout_source(excluding, None, tmp_path / "cache").root / "pipe").exists()


def test_the_mirror_option_wins_over_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFT_MIRROR", str(tmp_path / "env"))
    assert choose_mirror_folder(tmp_path / "option") == tmp_path / "option"
    assert choose_mirror_folder() == tmp_path / "env"
    monkeypatch.delenv("GRAFT_MIRROR")
    assert choose_mirror_folder() is None


def _archive(folder: Path, text: str = "int a;\n") -> Path:
    names = [f"toy-1.0/{name}" for name in ("lib/a.c", "test/big.txt", "test/small/t.txt")]
    return _pack(folder, dict.fromkeys(names, text))


def _pack(folder: Path, files: Mapping[str, str]) -> Path:
    """The archive of these files, in the mirror."""
    inside = write_files(folder / "build", files)
    path = folder / "mirror" / "toy_1.0.orig.tar.gz"
    path.parent.mkdir(exist_ok=True)
    with tarfile.open(path, "w:gz") as tar:
        for top in inside.iterdir():
            tar.add(top, top.name)
    return path


def _package_recipe(folder: Path, archive: Path, paths: str = "[lib, test/small]") -> Recipe:
    write_files(folder / "recipes/toy/files", {"extra/run.sh": "exit 0\n"})
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    source = f"{{package: toy, version: '1.0-2', sha256: '{digest}', paths: {paths}, files: files}}"
    return load_recipe(write_toy_recipe(folder / "recipes", source))


def _check_out(folder: Path, archive: Path, paths: str = "[lib, test/small]") -> SourceTree:
    return checkout_source(_package_recipe(folder, archive, paths), archive.parent, folder / "cache")


def _list_tree(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def test_the_named_paths_and_the_recipes_own_files(tmp_path: Path) -> None:
    archive = _archive(tmp_path)
    source = _check_out(tmp_path, archive)
    assert _list_tree(source.root) == ["extra/run.sh", "lib/a.c", "test/small/t.txt"]
    assert source.origin == "source package toy 1.0-2"
    recipe = _package_recipe(tmp_path, archive)
    assert checkout_source(recipe, None, tmp_path / "cache") == source
    (recipe.folder / "files" / "extra" / "run.sh").write_text("exit 1\n")
    changed = checkout_source(recipe, archive.parent, tmp_path / "cache")
    assert changed.root != source.root
    assert (changed.root / "extra" / "run.sh").read_text() == "exit 1\n"
    with pytest.raises(RecipeError, match=r"source\.paths: .*no-such"):
        _check_out(tmp_path, archive, paths="[lib, no-such]")


def test_an_archive_without_a_folder_of_its_own_is_the_tree(tmp_path: Path) -> None:
    for top, inside in (("", ["src/a.c", "test/t.c"]), ("toy-1.0/", ["toy-1.0/a.c"]), ("toy/", ["a.c"])):
        home = tmp_path / f"at {top}"
        source = _check_out(home, _pack(home, {f"{top}{name}": "int a;\n" for name in inside}), paths="[]")
        assert _list_tree(source.root) == sorted([*inside, "extra/run.sh"])


def test_debians_patches_are_applied_in_the_order_of_their_series(tmp_path: Path) -> None:
    archive = _archive(tmp_path)
    patches = {
        "series": "# first this\nb.diff\n\na.diff -p0\n",
        "b.diff": "--- x/lib/a.c\n+++ y/lib/a.c\n@@ -1 +1 @@\n-int a;\n+int b;\n",
        "a.diff": "--- lib/a.c\n+++ lib/a.c\n@@ -1 +1 @@\n-int b;\n+int c;\n"
        "--- /dev/null\n+++ lib/new.c\n@@ -0,0 +1 @@\n+int n;\n",
    }
    folder = write_files(tmp_path / "debian" / "patches", patches)

    def patched() -> Recipe:
        part = archive.parent / "toy_1.0-2.debian.tar.xz"
        with tarfile.open(part, "w:xz") as tar:
            tar.add(tmp_path / "debian", "debian")
        path = _package_recipe(tmp_path, archive).folder / "recipe.yaml"
        digest = hashlib.sha256(part.read_bytes()).hexdigest()
        path.write_text(path.read_text().replace("paths:", f"debian_sha256: '{digest}', paths:"))
        return load_recipe(path)

    plain = _check_out(tmp_path, archive)
    found = checkout_source(patched(), archive.parent, tmp_path / "cache")
    assert found.root != plain.root
    assert (found.root / "lib" / "a.c").read_text() == "int c;\n"
    assert not list(found.root.rglob("*.orig"))
    # One time for all of them: else make would make one again of the other.
    times = {name: (found.root / "lib" / name).stat().st_mtime_ns for name in ("a.c", "new.c")}
    assert times["a.c"] == times["new.c"] > (plain.root / "lib" / "a.c").stat().st_mtime_ns
    (folder / "series").write_text("a.diff -p0\n")
    with pytest.raises(RecipeError, match=r"Debian's patch a\.diff doesn't fit: .*FAILED"):
        checkout_source(patched(), archive.parent, tmp_path / "cache")


def test_another_archive_of_the_same_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = _archive(tmp_path)
    recipe = _package_recipe(tmp_path, archive)
    _archive(tmp_path, "int b;\n")
    # No apt-get there: nothing is fetched in a test.
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(RecipeError, match=r"no archive toy_1\.0\.orig\.tar\.\* with the recipe's sha256.*--mirror"):
        checkout_source(recipe, archive.parent, tmp_path / "cache")
    assert not list((tmp_path / "cache" / "sources").glob("toy*"))


def test_lists_that_another_command_fetches_are_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    # apt's own lock: a second `update` is refused while the first one works.
    apt_get = """#!/bin/sh
case "$*" in
  *indextargets*) echo "bookworm|main|http://example.org/debian|none:1";;
  *update*) mkdir lists/lock || exit 100; sleep 0.3; touch lists/a_Sources; rmdir lists/lock; echo update >> log;;
esac
"""
    for name, text in (("apt-get", apt_get), ("apt-cache", "#!/bin/sh\necho toy\n")):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setattr("executor.sandbox.base._read_binary_keyring_path", lambda entry: None)
    with ThreadPoolExecutor(4) as pool:
        names = list(pool.map(lambda _: list_binary_package_names(tmp_path), range(4)))
    assert names == [frozenset({"toy"})] * 4
    assert (tmp_path / "apt" / "bookworm" / "log").read_text() == "update\n"


_SIGNED = """\
-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

Format: 3.0 (quilt)
Source: toy
Version: 1:1.0-2
Package-List:
 toy deb net extra arch=any

-----BEGIN PGP SIGNATURE-----
Version: GnuPG v1.4.12 (GNU/Linux)

iQIcBAEBCAAGBQJYSIb2AAoJELCi8amz5hIsP0YQ
-----END PGP SIGNATURE-----
"""


def test_the_version_is_the_packages() -> None:
    fields = read_one_line_dsc_fields(_SIGNED)
    assert (fields["Source"], fields["Version"]) == ("toy", "1:1.0-2")
