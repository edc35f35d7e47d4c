"""Arrays that are derived from an index: each is made once for a state of the database and kept beside it."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import numpy as np

Arrays = TypeVar("Arrays")
_DERIVED = "derived"


def save_columns(columns: Any, folder: Path, prefix: str = "") -> None:
    """Write each array of a NamedTuple, and of the NamedTuples in it, as a file of its own."""
    for name, column in columns._asdict().items():
        if isinstance(column, tuple):
            save_columns(column, folder, f"{prefix}{name}.")
        else:
            np.save(folder / f"{prefix}{name}.npy", column)


def load_columns(kind: type[Arrays], folder: Path, prefix: str = "") -> Arrays:
    """The NamedTuple `kind` that `save_columns` wrote, its arrays mapped into memory. Raises OSError or ValueError
    when a file is missing or damaged."""

    def load_field(name: str, of: Any) -> Any:
        if hasattr(of, "_fields"):
            return load_columns(of, folder, f"{prefix}{name}.")
        # Slicing a memmap costs more than the slice itself; slicing a plain view of it doesn't.
        return np.asarray(np.load(folder / f"{prefix}{name}.npy", mmap_mode="r"))

    return kind(*(load_field(name, of) for name, of in get_type_hints(kind).items()))


def load_or_make_derived_arrays(
    folder: Path, name: str, state: str, make: Callable[[Path], None], load: Callable[[Path], Arrays]
) -> Arrays:
    """What `load` reads from the folder of the arrays `name` of the database's `state`.

    `make` fills that folder when it isn't there, or when `load` finds it damaged (OSError, ValueError, EOFError) or
    half removed by an update. Two processes may make it at the same time; either's serves both. What `load` opens has
    to stay readable when its folder is renamed.
    """
    path = folder / _DERIVED / f"{name}-{state}"
    if path.is_dir():
        try:
            return load(path)
        except (OSError, ValueError, EOFError):
            shutil.rmtree(path, ignore_errors=True)
    new = path.with_name(f"{path.name}-{threading.get_ident()}.tmp-{os.getpid()}")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        make(new)
        # Loaded before it gets its final name: from then on an update may remove it at any moment.
        arrays = load(new)
        with contextlib.suppress(OSError):  # another process was first
            new.rename(path)
        return arrays
    finally:
        shutil.rmtree(new, ignore_errors=True)


def remove_stale_arrays_and_temporaries(folder: Path, state: str) -> None:
    """Remove the derived arrays of other states, and the temporary files of processes that have ended."""
    for path in (folder / _DERIVED).glob("*"):
        if not path.name.endswith(state) and not _has_living_owner_process(path):
            shutil.rmtree(path, ignore_errors=True)
    for path in folder.glob("*.tmp-*"):
        if not _has_living_owner_process(path):
            path.unlink(missing_ok=True)


def _has_living_owner_process(path: Path) -> bool:
    _, mark, pid = path.name.rpartition(".tmp-")
    return bool(mark) and pid.isdigit() and Path("/proc", pid).exists()
