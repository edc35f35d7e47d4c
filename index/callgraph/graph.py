"""Who calls whom: edges between symbols, resolved by name, kept as arrays that are mapped, never loaded.

`resolve.py` makes the edges; here they are stored and asked for.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import IntFlag
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int32]
Flags = npt.NDArray[np.uint8]
Confidences = npt.NDArray[np.float32]


class EdgeKind(IntFlag):
    """How an edge came about; 0 is a call as it is written."""

    DIRECT = 0
    MACRO = 1
    """The callee is a function-like macro."""
    THROUGH_MACRO = 2
    """The call stands in the replacement of a macro that the caller uses."""
    POINTER = 4
    """By way of a function pointer: the callee was assigned to the field or variable that is called."""
    CONSTRUCTOR = 8
    OPERATOR = 16


class Edge(NamedTuple):
    """One edge as it is made. `confidence` in 0..1; `witness` is the function whose body holds the assignment that
    a POINTER edge rests on, or -1: where that body is hidden, the edge is too."""

    caller: int
    callee: int
    confidence: float
    kind: int = 0
    witness: int = -1


class Edges(NamedTuple):
    """Edges of one function as columns, in the order of their first call."""

    ids: Ids
    confidence: Confidences
    kind: Flags
    witness: Ids


class CallGraph(NamedTuple):
    """Edges as compressed rows. `starts` has one entry more than the largest symbol id; the edges that start in
    symbol i are [starts[i], starts[i+1]) of the columns. `back_starts` and `back` are the same by callee, `back`
    holding numbers of edges, and `caller` says where each edge starts."""

    starts: npt.NDArray[np.int64]
    callee: Ids
    confidence: Confidences
    kind: Flags
    witness: Ids
    caller: Ids
    back_starts: npt.NDArray[np.int64]
    back: npt.NDArray[np.int64]

    def callees(self, symbol: int, least: float = 0.0) -> Ids:
        """Ids of what a symbol calls with a confidence of at least `least`, each once, in order of the calls."""
        edges = self.edges_from(symbol)
        return _once(edges.ids[edges.confidence >= least])

    def callers(self, symbol: int, least: float = 0.0) -> Ids:
        """Ids of the functions that call a symbol, each once, sorted."""
        edges = self.edges_to(symbol)
        return np.unique(edges.ids[edges.confidence >= least])

    def edges_from(self, symbol: int) -> Edges:
        """The edges that start in a symbol; `ids` are the callees. None for an id that there isn't."""
        if not 0 <= symbol < len(self.starts) - 1:
            return self._edges(slice(0, 0), self.callee)
        return self._edges(slice(int(self.starts[symbol]), int(self.starts[symbol + 1])), self.callee)

    def edges_to(self, symbol: int) -> Edges:
        """The edges that end in a symbol; `ids` are the callers."""
        if not 0 <= symbol < len(self.back_starts) - 1:
            return self._edges(slice(0, 0), self.caller)
        rows = self.back[int(self.back_starts[symbol]) : int(self.back_starts[symbol + 1])]
        return self._edges(rows, self.caller)

    def _edges(self, rows: slice | npt.NDArray[np.int64], ids: Ids) -> Edges:
        return Edges(ids[rows], self.confidence[rows], self.kind[rows], self.witness[rows])


def without(edges: Edges, hidden: Collection[int]) -> Edges:
    """The edges that don't rest on a hidden body."""
    if not len(edges.ids) or not hidden:
        return edges
    keep = ~np.isin(edges.witness, np.fromiter(hidden, dtype=np.int32))
    return Edges(edges.ids[keep], edges.confidence[keep], edges.kind[keep], edges.witness[keep])


def call_graph(caller: Ids, callee: Ids, confidence: Confidences, kind: Flags, witness: Ids, size: int) -> CallGraph:
    """The graph of symbols with ids below `size`, from the columns of its edges in the order of the calls. Of edges
    with equal caller, callee and witness the most certain counts, at the place of the first."""
    pair = caller.astype(np.int64) * size + callee
    order = np.lexsort((-confidence, witness, pair))
    pairs, witnesses = pair[order], witness[order]
    first_of = np.ones(len(order), dtype=bool)
    first_of[1:] = (pairs[1:] != pairs[:-1]) | (witnesses[1:] != witnesses[:-1])
    place = np.minimum.reduceat(order, np.flatnonzero(first_of)) if len(order) else order
    kept = order[first_of]
    kept = kept[np.lexsort((place, caller[kept]))]
    return from_rows(caller[kept], callee[kept], confidence[kept], kind[kept], witness[kept], size)


def from_rows(caller: Ids, callee: Ids, confidence: Confidences, kind: Flags, witness: Ids, size: int) -> CallGraph:
    """The graph of edges that are in the order of their callers, each once."""
    starts = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(caller, minlength=size)[:size], out=starts[1:])
    back = np.argsort(callee, kind="stable")
    back_starts = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(callee, minlength=size)[:size], out=back_starts[1:])
    return CallGraph(
        starts=starts,
        callee=callee.astype(np.int32),
        confidence=confidence.astype(np.float32),
        kind=kind.astype(np.uint8),
        witness=witness.astype(np.int32),
        caller=caller.astype(np.int32),
        back_starts=back_starts,
        back=back.astype(np.int64),
    )


def save(graph: CallGraph, folder: Path) -> None:
    """Write each column as a file of its own."""
    for name, column in graph._asdict().items():
        np.save(folder / f"{name}.npy", column)


def load(folder: Path) -> CallGraph:
    """The graph that `save` wrote, mapped. Raises OSError or ValueError when a file is missing or damaged."""
    return CallGraph(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in CallGraph._fields))


def _once(ids: Ids) -> Ids:
    _, first = np.unique(ids, return_index=True)
    return ids[np.sort(first)]
