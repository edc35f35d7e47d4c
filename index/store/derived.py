"""Derived arrays of one state of an index, kept for the next state to patch."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Arrays = TypeVar("Arrays")


def keep(folder: Path, kept: Path) -> None:
    """Have the files of `folder` under `kept` too, as links, for the next state to patch: `derived` drops those of
    a state that is gone. Whoever comes second of two processes gives way."""
    beside = kept.with_name(f"{kept.name}.tmp-{os.getpid()}")
    shutil.rmtree(beside, ignore_errors=True)
    try:
        beside.mkdir(parents=True)
        for path in folder.iterdir():
            os.link(path, beside / path.name)
        shutil.rmtree(kept, ignore_errors=True)
        beside.rename(kept)
    except OSError:  # a file system without links, or another process: the next state makes all anew
        shutil.rmtree(beside, ignore_errors=True)


def opened(kept: Path, load: Callable[[Path], Arrays]) -> Arrays | None:
    """What `load` reads from a folder that `keep` filled; None when it isn't there, is damaged, or was replaced
    while it was read: files of two states would tell of neither."""
    try:
        before = kept.stat()
        arrays = load(kept)
        after = kept.stat()
    except (OSError, ValueError, EOFError, KeyError):
        return None
    return arrays if (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns) else None
