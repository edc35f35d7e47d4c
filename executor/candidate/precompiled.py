"""Precompiled headers of a unit's leading includes: LLVM's largest units spend most of a check on them.

A header is made from the unmodified tree, in a session that has never held a draft. Only checks read it; it takes no
part in what is built and graded. Headers are made for gcc alone, whose messages are the same with and without one.
Anything odd leads back to the check without a header.
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

from executor.cache import replace_file
from executor.function.leading_includes import split_leading_includes
from executor.repository.build.command_line import parse_compiler
from executor.sandbox.contract import Backend, Command, CommandLimits
from executor.sandbox.store import measure_free_mb
from index.values import Span

HEADER = ".graft-leading.h"
REFUSED = b"-Winvalid-pch"
# LLVM's largest takes 20 CPU-s, 1.2 GB of memory and 400 MB of disk.
_MAKE_LIMITS = CommandLimits(wall_s=240.0, memory_mb=3072, disk_mb=2048, output_bytes=1024 * 1024)
_MOST_BYTES = 768 * 1024 * 1024
# A check with the header must take less than this share of the check without.
_WORTH = 0.8
_LEFT_FREE_MB = 2048
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class HeaderUnit:
    """A unit that a header is made for. `argv` is the check of the unit at `path`, run in `cwd` of the image's tree at
    `root`. `text` are its leading includes, `rest` is the unmodified file without them."""

    image: str
    root: str
    path: str
    argv: tuple[str, ...]
    cwd: str
    text: bytes
    rest: bytes

    @property
    def key(self) -> str:
        parts = json.dumps([_FORMAT, self.image, self.root, self.path, self.argv, self.cwd]).encode()
        return hashlib.sha256(parts + b"\0" + self.text).hexdigest()[:32]

    @property
    def header_path(self) -> str:
        """The header's path, relative to the root. Beside the unit, so that includes in quotes are found."""
        return posixpath.join(posixpath.dirname(self.path), HEADER)

    @property
    def check_arguments_with_header(self) -> tuple[str, ...]:
        """The check that reads the header. Where gcc can't use it, it reads the header's text and warns."""
        extra = ("-Winvalid-pch", "-Wno-error=invalid-pch", "-include", f"{self.root}/{self.header_path}")
        return (self.argv[0], *extra, *self.argv[1:])

    @property
    def precompiling_arguments(self) -> tuple[str, ...]:
        (source,) = parse_compiler(self.argv).sources
        words = tuple(word for word in self.argv if word not in ("-fsyntax-only", source))
        header = f"{self.root}/{self.header_path}"
        return (*words, "-x", "c++-header", header, "-o", f"{header}.gch")


@dataclass(frozen=True, slots=True)
class HeaderStore:
    """Compressed headers on the host's disk, at most `limit_mb` in all: the least recently used is removed first.
    `slow_s`: the CPU seconds from which a check is worth a header."""

    folder: Path
    limit_mb: int = 3072
    slow_s: float = 2.5

    def is_stored_or_useless(self, key: str) -> bool:
        """Whether the header is stored, or was found to be of no use."""
        return self._header_file_path(key).exists()

    def read_header(self, key: str) -> bytes | None:
        """The header; None where there is none or it is damaged."""
        import zstandard

        path = self._header_file_path(key)
        try:
            packed = path.read_bytes()
            data = zstandard.ZstdDecompressor().decompress(packed) if packed else None
            os.utime(path)
        except (OSError, zstandard.ZstdError):
            self.delete_header_file(key)
            return None
        return data

    def store_header_or_mark_useless(self, key: str, header_or_empty: bytes) -> None:
        """Store the header; empty: none is worth making. Nothing is stored on a disk that is nearly full."""
        import zstandard

        packed = zstandard.ZstdCompressor(level=1).compress(header_or_empty) if header_or_empty else b""
        size_mb = len(packed) // 2**20
        if size_mb > self.limit_mb or (header_or_empty and measure_free_mb(self.folder) < size_mb + _LEFT_FREE_MB):
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        replace_file(self._header_file_path(key), packed)
        self._drop_least_recently_used_headers()

    def delete_header_file(self, key: str) -> None:
        self._header_file_path(key).unlink(missing_ok=True)

    @contextlib.contextmanager
    def try_lock(self) -> Iterator[bool]:
        """Whether this process may make a header now: one does at a time. A killed process gives the right up."""
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

    def _drop_least_recently_used_headers(self) -> None:
        found = [(path.stat(), path) for path in self.folder.glob("*.zst")]
        found.sort(key=lambda pair: pair[0].st_mtime, reverse=True)
        room = self.limit_mb * 2**20
        for stat, path in found:
            room -= stat.st_size
            if room < 0:
                path.unlink(missing_ok=True)

    def _header_file_path(self, key: str) -> Path:
        return self.folder / f"{key}.zst"


def open_header_store(cache: Path) -> HeaderStore:
    return HeaderStore(cache / "headers")


def find_precompilable_unit(
    image: str, root: str, path: str, span: Span, original: bytes, argv: Sequence[str], cwd: str
) -> HeaderUnit | None:
    """The unit of a check. None where a header can't replace its first lines: the unit isn't the file at `path`, it
    has no leading includes before `span`, or its flags put something before them."""
    sources = parse_compiler(argv).sources
    leading = split_leading_includes(original, span)
    early = ("-include", "-imacros", "-x", "-fpch", "@", "-fmodules")
    if leading is None or len(sources) != 1 or any(word.startswith(early) for word in argv):
        return None
    if posixpath.normpath(posixpath.join(root, cwd, sources[0])) != posixpath.normpath(f"{root}/{path}"):
        return None
    return HeaderUnit(image, root, path, tuple(argv), cwd, leading.text, leading.rest)


def precompile_and_store_header(
    unit: HeaderUnit, check_s_without_header: float, backend: Backend, store: HeaderStore
) -> None:
    """Make the unit's header from the unmodified file and store it. It is stored as of no use when the compiler
    refuses it, or when the check with it takes nearly the `check_s_without_header` CPU seconds of the check without.

    Does nothing while another header is made. Raises SandboxError, OSError."""
    with store.try_lock() as locked:
        if not locked or store.is_stored_or_useless(unit.key):
            return
        with backend.session(unit.image) as session:
            session.write(unit.header_path, unit.text)
            done = session.run(Command(unit.precompiling_arguments, cwd=unit.cwd, limits=_MAKE_LIMITS))
            data = b""
            if done.exit_code == 0:
                session.write(unit.path, unit.rest)
                tried = session.run(Command(unit.check_arguments_with_header, cwd=unit.cwd, limits=_MAKE_LIMITS))
                if (
                    tried.exit_code == 0
                    and REFUSED not in tried.output
                    and tried.cost_s < _WORTH * check_s_without_header
                ):
                    data = session.read(f"{unit.header_path}.gch", _MOST_BYTES + 1)
        store.store_header_or_mark_useless(unit.key, data if len(data) <= _MOST_BYTES else b"")
