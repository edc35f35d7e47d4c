"""Lists of numbers as compressed rows: a million short lists in two arrays that can be mapped from disk.

The layout is that of a `scipy.sparse.csr_matrix`. Ours stays because one target gathers from lists some 75 times:
`csr_matrix[rows]` takes 46 to 90 CPU-us on redis where `gather` takes 7 to 25, a third more for the whole query.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from index.arrays import find_list_starts, sort_distinct

Rows = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


class Lists(NamedTuple):
    """List i is `flat[starts[i] : starts[i + 1]]`."""

    starts: Places
    flat: Rows

    def get_list(self, i: int) -> Rows:
        return self.flat[self.starts[i] : self.starts[i + 1]]

    def measure_lengths(self) -> Places:
        return np.diff(self.starts)

    def gather_lists(self, rows: Sequence[int] | Rows | Places) -> Rows:
        """The lists of `rows`, concatenated."""
        return self.gather_lists_with_owners(rows)[0]

    def gather_distinct(self, rows: Sequence[int] | Rows | Places) -> Rows:
        """The numbers in the lists of `rows`, sorted, each once."""
        return sort_distinct(self.gather_lists(rows))

    def gather_lists_with_owners(self, rows: Sequence[int] | Rows | Places) -> tuple[Rows, Places]:
        """The lists of `rows`, concatenated; and for each number the place in `rows` of the list it is from."""
        at, owner = self.gather_list_places_with_owners(rows)
        return self.flat[at], owner

    def gather_list_places_with_owners(self, rows: Sequence[int] | Rows | Places) -> tuple[Places, Places]:
        """Like `gather_lists_with_owners`, but places in `flat` instead of the numbers there."""
        chosen = np.asarray(rows, dtype=np.int64)
        begin = self.starts[chosen]
        sizes = self.starts[chosen + 1] - begin
        owner = np.repeat(np.arange(len(chosen)), sizes)
        skipped = np.cumsum(sizes) - sizes
        return np.arange(len(owner)) + np.repeat(begin - skipped, sizes), owner


def make_lists(values: Iterable[Sequence[int]]) -> Lists:
    kept = list(values)
    starts = np.zeros(len(kept) + 1, dtype=np.int64)
    np.cumsum([len(v) for v in kept], out=starts[1:])
    flat = np.fromiter((n for v in kept for n in v), dtype=np.int32, count=int(starts[-1]))
    return Lists(starts, flat)


def group_by_key(keys: Rows, size: int) -> Lists:
    """List k holds, sorted, the places where `keys` is k. Keys below 0 are in no list."""
    order = np.argsort(keys, kind="stable").astype(np.int32)
    order = order[int(np.count_nonzero(keys < 0)) :]
    return Lists(find_list_starts(keys[keys >= 0], size), order)


def invert_lists(lists: Lists, size: int) -> Lists:
    """The inverse: list n holds, sorted, the numbers of the lists that contain n."""
    owner = np.repeat(np.arange(len(lists.starts) - 1, dtype=np.int32), lists.measure_lengths())
    return Lists(find_list_starts(lists.flat, size), owner[np.argsort(lists.flat, kind="stable")])


def sum_by_row(rows: Rows | Places, weights: npt.NDArray[np.floating[Any]], size: int) -> Floats:
    """For each of 0 .. size - 1 the sum of the weights that stand beside it in `rows`."""
    return np.asarray(np.bincount(rows, weights=weights, minlength=size), dtype=np.float64)
