"""Files that survive a kill: a file is whole or missing, and a journal's torn line is ignored."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from index.errors import ConfigError


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` in one step. Missing folders are made. Raises OSError."""
    if path.is_dir():  # the last step would fail, and leave the file beside
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock `folder` until the block or the process ends. Raises ConfigError when another process holds it: both would
    pay for the same answers."""
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError(
                f"{folder}: another graft works in this folder; wait for it, or name another with out=DIR"
            ) from None
        yield


def is_folder_locked(folder: Path) -> bool:
    """Whether a process holds the lock of `folder`."""
    try:
        with (folder / ".lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # never locked
        return False
    return False


class Journal:
    """An append-only file of lines. Each is on disk before `append` returns. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        # Unbuffered, so that a write that a full disk refused isn't repeated when the file is closed.
        self._file = path.open("ab+", buffering=0)
        if self._file.seek(0, os.SEEK_END):
            self._file.seek(-1, os.SEEK_END)
            # A kill in the middle of a line leaves no newline, and the next line must not be joined to it.
            if self._file.read() != b"\n":
                self._write_bytes(b"\n")

    def append(self, line: bytes) -> None:
        if b"\n" in line:
            raise ValueError("a journal's entry is one line")
        with self._lock:
            self._write_bytes(line + b"\n")
            os.fsync(self._file.fileno())

    def _write_bytes(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]

    def close(self) -> None:
        self._file.close()


def read_journal_lines_including_torn(path: Path) -> Iterator[bytes]:
    """All lines, a torn last line too: the caller decides whether a line is whole."""
    if path.exists():
        # One at a time: the journal of a million samples is larger than the memory that they need.
        with path.open("rb") as file:
            yield from (text for line in file if (text := line.removesuffix(b"\n")))
