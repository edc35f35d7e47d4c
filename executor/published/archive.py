"""A tree as one file: frames of zstd, then an index that names each file with its place and its hash.

The archive's name is the hash of its index, so a reader that checks the index against the name and each file against
the index has checked all of it. A name doesn't say who made it: an index that leads out of its tree, or that would
fill a memory or a disk, is refused.

    frame frame ... | index, zstd | length of the index, 8 bytes | MAGIC
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated, Literal, NamedTuple

import zstandard
from pydantic import Field, TypeAdapter, ValidationError

from index.errors import InfraError

MAGIC = b"graft\x00\x01\n"
_LENGTH = 8
_FRAME_BYTES = 4 * 1024 * 1024
# Some 800,000 files.
_INDEX_BYTES = 128 * 1024 * 1024
# Nothing in a sandbox gains rights by a file's mode, and on the host nothing shall.
_MODE = 0o1777
# A level higher halves the speed and saves 2 % of openssl's tree.
_LEVEL = 3


class ArchiveError(InfraError):
    """An archive is damaged, or isn't the one that was asked for."""


_Id = Annotated[int, Field(ge=0, lt=2**32 - 1)]


class ArchiveEntry(NamedTuple):
    """`text` is a file's SHA-256 or a symbolic link's target; `start` a file's place in the unpacked stream."""

    kind: Literal["folder", "file", "link"]
    path: str
    mode: Annotated[int, Field(ge=0, le=0o7777)]
    mtime_ns: Annotated[int, Field(ge=-(2**63), lt=2**63)]
    owner: _Id
    group: _Id
    size: Annotated[int, Field(ge=0)] = 0
    text: str = ""
    start: int = 0


class ArchiveIndex(NamedTuple):
    """`frames`: where each begins in the unpacked stream, where in the archive, and its length there."""

    entries: tuple[ArchiveEntry, ...]
    frames: tuple[tuple[int, int, int], ...]

    @property
    def unpacked_bytes(self) -> int:
        return sum(entry.size for entry in self.entries)


def pack_tree(tree: Path, out: IO[bytes]) -> str:
    """Write the folder, without devices and sockets, to `out`; return the archive's digest. Raises OSError."""
    entries: list[ArchiveEntry] = []
    frames: list[tuple[int, int, int]] = []
    press = zstandard.ZstdCompressor(level=_LEVEL)
    held = bytearray()
    at = written = 0

    def write_held_frame() -> None:
        nonlocal at, written
        data = press.compress(bytes(held))
        frames.append((at, written, len(data)))
        out.write(data)
        at, written = at + len(held), written + len(data)
        held.clear()

    for path in sorted(tree.rglob("*")):
        found = path.lstat()
        name = path.relative_to(tree).as_posix()
        common = (name, stat.S_IMODE(found.st_mode), found.st_mtime_ns, found.st_uid, found.st_gid)
        if stat.S_ISDIR(found.st_mode):
            entries.append(ArchiveEntry("folder", *common))
        elif stat.S_ISLNK(found.st_mode):
            entries.append(ArchiveEntry("link", *common, 0, os.readlink(path)))  # noqa: PTH115 - keeps what isn't UTF-8
        elif stat.S_ISREG(found.st_mode):
            start, size, digest = at + len(held), 0, hashlib.sha256()
            with path.open("rb") as file:
                while part := file.read(1024 * 1024):
                    digest.update(part)
                    held += part
                    size += len(part)
                    if len(held) >= _FRAME_BYTES:
                        write_held_frame()
            entries.append(ArchiveEntry("file", *common, size, digest.hexdigest(), start))
    if held:
        write_held_frame()
    index = json.dumps([entries, frames], separators=(",", ":")).encode("ascii")
    pressed = press.compress(index)
    out.write(pressed + len(pressed).to_bytes(_LENGTH, "big") + MAGIC)
    return hashlib.sha256(index).hexdigest()


def read_archive_index(file: IO[bytes], digest: str) -> ArchiveIndex:
    """The archive's index. Raises ArchiveError when it isn't that of the archive `digest`."""
    tail = _LENGTH + len(MAGIC)
    end = file.seek(0, os.SEEK_END)
    file.seek(max(end - tail, 0))
    last = file.read(tail)
    length = int.from_bytes(last[:_LENGTH], "big")
    if last[_LENGTH:] != MAGIC or length > min(end - tail, _INDEX_BYTES):
        raise ArchiveError(f"archive {digest}: cut short, or no archive of Graft's")
    file.seek(end - tail - length)
    data = _decompress(file.read(length), _INDEX_BYTES, f"archive {digest}")
    if (is_of := hashlib.sha256(data).hexdigest()) != digest:
        raise ArchiveError(f"archive {digest}: refused: its content is that of {is_of}")
    try:
        # Not by pydantic's own parser: it refuses the escapes of names that aren't UTF-8.
        kind = TypeAdapter(tuple[tuple[ArchiveEntry, ...], tuple[tuple[int, int, int], ...]])
        index = ArchiveIndex(*kind.validate_python(json.loads(data)))
    except (ValidationError, ValueError, RecursionError) as error:
        raise ArchiveError(f"archive {digest}: of another version of Graft") from error
    if problem := _find_index_problem_or_empty(index):
        raise ArchiveError(f"archive {digest}: refused: {problem}")
    return index


