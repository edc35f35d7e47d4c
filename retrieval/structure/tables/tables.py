"""What the ranking retrievers know of a repository: arrays over its functions and files, mapped, not loaded.

A *row* is a function that can be called: every definition, by path and place, then every declared function that
the tree doesn't define. Nothing here says what stands in a body but the edges (`calls`) and `lines`; both are taken
back for whatever a target hides.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.structure.tables.lists import Lists, Mask, Rows
from retrieval.structure.tables.vocabulary import Hashes

ARRAYS = "rank-tables-3"
"""Changes with what is in the arrays."""

Shares = npt.NDArray[np.float32]


class RankTables(NamedTuple):
    """R rows, F files (numbered by path), S scopes. Lists over rows unless it says otherwise."""

    ids: Rows
    """Symbol ids, and their inverse: `row_of[id]` is a row or -1."""
    row_of: Rows
    file: Rows
    line: Rows
    """First line of the definition, 1-based."""
    lines: Rows
    """Lines of the definition. Tells of a body."""
    static: Mask
    """Can't be called from another file."""
    defined: Mask
    parameters: Rows
    """Number of parameters."""
    result: Rows
    """Number in `kinds` of what is returned."""
    scope: Rows
    """Number of the class or namespace, -1 for none."""

    calls: Lists
    """Calls that are written in the row's body; not what a macro calls, nor calls through pointers."""
    weights: Shares
    """Confidence of each edge in `calls`."""
    callers: Lists
    back_weights: Shares
    implied: Lists
    """Calls that the macros in the row's body make."""
    outside: Rows
    """How often the name stands outside all bodies (tables of functions, macros), declarations not counted."""

    words: Hashes
    name: Lists
    """Words of the name, in order."""
    by_name: Lists
    doc: Lists
    by_doc: Lists
    offered: Lists
    """Words of the parameters: names and types."""
    by_offered: Lists
    spelled: Lists
    """Bytes of the name in lower case."""
    name_hash: Hashes
    """Hash of the name as written, sorted, and the row beside it."""
    name_row: Rows
    words_key: Hashes
    """The sum of the hashes of the name's words, equal for equal words in any order, sorted; and the row beside
    it."""
    words_row: Rows

    types: Hashes
    takes: Lists
    by_takes: Lists
    gives: Lists
    by_gives: Lists
    holds: Lists
    """Over types: the types of its fields."""
    kinds: Hashes
    """Types as written in parameters and results, pointers apart."""
    kind: Lists
    argument: Lists
    """The parameters' names, numbered in `words`."""

    scopes: Hashes
    members: Lists
    """Over scopes: its rows."""
    bases: Lists
    """Over scopes: itself and the classes that it inherits from."""
    scope_type: Rows
    """Over scopes: the type of that name, or -1."""
    type_scopes: Lists
    """Over types: the scopes of that name."""

    first_row: Rows
    """Over files: [first_row[f], first_row[f + 1]) are the definitions in file f."""
    folder: Rows
    in_folder: Lists
    """Over folders: its definitions."""
    area: Rows
    """Over files: number of the first two folders of its path."""
    test: Mask
    header: Mask
    includes: Lists
    """Over files: the files that it includes."""
    declared: Lists
    """The files that declare it, beside the one that defines it."""

    @property
    def definitions(self) -> int:
        return int(self.first_row[-1])


def save(tables: RankTables, folder: Path) -> None:
    """One file per array."""
    for name, value in tables._asdict().items():
        if isinstance(value, Lists):
            np.save(folder / f"{name}.starts.npy", value.starts)
            np.save(folder / f"{name}.flat.npy", value.flat)
        else:
            np.save(folder / f"{name}.npy", value)


def load(folder: Path) -> RankTables:
    """The arrays of `save`, mapped. Raises OSError or ValueError when one is missing or damaged."""
    return RankTables(*(_load(folder, name) for name in RankTables._fields))


def _load(folder: Path, name: str) -> Any:
    if (folder / f"{name}.starts.npy").exists():
        return Lists(_mapped(folder / f"{name}.starts.npy"), _mapped(folder / f"{name}.flat.npy"))
    return _mapped(folder / f"{name}.npy")


def _mapped(path: Path) -> Any:
    # A memmap's own class costs more at each slice than the slice itself; a plain view of it doesn't.
    return np.asarray(np.load(path, mmap_mode="r"))
