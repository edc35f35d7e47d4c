"""Prevents: a damaged index that answers, or that a build doesn't mend."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from index.build import build_index
from index.errors import StaleIndexError
from index.repo_index import open_index
from index.store.manifest import FORMAT, MANIFEST
from index.values import Span, Target
from tests.support.indexes import FILES, Tree, content, database
from tests.support.projects import write_files


def damage_database(folder: Path) -> None:
    database(folder).write_bytes(b"not a database" * 100)


def cut_database(folder: Path) -> None:
    data = database(folder).read_bytes()
    database(folder).write_bytes(data[: len(data) // 2])


def remove_database(folder: Path) -> None:
    database(folder).unlink()


def damage_manifest(folder: Path) -> None:
    (folder / MANIFEST).write_text("{")


def other_format(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(manifest | {"format": FORMAT - 1}))


def damage_description(folder: Path) -> None:
    with closing(sqlite3.connect(database(folder))) as connection:
        (build,) = connection.execute("SELECT value FROM meta WHERE key='build'").fetchone()
    data = database(folder).read_bytes()
    assert build.encode() in data
    database(folder).write_bytes(data.replace(build.encode(), b"\xff" * len(build)))


def empty_database(folder: Path) -> None:
    path = database(folder)
    path.unlink()
    sqlite3.connect(path).close()


def _flip(data: bytearray, chance: random.Random) -> None:
    for _ in range(40):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _wipe(data: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(data))
    data[at : at + 8192] = b"\0" * len(data[at : at + 8192])


def _cut(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(len(data)) :]


def _head(data: bytearray, chance: random.Random) -> None:
    data[:100] = bytes(chance.randrange(256) for _ in range(100))


def _spoil_pages(data: bytearray, chance: random.Random) -> None:
    for page in range(2 * 4096, len(data), 4096):
        data[page : page + 200] = bytes([chance.randrange(256)]) * 200


class Sound(NamedTuple):
    """A tree, its index, and all that this says."""

    root: Path
    folder: Path
    says: list[tuple[object, ...]]

    def copy_index(self, folder: Path) -> Path:
        return Path(shutil.copytree(self.folder, folder / "index"))

    def assert_build_mends(self, folder: Path) -> None:
        build_index(self.root, folder, workers=1)
        assert content(folder, self.root) == self.says


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    folder = tmp_path_factory.mktemp("sound")
    texts = {f"f{i}.c": f"int f{i}(int a) {{ return f{i - 1}(a); }}\n" * 9 for i in range(40)}
    root, index = write_files(folder / "tree", texts), folder / "index"
    build_index(root, index, workers=1)
    return Sound(root, index, content(index, root))


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (damage_database, "rebuild"),
        (cut_database, "rebuild"),
        (remove_database, "build one"),
        (damage_manifest, "rebuild"),
        (damage_description, "rebuild"),
        (other_format, f"format {FORMAT - 1}.*rebuild"),
        (empty_database, "rebuild"),
    ],
)
def test_a_damaged_index_says_so_when_it_is_opened_and_a_build_mends_it(
    sound: Sound, tmp_path: Path, harm: Callable[[Path], None], message: str
) -> None:
    folder = sound.copy_index(tmp_path)
    harm(folder)
    with pytest.raises(StaleIndexError, match=message):
        open_index(folder, sound.root)
    sound.assert_build_mends(folder)


@pytest.mark.parametrize("harm", [_flip, _wipe, _cut, _head, _spoil_pages])
@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_database_is_an_error_and_a_build_mends_it(
    sound: Sound, tmp_path: Path, harm: Callable[[bytearray, random.Random], None], seed: int
) -> None:
    folder = sound.copy_index(tmp_path)
    data = bytearray(database(folder).read_bytes())
    harm(data, random.Random(seed))
    database(folder).write_bytes(bytes(data))
    with pytest.raises(StaleIndexError, match="rebuild"):
        content(folder, sound.root)
    sound.assert_build_mends(folder)


def test_an_index_of_an_earlier_graft_stays_readable(tree: Tree, tmp_path: Path) -> None:
    # Of the same format, with what is no longer written: a checksum in the manifest, a table of changes.
    root, folder = tree(FILES), tmp_path / "index"
    build_index(root, folder)
    sound = content(folder, root)
    connection = sqlite3.connect(database(folder))
    connection.execute("CREATE TABLE changes(number INTEGER PRIMARY KEY, before TEXT NOT NULL)")
    connection.close()
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(manifest | {"sum": 1}))
    assert content(folder, root) == sound
    (root / "a.c").write_text("int renamed(void) { return 1; }\n")
    assert build_index(root, folder).reparsed == 1
    build_index(root, tmp_path / "fresh")
    assert content(folder, root) == content(tmp_path / "fresh", root)


def test_damaged_arrays_are_made_again(tree: Tree, tmp_path: Path) -> None:
    root, folder = tree(FILES), tmp_path / "index"
    build_index(root, folder)
    target = Target("t", "a.c", Span(2, 2), "one", "", "", "c")
    index = open_index(folder, root)
    index.hide(target, "strict")
    index.close()
    (hashes,) = folder.glob("derived/runs-*/hashes.npy")
    hashes.write_bytes(b"short")
    index = open_index(folder, root)
    assert index.hide(target, "strict").clones == ()
    index.close()
