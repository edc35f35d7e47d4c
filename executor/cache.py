"""The folder for everything that Graft can make again: sources, indexes, images, base file systems."""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

log = logging.getLogger(__name__)


def cache_root() -> Path:
    """GRAFT_CACHE, else XDG_CACHE_HOME/graft, else ~/.cache/graft. Not created here."""
    chosen = os.environ.get("GRAFT_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).expanduser() if base else Path.home() / ".cache") / "graft"


def short_digest(parts: Mapping[str, object]) -> str:
    """A short name for everything in `parts`, which must be JSON: the same in every process."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def replace_file(path: Path, data: bytes) -> None:
    """Write a file by one rename, so that a killed process never leaves half of it. Raises OSError."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}.new")
    scratch.write_bytes(data)
    scratch.replace(path)


@contextmanager
def hold_file_lock(path: Path, made_thing: str) -> Iterator[None]:
    """Hold the lock file `path`: a second process, or thread, that makes `made_thing` says that it waits, and does.
    With `made_thing` "" it waits in silence."""
    with path.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if made_thing:
                log.info(f"{made_thing}: another process is making it; waiting")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
