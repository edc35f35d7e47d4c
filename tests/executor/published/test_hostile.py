"""Archives and records that somebody made to harm who fetches them. Prevents: a file or a link that is written outside
of the tree, a file that gains rights, a memory or a disk that an archive of some KB fills, a sandbox on the machine's
own root, and a traceback instead of a refusal."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import zstandard
from typer.testing import CliRunner

from executor.published.archive import MAGIC, ArchiveError, unpack_tree
from executor.published.images import (
    BaseRecord,
    _ensure_matching_base,
    find_image_faults,
    find_published_source_tree_faults,
    list_stored_sources,
    pull_source,
)
from executor.published.store_place import StoreError, StorePlace, open_store
from lab.cli.app import app
from tests.fixtures.executor_fixtures import Tiny

MIB = 2**20
Forged = tuple[str, bytes]


def _file(path: str, data: bytes = b"x", start: int = 0, **more: int) -> list[object]:
    size, mode, mtime = more.get("size", len(data)), more.get("mode", 0o644), more.get("mtime", 1)
    return ["file", path, mode, mtime, 0, 0, size, hashlib.sha256(data).hexdigest(), start]


def _link(path: str, to: str) -> list[object]:
    return ["link", path, 0o777, 1, 0, 0, 0, to, 0]


def _forged(entries: list[list[object]], data: bytes = b"x", frames: list[list[int]] | None = None) -> Forged:
    """An archive of these entries, and its digest."""
    press = zstandard.ZstdCompressor()
    body = press.compress(data)
    index = json.dumps([entries, [[0, 0, len(body)]] if frames is None else frames]).encode()
    packed = press.compress(index)
    return hashlib.sha256(index).hexdigest(), body + packed + len(packed).to_bytes(8, "big") + MAGIC


HOSTILE = {
    "an absolute path": _forged([_file("/graft-was-here")]),
    "a path upwards": _forged([_file("a/../../graft-was-here")]),
    "a folder upwards": _forged([["folder", "..", 0o755, 1, 0, 0, 0, "", 0]]),
    "a link through a link": _forged([_link("out", "../out"), _link("out/graft-was-here", "/etc/passwd")]),
    "a file through a link": _forged([_link("out", "../out"), _file("out/graft-was-here")]),
    "a name twice": _forged([_file("a"), _file("a", start=1)], b"xx"),
    "the tree itself": _forged([_file(".")]),
    "no name": _forged([_file("")]),
    "a device": _forged([["device", "a", 0o644, 1, 0, 0, 0, "", 0]]),
    "a mode beyond an int": _forged([_file("a", mode=1 << 70)]),
    "a time beyond an int": _forged([_file("a", mtime=1 << 80)]),
    "less than nothing": _forged([_file("a", size=-1)]),
    "more than there is": _forged([_file("a", size=1 << 60)]),
    "no frame": _forged([_file("a")], frames=[]),
    "a frame before the file": _forged([_file("a")], frames=[[0, -5, 10]]),
    "a frame without end": _forged([_file("a")], frames=[[0, 0, -1]]),
    "one text as many files": _forged([_file(f"f{n}", bytes(MIB)) for n in range(9)], bytes(MIB)),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_archive_is_refused_by_name_and_writes_nothing_elsewhere(what: str, tmp_path: Path) -> None:
    digest, data = HOSTILE[what]
    tree, out = tmp_path / "tree", tmp_path / "out"
    tree.mkdir()
    out.mkdir()
    with pytest.raises(ArchiveError, match=r"refused|damaged|of another version"):
        unpack_tree(io.BytesIO(data), digest, tree, owner=None, keep_owners=False)
    assert list(out.iterdir()) == []
    assert not Path("/graft-was-here").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "tree"]


def test_some_kib_fill_no_memory(tmp_path: Path) -> None:
    digest, frame = _forged([_file("a", b"\0")], bytes(64 * MIB))
    packed = zstandard.ZstdCompressor().compress(b"[" + b" " * 130 * MIB)
    index = packed + len(packed).to_bytes(8, "big") + MAGIC
    for data in (frame, index):
        assert len(data) < 8192
        with pytest.raises(ArchiveError, match="refused: a part of it unpacks to more than"):
            unpack_tree(io.BytesIO(data), digest, tmp_path, owner=None, keep_owners=False)


def test_an_archive_of_the_forger_is_read_and_no_file_gains_rights_by_its_mode(tmp_path: Path) -> None:
    """So others are refused for what is hostile in them alone."""
    folder, su = ["folder", "d", 0o755, 1, 0, 0, 0, "", 0], _file("d/su", mode=0o6755)
    digest, data = _forged([folder, su, _link("l", "d/su")])
    unpack_tree(io.BytesIO(data), digest, tmp_path, owner=None, keep_owners=False)
    assert (tmp_path / "l").stat().st_mode & 0o7777 == 0o755


def _put(stored: StorePlace, digest: str, data: bytes) -> None:
    path = Path(stored.root, "archives", digest[:2], f"{digest}.graft")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)


def _forge_part(record: Path, part: str, digest: str, size: int) -> None:
    """Write into an image's or a source's record that the part is this archive."""
    forged = {part: {"archive": digest, "unpacked_bytes": size}}
    record.write_text(json.dumps(json.loads(record.read_text()) | forged))


def test_an_image_whose_archive_leads_out_is_neither_fetched_nor_called_whole(
    tiny: Tiny, stored: StorePlace, record: Path, machine: SimpleNamespace, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    digest, data = _forged([_link("a", str(out)), _link("a/evil", "/etc/passwd")])
    _put(stored, digest, data)
    _forge_part(record, "tree", digest, 0)
    with pytest.raises(ArchiveError, match="refused: 'a/evil' leads out of its tree"):
        machine.pull(stored)
    assert list(out.iterdir()) == []
    assert any("leads out" in line for line in find_image_faults(stored, "process", tiny.image.key))
    ended = CliRunner(env={"GRAFT_STORE": stored.root}).invoke(app, ["images", "verify", "--sandbox", "process"])
    assert ended.exit_code == 1 and "leads out of its tree" in ended.stdout


BIG = _forged([_file("big", bytes(4 * MIB))], bytes(4 * MIB))


@pytest.mark.parametrize(
    ("part", "archive", "size", "message"),
    [
        # Room is made for what an archive really unpacks to.
        ("tree", BIG, 10, "refused: it unpacks to 4194304 bytes, and its record says 10"),
        # Only what belongs to an image is kept beside it.
        ("known", _forged([_file("speed.json")]), 1, "refused: 'speed.json' is no part of an image"),
        ("known", _forged([_link("expected-1.json", "/etc/passwd")], b""), 0, "refused: 'expected-1.json' is no part"),
        # An archive's name is no path.
        ("tree", ("../../etc/passwd", None), 1, "damaged, or of another version"),
    ],
    ids=["too big", "another file", "a link", "a path"],
)
def test_an_image_that_was_forged_is_refused_by_name_and_nothing_is_kept(
    tiny: Tiny,
    stored: StorePlace,
    record: Path,
    machine: SimpleNamespace,
    part: str,
    archive: Any,
    size: int,
    message: str,
) -> None:
    if archive[1] is not None:
        _put(stored, *archive)
    _forge_part(record, part, archive[0], size)
    with pytest.raises(StoreError, match=message):
        machine.pull(stored)
    assert machine.backend.images() == []
    assert archive is not BIG or any(
        "refused" in line for line in find_image_faults(stored, "process", tiny.image.key)
    )


def test_no_image_stands_on_the_machines_own_root(tmp_path: Path) -> None:
    cache, place = tmp_path / "cache", open_store(str(tmp_path / "store"))
    with pytest.raises(StoreError, match="refused: the image stands on /, which is this machine's own"):
        _ensure_matching_base(Path("/"), BaseRecord(name="/", digest="", tree=None), cache, place)


def test_a_damaged_source_is_found_too_and_none_leads_to_the_readers_own_files(
    stored: StorePlace, tmp_path: Path
) -> None:
    (name,) = list_stored_sources(stored)
    assert list(find_published_source_tree_faults(stored, name)) == []
    record = json.loads(Path(stored.root, "sources", f"{name}.json").read_text())
    _put(stored, record["tree"]["archive"], b"no archive")
    assert [line for line in find_published_source_tree_faults(stored, name) if "cut short" in line]
    for target, refused in (("calc.h", False), ("calc.c", False), ("../../secret", True), ("/etc/passwd", True)):
        digest, data = _forged([_link("calc.c", target)], b"")
        _put(stored, digest, data)
        _forge_part(Path(stored.root, "sources", f"{name}.json"), "tree", digest, 0)
        sources = tmp_path / target.replace("/", "-")
        if refused:
            with pytest.raises(StoreError, match=r"refused: the link 'calc\.c' leads out of the tree"):
                pull_source(name, sources, stored)
            assert not (sources / name).exists()
        else:
            assert pull_source(name, sources, stored)
