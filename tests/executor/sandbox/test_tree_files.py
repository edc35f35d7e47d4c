"""Prevents: a tree in which the next run of tests finds what an earlier one left."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from executor.sandbox.tree_files import restore_folder


def test_the_tree_is_put_back_whatever_was_done_to_it(tmp_path: Path) -> None:
    wanted, tree = tmp_path / "wanted", tmp_path / "tree"
    (wanted / "a" / "deep").mkdir(parents=True)
    for name in ("a/one", "a/deep/two", "three", "a/gone", "a/folder-now"):
        (wanted / name).write_text(name)
        os.utime(wanted / name, (1_000_000, 1_000_000))
    (wanted / "link").symlink_to("three")
    shutil.copytree(wanted, tree, symlinks=True)
    marker = tmp_path / "marker"
    marker.touch()
    since = marker.stat().st_ctime_ns
    stamp = (tree / "a/one").stat()
    (tree / "a/one").write_text("ONE")
    os.utime(tree / "a/one", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    (tree / "a/gone").unlink()
    (tree / "a/folder-now").unlink()
    (tree / "a/folder-now").mkdir()
    (tree / "a/folder-now/x").touch()
    (tree / "new").mkdir()
    (tree / "new/file").touch()
    (tree / "link").unlink()
    (tree / "link").symlink_to("/etc/passwd")
    (tree / "a/deep").chmod(0o700)
    restore_folder(wanted, tree, since)

    def state(folder: Path) -> dict[str, tuple[object, ...]]:
        found = {}
        for path in sorted(folder.rglob("*")):
            is_plain = path.is_file() and not path.is_symlink()
            content = path.read_text() if is_plain else path.readlink() if path.is_symlink() else None
            found[str(path.relative_to(folder))] = (path.lstat().st_mode, content, is_plain and path.stat().st_mtime)
        return found

    assert state(tree) == state(wanted)
