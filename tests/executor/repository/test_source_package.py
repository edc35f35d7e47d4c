"""Source packages. Prevents: half an archive, or another than the recipe's, under the recipe's name; the version of a
signature's program taken for the package's; of two commands that fetch apt's lists at once, one that ends with "Unable
to lock directory"."""

from __future__ import annotations

import hashlib
import os
import tarfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from executor.repository.apt import list_package_names, read_dsc_fields
from executor.repository.recipe import Recipe, load_recipe
from executor.repository.source import checkout_source
from index.errors import RecipeError
from tests.fixtures.rows import write_toy_recipe
from tests.support.projects import write_files


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


def _recipe(folder: Path, archive: Path, paths: str = "[lib, test/small]") -> Recipe:
    write_files(folder / "recipes/toy/files", {"extra/run.sh": "exit 0\n"})
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    source = f"{{package: toy, version: '1.0-2', sha256: '{digest}', paths: {paths}, files: files}}"
    return load_recipe(write_toy_recipe(folder / "recipes", source))


def _list_tree(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def test_the_named_paths_and_the_recipes_own_files(tmp_path: Path) -> None:
    archive = _archive(tmp_path)
    source = checkout_source(_recipe(tmp_path, archive), archive.parent, tmp_path / "cache")
    assert _list_tree(source.root) == ["extra/run.sh", "lib/a.c", "test/small/t.txt"]
    assert source.origin == "source package toy 1.0-2"
    again = checkout_source(_recipe(tmp_path, archive), None, tmp_path / "cache")
    assert again == source


def test_an_archive_without_a_folder_of_its_own_is_the_tree(tmp_path: Path) -> None:
    for top, inside in (("", ["src/a.c", "test/t.c"]), ("toy-1.0/", ["toy-1.0/a.c"]), ("toy/", ["a.c"])):
        home = tmp_path / f"at {top}"
        archive = _pack(home, {f"{top}{name}": "int a;\n" for name in inside})
        source = checkout_source(_recipe(home, archive, paths="[]"), archive.parent, home / "cache")
        assert _list_tree(source.root) == sorted([*inside, "extra/run.sh"])


def test_a_changed_file_of_the_recipe_is_another_source(tmp_path: Path) -> None:
    archive = _archive(tmp_path)
    recipe = _recipe(tmp_path, archive)
    before = checkout_source(recipe, archive.parent, tmp_path / "cache")
    (recipe.folder / "files" / "extra" / "run.sh").write_text("exit 1\n")
    after = checkout_source(recipe, archive.parent, tmp_path / "cache")
    assert before.root != after.root
    assert (after.root / "extra" / "run.sh").read_text() == "exit 1\n"


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
        path = _recipe(tmp_path, archive).folder / "recipe.yaml"
        digest = hashlib.sha256(part.read_bytes()).hexdigest()
        path.write_text(path.read_text().replace("paths:", f"debian_sha256: '{digest}', paths:"))
        return load_recipe(path)

    plain = checkout_source(_recipe(tmp_path, archive), archive.parent, tmp_path / "cache")
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
    recipe = _recipe(tmp_path, archive)
    _archive(tmp_path, "int b;\n")
    # No apt-get there: nothing is fetched in a test.
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(RecipeError, match=r"no archive toy_1\.0\.orig\.tar\.\* with the recipe's sha256.*--mirror"):
        checkout_source(recipe, archive.parent, tmp_path / "cache")
    assert not list((tmp_path / "cache" / "sources").glob("toy*"))


def test_a_path_that_the_archive_lacks_is_named(tmp_path: Path) -> None:
    archive = _archive(tmp_path)
    with pytest.raises(RecipeError, match=r"source\.paths: .*no-such"):
        checkout_source(_recipe(tmp_path, archive, paths="[lib, no-such]"), archive.parent, tmp_path / "cache")


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
    monkeypatch.setattr("executor.sandbox.base._read_keyring_path", lambda entry: None)
    with ThreadPoolExecutor(4) as pool:
        names = list(pool.map(lambda _: list_package_names(tmp_path), range(4)))
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
    fields = read_dsc_fields(_SIGNED)
    assert (fields["Source"], fields["Version"]) == ("toy", "1:1.0-2")
