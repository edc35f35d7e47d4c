"""What numpy doesn't do, or doesn't do fast."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Scalar = TypeVar("Scalar", bound=np.generic)


def sort_distinct(values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """The values of a flat array, sorted, each once. `np.unique` does the same by a hash table since numpy 2.3, which
    takes ten times as long for 500 to 50,000 integers (2026-11-30, numpy 2.4.6)."""
    ordered: npt.NDArray[Any] = np.sort(values, axis=None)
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def find_positions_or_minus_one(
    sorted_values: npt.NDArray[Scalar], wanted: npt.NDArray[Scalar]
) -> npt.NDArray[np.int64]:
    """For each value that is wanted its place in `sorted_values`, which is sorted; -1 where it isn't there."""
    if not len(sorted_values):
        return np.full(len(wanted), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(sorted_values, wanted), len(sorted_values) - 1)
    return np.where(sorted_values[at] == wanted, at, -1)


def find_list_starts(keys: npt.NDArray[np.integer[Any]], list_count: int) -> npt.NDArray[np.int64]:
    """Where each list begins, of `list_count` lists that stand one behind the other and whose numbers have these
    `keys`."""
    starts = np.zeros(list_count + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys, minlength=list_count), out=starts[1:])
    return starts


def keep_heaviest_rows_in_order(
    rows: npt.NDArray[np.int64], weight_of_every_row: npt.NDArray[np.floating[Any]], most: int
) -> npt.NDArray[np.int64]:
    """The `most` of `rows`, at least one, with the greatest `weight_of_every_row`, in order of row; of equal weights
    the first rows."""
    if len(rows) <= most:
        return rows
    values = weight_of_every_row[rows]
    last = np.partition(values, len(values) - most)[len(values) - most]
    above = values > last
    missing = most - int(np.count_nonzero(above))
    above[np.flatnonzero(values == last)[:missing]] = True
    best: npt.NDArray[np.int64] = rows[above]
    return best
