"""Lists of numbers as compressed rows: a million short lists in two arrays that can be mapped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


class Lists(NamedTuple):
    """List i is `flat[starts[i] : starts[i + 1]]`."""

    starts: Places
    flat: Rows

    def of(self, i: int) -> Rows:
        return self.flat[self.starts[i] : self.starts[i + 1]]

    def sizes(self) -> Places:
        return np.diff(self.starts)

    def gather(self, rows: Sequence[int] | Rows | Places) -> tuple[Rows, Places]:
        """The lists of `rows` one behind another, and for each number the place in `rows` that it came from."""
        at, owner = self.places(rows)
        return self.flat[at], owner

    def places(self, rows: Sequence[int] | Rows | Places) -> tuple[Places, Places]:
        """As `gather`, with places in `flat` instead of what stands there."""
        chosen = np.asarray(rows, dtype=np.int64)
        begin = self.starts[chosen]
        sizes = self.starts[chosen + 1] - begin
        owner = np.repeat(np.arange(len(chosen)), sizes)
        skipped = np.cumsum(sizes) - sizes
        return np.arange(len(owner)) + np.repeat(begin - skipped, sizes), owner


def lists_of(values: Iterable[Sequence[int]]) -> Lists:
    """One list per item."""
    kept = list(values)
    starts = np.zeros(len(kept) + 1, dtype=np.int64)
    np.cumsum([len(v) for v in kept], out=starts[1:])
    flat = np.fromiter((n for v in kept for n in v), dtype=np.int32, count=int(starts[-1]))
    return Lists(starts, flat)


def grouped(keys: Rows, size: int) -> Lists:
    """List k holds, sorted, the places where `keys` is k; keys below 0 are in none."""
    order = np.argsort(keys, kind="stable").astype(np.int32)
    order = order[int(np.count_nonzero(keys < 0)) :]
    return Lists(_starts(keys[keys >= 0], size), order)


def inverted(lists: Lists, size: int) -> Lists:
    """List n holds, sorted, the numbers of those lists that n is in."""
    owner = np.repeat(np.arange(len(lists.starts) - 1, dtype=np.int32), lists.sizes())
    return Lists(_starts(lists.flat, size), owner[np.argsort(lists.flat, kind="stable")])


def _starts(keys: Rows, size: int) -> Places:
    starts = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys, minlength=size), out=starts[1:])
    return starts


def summed(rows: Rows | Places, weights: npt.NDArray[np.floating[Any]], size: int) -> Floats:
    """The sum of the weights beside each number of `rows`, over 0 .. size - 1."""
    return np.asarray(np.bincount(rows, weights=weights, minlength=size), dtype=np.float64)
