"""The runs and the shapes of all functions as arrays, which clones are found by. They are made at their first use for
each state of the index, then mapped into memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from index.hiding.shape_clones import ShapeTable, build_table_from_stored_shapes
from index.hiding.text_clones import RunTable
from index.store.reader import IndexReader

_SORTED_PARTS = 16
"""The hashes are sorted in parts, by their first bits: the kernel's 100 million at once would take 4 GB."""
_FIRST_BITS = np.uint64(60)
_FUNCTIONS_PER_WRITE = 5000
_RUN = np.dtype([("hash", np.uint64), ("owner", np.int32)])


def open_or_make_run_table(reader: IndexReader) -> RunTable:
    return reader.load_or_make_columns(
        "runs", RunTable, lambda folder: write_sorted_run_hash_columns(reader.body_blobs("hashes"), folder)
    )


def write_sorted_run_hash_columns(functions: Iterable[tuple[int, bytes]], folder: Path) -> None:
    """Write the columns of the table of functions, given as (id, bytes of its run hashes) by id."""
    ids, lengths = array("i"), array("i")
    waiting = iter(functions)
    with ExitStack() as stack:
        parts = [stack.enter_context(TemporaryFile(dir=folder)) for _ in range(_SORTED_PARTS)]
        while some := list(islice(waiting, _FUNCTIONS_PER_WRITE)):
            numbers, blobs = zip(*some, strict=True)
            ids.extend(numbers)
            lengths.extend(len(blob) // 8 for blob in blobs)
            found = np.empty(sum(lengths[-len(some) :]), dtype=_RUN)
            found["hash"] = np.frombuffer(b"".join(blobs), dtype=np.uint64)
            found["owner"] = np.repeat(numbers, lengths[-len(some) :])
            part = (found["hash"] >> _FIRST_BITS).astype(np.uint8)
            cuts = np.cumsum(np.bincount(part, minlength=_SORTED_PARTS))[:-1]
            for file, rows in zip(parts, np.split(found[np.argsort(part, kind="stable")], cuts), strict=True):
                file.write(rows.tobytes())
        total = sum(lengths)
        hashes = stack.enter_context(_open_column(folder / "hashes.npy", np.uint64, total))
        owners = stack.enter_context(_open_column(folder / "owners.npy", np.int32, total))
        for file in parts:
            file.seek(0)
            rows = np.frombuffer(file.read(), dtype=_RUN)
            rows = rows[np.argsort(rows["hash"], kind="stable")]
            hashes.write(rows["hash"].tobytes())
            owners.write(rows["owner"].tobytes())
    counts = np.zeros(max(ids, default=-1) + 1, dtype=np.int32)
    counts[np.frombuffer(ids, dtype=np.int32)] = lengths
    np.save(folder / "counts.npy", counts)


@contextmanager
def _open_column(path: Path, dtype: npt.DTypeLike, count: int) -> Iterator[BinaryIO]:
    """A file for an array of `count` values, which is written piece by piece, as `np.save` would write it at once."""
    head = {"descr": np.lib.format.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": (count,)}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, head)
        yield file


def open_or_make_shape_table(reader: IndexReader) -> ShapeTable:
    return reader.load_or_make_columns(
        "shapes", ShapeTable, lambda _: build_table_from_stored_shapes(reader.body_blobs("shape"))
    )
