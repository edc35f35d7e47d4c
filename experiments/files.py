"""Writing that survives a kill: a file is whole or it isn't there, a journal's line is whole or it's ignored."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from index.errors import ConfigError


def write_atomically(path: Path, data: bytes) -> None:
    """Replace `path` by `data` in one step; parents are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


@contextmanager
def sole_user(folder: Path) -> Iterator[None]:
    """Hold `folder` for this process alone, until the block or the process ends. Raises ConfigError when another
    process works in it: two at once would pay for the same answers twice."""
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError(f"{folder}: another graft works in this folder; wait for it or say out=DIR") from None
        yield


class Journal:
    """Append-only lines, each on disk before `append` returns; safe to call from several threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        # A kill in the middle of a line leaves no newline behind: the next line must not grow onto that stump.
        torn = path.exists() and path.stat().st_size > 0 and path.read_bytes()[-1:] != b"\n"
        # Without a buffer: what a full disk refused must not be tried again when the file is closed.
        self._file = path.open("ab", buffering=0)
        if torn:
            self._write(b"\n")

    def append(self, line: bytes) -> None:
        if b"\n" in line:
            raise ValueError("a journal's entry is one line")
        with self._lock:
            self._write(line + b"\n")
            os.fsync(self._file.fileno())

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]

    def close(self) -> None:
        self._file.close()


def journal_lines(path: Path) -> Iterator[bytes]:
    """The lines that are there, the torn last one too: the reader of a line decides whether it's whole."""
    if path.exists():
        yield from (line for line in path.read_bytes().split(b"\n") if line)
