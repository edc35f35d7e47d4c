"""Derived arrays of one state of an index, kept for the next state to patch."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


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
