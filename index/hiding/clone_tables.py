"""The runs and the shapes of all functions as arrays, which clones are found by. They are made at their first use for
each state of the index, then mapped into memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from index.hiding.clones import RunTable, run_table
from index.hiding.shapes import ShapeTable, shape_table
from index.store.reader import IndexReader


def clone_runs(reader: IndexReader) -> RunTable:
    """The token runs of all functions."""

    def make(folder: Path) -> None:
        rows = reader.run_hashes()
        table = run_table([number for number, _ in rows], [np.frombuffer(blob, dtype=np.uint64) for _, blob in rows])
        for name, column in table._asdict().items():
            np.save(folder / f"{name}.npy", column)

    def load(folder: Path) -> RunTable:
        return RunTable(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in RunTable._fields))

    return reader.derived_once("runs", make, load)


def clone_shapes(reader: IndexReader) -> ShapeTable:
    """The shapes of all functions."""

    def make(folder: Path) -> None:
        rows = reader.shapes()
        for name, column in shape_table([number for number, _ in rows], [blob for _, blob in rows])._asdict().items():
            np.save(folder / f"{name}.npy", column)

    def load(folder: Path) -> ShapeTable:
        return ShapeTable(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in ShapeTable._fields))

    return reader.derived_once("shapes", make, load)
