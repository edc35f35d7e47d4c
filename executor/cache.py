"""The folder for everything that Graft can make again: sources, indexes, images, base file systems."""

from __future__ import annotations

import os
from pathlib import Path


def cache_root() -> Path:
    """GRAFT_CACHE, else XDG_CACHE_HOME/graft, else ~/.cache/graft. Not created here."""
    chosen = os.environ.get("GRAFT_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).expanduser() if base else Path.home() / ".cache") / "graft"