def _decompress(data: bytes, most_bytes: int, name_in_errors: str) -> bytes:
    """The unpacked bytes, at most so many. Raises ArchiveError."""
    try:
        # A frame says its size, and as much memory is taken, whatever bound a decompressor is given.
        size = zstandard.get_frame_parameters(data).content_size
        if size > most_bytes:
            raise ArchiveError(f"{name_in_errors}: refused: a part of it unpacks to more than {most_bytes} bytes")
        return zstandard.ZstdDecompressor().decompress(data)
    except zstandard.ZstdError as error:
        raise ArchiveError(f"{name_in_errors}: damaged: {error}") from error


def _find_index_problem_or_empty(index: ArchiveIndex) -> str:
    """Why `pack_tree` can't have made the index, or ""."""
    written = 0
    for number, (_, where, length) in enumerate(index.frames):
        if where != written or not 0 < length <= 2 * _FRAME_BYTES:
            return f"frame {number} isn't where the one before it ends"
        written += length
    made: set[str] = set()
    # Each with its slash. So no link is a parent, and none can lead a file or another link out of the tree.
    folders = {""}
    for entry in index.entries:
        cut = entry.path.rfind("/") + 1
        if entry.path[cut:] in ("", ".", "..") or entry.path[:cut] not in folders or entry.path in made:
            return f"{entry.path!r} leads out of its tree, or is there twice"
        made.add(entry.path)
        if entry.kind == "folder":
            folders.add(entry.path + "/")
    return ""


def unpack_tree(
    file: IO[bytes], digest: str, target: Path, *, owner: tuple[int, int] | None, keep_owners: bool
) -> None:
    """Make the archive's tree in the existing, empty folder `target`. Every file is checked against its hash. All of
    it belongs to `owner`, with `keep_owners` to whom it belonged (both need root). Raises ArchiveError, OSError."""
    index = read_archive_index(file, digest)
    stream = _Stream(file, index)
    by_kind: dict[str, list[ArchiveEntry]] = {"folder": [], "file": [], "link": []}
    for entry in index.entries:
        by_kind[entry.kind].append(entry)
    for entry in by_kind["folder"]:
        (target / entry.path).mkdir()
    for entry in by_kind["file"]:
        with (target / entry.path).open("xb") as out:
            for part in stream.read_file_in_parts(entry):
                out.write(part)
    for entry in by_kind["link"]:
        (target / entry.path).symlink_to(entry.text)
    # A folder's time is that of the last file made in it, so folders follow, the innermost first.
    for entry in (*by_kind["file"], *by_kind["link"], *reversed(by_kind["folder"])):
        path = target / entry.path
        whose = (entry.owner, entry.group) if keep_owners else owner
        if whose is not None:
            os.chown(path, *whose, follow_symlinks=False)
        if entry.kind != "link":
            path.chmod(entry.mode & _MODE)
        os.utime(path, ns=(entry.mtime_ns, entry.mtime_ns), follow_symlinks=False)


def verify_archive_files(file: IO[bytes], digest: str) -> ArchiveIndex:
    """Read the whole archive and check all hashes. Raises ArchiveError."""
    index = read_archive_index(file, digest)
    stream = _Stream(file, index)
    for entry in index.entries:
        for _ in stream.read_file_in_parts(entry) if entry.kind == "file" else ():
            pass
    return index


class _Stream:
    """Reads the files out of the frames, each once and in the order of the index."""

    def __init__(self, file: IO[bytes], index: ArchiveIndex) -> None:
        self._file, self._frames = file, iter(index.frames)
        # What the next file begins with.
        self._data = memoryview(b"")

    def read_file_in_parts(self, entry: ArchiveEntry) -> Iterator[memoryview]:
        """The bytes of one file. Raises ArchiveError, at the end, when its hash isn't the one in the index."""
        digest, left = hashlib.sha256(), entry.size
        while left:
            if not self._data:
                self._data = self._read_next_frame(entry.path)
            part, self._data = self._data[:left], self._data[left:]
            digest.update(part)
            yield part
            left -= len(part)
        if digest.hexdigest() != entry.text:
            raise ArchiveError(f"{entry.path}: damaged: its hash isn't the one in the archive's index")

    def _read_next_frame(self, path: str) -> memoryview:
        for _, where, length in self._frames:
            self._file.seek(where)
            return memoryview(_decompress(self._file.read(length), 2 * _FRAME_BYTES, path))
        raise ArchiveError(f"{path}: damaged: the archive ends too early")
