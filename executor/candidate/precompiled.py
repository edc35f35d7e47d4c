"""A unit's leading includes, compiled once and kept: LLVM's largest units spend most of a check on them.

A header is made of the unmodified tree alone, in a session of its own that no draft has ever been in, and is read
by checks alone: what is built and graded never sees it. Only gcc's are made (its messages with and without one are
the same); whatever is odd leads back to the check without.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.build.command_line import parse_compiler
from executor.function.leading_includes import split_leading
from executor.sandbox.contract import Backend, Command, Limits, Session
from executor.sandbox.store import free_mb
from index.values import Span

HEADER = ".graft-leading.h"
REFUSED = b"-Winvalid-pch"
# LLVM's largest takes 20 CPU-s, 1.2 GB of memory and 400 MB of disk.
_MAKE_LIMITS = Limits(wall_s=240.0, memory_mb=3072, disk_mb=2048, output_bytes=1024 * 1024)
_MOST_BYTES = 768 * 1024 * 1024
# Below this a header wins too little for what it takes.
_WORTH = 0.8
_LEFT_FREE_MB = 2048
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Unit:
    """What a header is made for: the bound check `argv` of the unit at `path`, run in `cwd` of the image's tree
    at `root`; `text` is what the unit begins with."""

    image: str
    root: str
    path: str
    argv: tuple[str, ...]
    cwd: str
    text: bytes

    @property
    def key(self) -> str:
        parts = json.dumps([_FORMAT, self.image, self.root, self.path, self.argv, self.cwd]).encode()
        return hashlib.sha256(parts + b"\0" + self.text).hexdigest()[:32]

    @property
    def header(self) -> str:
        """Beside the unit, so that its includes with quotes are found; relative to the root."""
        return posixpath.join(posixpath.dirname(self.path), HEADER)

    @property
    def checking(self) -> tuple[str, ...]:
        """The check that reads the header. gcc falls back to its text, with a warning, when it can't be used."""
        extra = ("-Winvalid-pch", "-Wno-error=invalid-pch", "-include", f"{self.root}/{self.header}")
        return (self.argv[0], *extra, *self.argv[1:])

    @property
    def making(self) -> tuple[str, ...]:
        (source,) = parse_compiler(self.argv).sources
        words = tuple(word for word in self.argv if word not in ("-fsyntax-only", source))
        header = f"{self.root}/{self.header}"
        return (*words, "-x", "c++-header", header, "-o", f"{header}.gch")


@dataclass(frozen=True, slots=True)
class HeaderStore:
    """Headers on the host's disk, packed, at most `limit_mb` in all: the one that wasn't used for longest goes.
    `slow_s`: CPU seconds from which on a check is worth one."""

    folder: Path
    limit_mb: int = 3072
    slow_s: float = 2.5

    def known(self, key: str) -> bool:
        """Whether it is here, or was found to be of no use."""
        return self._path(key).exists()

    def read(self, key: str) -> bytes | None:
        """The header, None where there is none or it is damaged."""
        import zstandard

        path = self._path(key)
        try:
            packed = path.read_bytes()
            data = zstandard.ZstdDecompressor().decompress(packed) if packed else None
            os.utime(path)
        except (OSError, zstandard.ZstdError):
            self.drop(key)
            return None
        return data

    def keep(self, key: str, data: bytes) -> None:
        """Empty `data` says that none is worth making. Nothing is kept on a disk that is nearly full."""
        import zstandard

        packed = zstandard.ZstdCompressor(level=1).compress(data) if data else b""
        size_mb = len(packed) // 2**20
        if size_mb > self.limit_mb or (data and free_mb(self.folder) < size_mb + _LEFT_FREE_MB):
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        scratch = self.folder / f".{os.getpid()}.{os.urandom(4).hex()}"
        try:
            scratch.write_bytes(packed)
            scratch.replace(self._path(key))
        finally:
            scratch.unlink(missing_ok=True)
        self._shrink()

    def drop(self, key: str) -> None:
        self._path(key).unlink(missing_ok=True)

    @contextlib.contextmanager
    def alone(self) -> Iterator[bool]:
        """One header is made at a time, whoever makes it: False when another is. A killed maker's lock is gone."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            for stale in self.folder.glob(".*"):
                stale.unlink(missing_ok=True)
            yield True

    def _shrink(self) -> None:
        found = [(path.stat(), path) for path in self.folder.glob("*.zst")]
        found.sort(key=lambda pair: pair[0].st_mtime, reverse=True)
        room = self.limit_mb * 2**20
        for stat, path in found:
            room -= stat.st_size
            if room < 0:
                path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.zst"


def header_store(cache: Path) -> HeaderStore:
    """The usual one of a cache."""
    return HeaderStore(cache / "headers")


def unit_of(
    image: str, root: str, path: str, span: Span, original: bytes, argv: Sequence[str], cwd: str
) -> Unit | None:
    """None where no header can stand for the unit's beginning: it isn't the file that changes, it has no leading
    includes before `span`, or its flags put something before them."""
    sources = parse_compiler(argv).sources
    leading = split_leading(original, span)
    early = ("-include", "-imacros", "-x", "-fpch", "@", "-fmodules")
    if leading is None or len(sources) != 1 or any(word.startswith(early) for word in argv):
        return None
    if posixpath.normpath(posixpath.join(root, cwd, sources[0])) != posixpath.normpath(f"{root}/{path}"):
        return None
    return Unit(image, root, path, tuple(argv), cwd, leading.text)


def place(unit: Unit, data: bytes, session: Session) -> None:
    """Put the header where the unit's check finds it."""
    session.write(unit.header, unit.text)
    session.write(f"{unit.header}.gch", data)


def make(unit: Unit, span: Span, original: bytes, plain_s: float, backend: Backend, store: HeaderStore) -> None:
    """Make the unit's header from the unmodified file and keep it, or keep that it is of no use: the compiler
    refuses it, or the check with it takes nearly the `plain_s` CPU seconds that it took without.

    Does nothing while another is made. Raises SandboxError, OSError."""
    with store.alone() as mine:
        if not mine or store.known(unit.key):
            return
        leading = split_leading(original, span)
        assert leading is not None
        with backend.session(unit.image) as session:
            session.write(unit.header, unit.text)
            done = session.run(Command(unit.making, cwd=unit.cwd, limits=_MAKE_LIMITS))
            data = b""
            if done.exit_code == 0:
                session.write(unit.path, leading.rest)
                tried = session.run(Command(unit.checking, cwd=unit.cwd, limits=_MAKE_LIMITS))
                if tried.exit_code == 0 and REFUSED not in tried.output and tried.cost_s < _WORTH * plain_s:
                    data = session.read(f"{unit.header}.gch", _MOST_BYTES + 1)
        store.keep(unit.key, data if len(data) <= _MOST_BYTES else b"")
