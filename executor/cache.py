"""The folder for everything that Graft can make again: sources, indexes, images, base file systems."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path


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


def write_whole(path: Path, data: bytes) -> None:
    """Write a file by one rename, so that a killed process never leaves half of it. Raises OSError."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}.new")
    scratch.write_bytes(data)
    scratch.replace(path)
