"""Who calls whom: edges between symbols, kept as arrays that are mapped into memory, never loaded whole."""

from __future__ import annotations

from collections.abc import Collection
from enum import IntFlag
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.arrays import find_list_starts, sort_distinct

Ids = npt.NDArray[np.int32]
Flags = npt.NDArray[np.uint8]
Confidences = npt.NDArray[np.float32]


class EdgeKind(IntFlag):
    """How a call leads to the callee. `DIRECT` is a call as it is written; the others are flags."""

    DIRECT = 0
    MACRO = 1
    """The callee is a function-like macro."""
    THROUGH_MACRO = 2
    """The call stands in the replacement of a macro that the caller uses."""
    POINTER = 4
    """By way of a function pointer: the callee was assigned to the field or variable that is called."""
    CONSTRUCTOR = 8
    OPERATOR = 16


class EdgeColumns(NamedTuple):
    """Edges as columns, in the order of the calls. `confidence` is in 0..1. `witness` is the function whose body holds
    the assignment that a POINTER edge rests on, or -1: where that body is hidden, the edge is hidden too."""

    caller: Ids
    callee: Ids
    confidence: Confidences
    kind: Flags
    witness: Ids


class Edges(NamedTuple):
    """The edges of one function as columns, in the order of their first call; see `EdgeColumns`."""

    ids: Ids
    confidence: Confidences
    kind: Flags
    witness: Ids


class CallGraph(NamedTuple):
    """Edges as compressed rows: the edges that start in symbol i are the rows [starts[i], starts[i+1]) of the columns.
    `back_starts` and `back` are the same by callee, where `back` holds row numbers. `caller` is each row's caller."""

    starts: npt.NDArray[np.int64]
    callee: Ids
    confidence: Confidences
    kind: Flags
    witness: Ids
    caller: Ids
    back_starts: npt.NDArray[np.int64]
    back: npt.NDArray[np.int64]

    def callees(self, symbol: int, least_confidence: float = 0.0) -> Ids:
        """Ids of what a symbol calls with at least this confidence, each once, in order of the calls."""
        edges = self.edges_from(symbol)
        ids = edges.ids[edges.confidence >= least_confidence]
        return ids[np.sort(np.unique(ids, return_index=True)[1])]

    def callers(self, symbol: int, least_confidence: float = 0.0) -> Ids:
        """Ids of the functions that call a symbol, each once, sorted."""
        edges = self.edges_to(symbol)
        return sort_distinct(edges.ids[edges.confidence >= least_confidence])

    def edges_from(self, symbol: int) -> Edges:
        """The edges that start in a symbol; `ids` are the callees. Empty for an unknown id."""
        if not 0 <= symbol < len(self.starts) - 1:
            return self._select_edges(slice(0, 0), self.callee)
        return self._select_edges(slice(int(self.starts[symbol]), int(self.starts[symbol + 1])), self.callee)

    def edges_to(self, symbol: int) -> Edges:
        """The edges that end in a symbol; `ids` are the callers. Empty for an unknown id."""
        if not 0 <= symbol < len(self.back_starts) - 1:
            return self._select_edges(slice(0, 0), self.caller)
        rows = self.back[int(self.back_starts[symbol]) : int(self.back_starts[symbol + 1])]
        return self._select_edges(rows, self.caller)

    def _select_edges(self, rows: slice | npt.NDArray[np.int64], ids: Ids) -> Edges:
        return Edges(ids[rows], self.confidence[rows], self.kind[rows], self.witness[rows])


def drop_edges_with_hidden_witness(edges: Edges, hidden: Collection[int]) -> Edges:
    """The edges whose witness isn't one of the hidden functions."""
    if not len(edges.ids) or not hidden:
        return edges
    keep = ~np.isin(edges.witness, np.fromiter(hidden, dtype=np.int32))
    return Edges(edges.ids[keep], edges.confidence[keep], edges.kind[keep], edges.witness[keep])


def build_call_graph(edges: EdgeColumns, next_symbol_id: int) -> CallGraph:
    """The graph of symbols with ids below `next_symbol_id`. Of edges with equal caller, callee and witness the
    most certain one is kept, at the place of the first."""
    caller, callee, confidence, kind, witness = edges
    pair = caller.astype(np.int64) * next_symbol_id + callee
    order = np.lexsort((-confidence, witness, pair))
    pairs, witnesses = pair[order], witness[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (pairs[1:] != pairs[:-1]) | (witnesses[1:] != witnesses[:-1])
    place = np.minimum.reduceat(order, np.flatnonzero(is_first)) if len(order) else order
    kept = order[is_first]
    kept = kept[np.lexsort((place, caller[kept]))]
    back = np.argsort(callee[kept], kind="stable")
    return CallGraph(
        starts=find_list_starts(caller[kept], next_symbol_id),
        callee=callee[kept].astype(np.int32),
        confidence=confidence[kept].astype(np.float32),
        kind=kind[kept].astype(np.uint8),
        witness=witness[kept].astype(np.int32),
        caller=caller[kept].astype(np.int32),
        back_starts=find_list_starts(callee[kept], next_symbol_id),
        back=back.astype(np.int64),
    )
