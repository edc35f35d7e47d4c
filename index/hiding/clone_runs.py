"""The token runs of all functions as arrays, for whoever looks for clones: patched out of those of an earlier state
of the index where that is told, else made of every row."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from index.hiding.clones import Hashes, RunTable, run_table
from index.store.derived import keep, opened

if TYPE_CHECKING:
    from index.repo_index import RepoIndex
    from index.store.changes import Before

_KEPT = "runs"
_STATE = "state.txt"
MOST_FILES = 300


def make_runs(index: RepoIndex, folder: Path) -> None:
    """Fill `folder` with the arrays of the index as it is."""
    kept = index.folder / _KEPT
    table = _patched(index, kept) or made_runs(index)
    np.save(folder / "hashes.npy", table.hashes)
    np.save(folder / "owners.npy", table.owners)
    np.save(folder / "counts.npy", table.counts)
    (folder / _STATE).write_text(index.state, encoding="ascii")
    keep(folder, kept)


def made_runs(index: RepoIndex) -> RunTable:
    """The arrays out of every function's row."""
    return run_table(*_rows(index.rows("SELECT symbol_id, hashes FROM runs ORDER BY symbol_id")))


def load_runs(folder: Path) -> RunTable:
    """The arrays, mapped."""
    return RunTable(*(np.load(folder / f"{field}.npy", mmap_mode="r") for field in RunTable._fields))


def _patched(index: RepoIndex, kept: Path) -> RunTable | None:
    old = opened(kept, lambda path: (load_runs(path), (path / _STATE).read_text(encoding="ascii")))
    if old is None:
        return None
    table, state = old
    before = index.changed_since(state)
    if before is None or len(before) > MOST_FILES:
        return None
    ((last,),) = index.rows("SELECT COALESCE(MAX(symbol_id), -1) FROM runs")
    return _merged(table, before, run_table(*_rows(_new_rows(index, before))), last + 1)


def _new_rows(index: RepoIndex, before: Iterable[Before]) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    for was in before:
        file = index.files.get(was.path)
        if file is not None:
            found += index.rows(
                "SELECT r.symbol_id, r.hashes FROM runs r JOIN symbols s ON s.id = r.symbol_id WHERE s.file_id=? "
                "ORDER BY r.symbol_id",
                (file.id,),
            )
    return sorted(found)


def _merged(table: RunTable, before: Iterable[Before], new: RunTable, size: int) -> RunTable:
    """`table` without the runs of the files as they were, and with those of them as they are, of ids below `size`.
    Ids may have been given anew, so the old ones go first."""
    gone = np.zeros(len(table.counts), dtype=bool)
    for was in before:
        numbers = np.array([s[0] for s in was.symbols], dtype=np.int64)
        gone[numbers[numbers < len(gone)]] = True
    stays = ~gone[table.owners]
    hashes, owners = table.hashes[stays], table.owners[stays]
    # Those of equal hash by owner, as a new table has them.
    places = np.searchsorted(hashes, new.hashes, "right")
    for i in np.flatnonzero(np.searchsorted(hashes, new.hashes, "left") < places).tolist():
        first = int(np.searchsorted(hashes, new.hashes[i], "left"))
        places[i] = first + int(np.searchsorted(owners[first : places[i]], new.owners[i]))
    counts = np.zeros(size, dtype=np.int32)
    kept = min(size, len(table.counts))
    counts[:kept] = np.where(gone, 0, table.counts)[:kept]
    held = np.flatnonzero(new.counts)
    counts[held] = new.counts[held]
    return RunTable(np.insert(hashes, places, new.hashes), np.insert(owners, places, new.owners), counts)


def _rows(rows: Iterable[tuple[int, bytes]]) -> tuple[list[int], list[Hashes]]:
    ids, hashes = [], []
    for number, blob in rows:
        ids.append(number)
        hashes.append(np.frombuffer(blob, dtype=np.uint64))
    return ids, hashes
