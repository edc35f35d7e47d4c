"""Flow of parameters: what the target is given reaches a candidate directly, or by way of a function that turns it
into what the candidate takes. From signatures alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retrieval.structure.candidates import CandidateSet, Column, Signal
from retrieval.structure.tables.lists import Floats, Places

MOST_ACCESSORS = 400
"""Functions that take a type, above which their results say nothing: half of the tree takes it."""


def chained_types(c: CandidateSet) -> Places:
    """The types that can be had in one call from what the target takes: the results of the functions that take it, and
    of its class's methods."""
    tables, e = c.tables, c.evidence
    own = tables.scope_type[c.query.scope : c.query.scope + 1] if c.query.scope >= 0 else tables.scope_type[:0]
    taken = np.union1d(c.query.takes, own[own >= 0]).astype(np.int64)
    sizes = tables.by_takes.starts[taken + 1] - tables.by_takes.starts[taken]
    accessors, _ = tables.by_takes.gather(taken[sizes <= MOST_ACCESSORS])
    methods, _ = tables.members.gather(tables.type_scopes.gather(taken)[0])
    rows = np.union1d(accessors, methods[:MOST_ACCESSORS])
    given, _ = tables.gives.gather(rows[e.visible[rows]])
    return np.setdiff1d(given, e.own_types).astype(np.int64)


def _chain(c: CandidateSet) -> Floats:
    return c.common(c.tables.takes, c.once(chained_types), c.stats.takes)


def _of_chain(c: CandidateSet) -> Column:
    """A method of what can be had in one call."""
    scopes, _ = c.tables.type_scopes.gather(c.once(chained_types))
    return np.isin(c.tables.scope[c.rows], scopes)


def _accessor(c: CandidateSet) -> Floats:
    """It turns a type that the target takes into another of the repository's: the rarity of both."""
    return c.similarity.takes[c.rows] * c.common(c.tables.gives, c.once(chained_types), c.stats.gives)


def _closes_chain(c: CandidateSet) -> Floats:
    """It takes what can be had in one call, and returns what the target returns."""
    closing: Floats = _chain(c) * (c.tables.result[c.rows] == c.query.result)
    return closing


def _unbound(c: CandidateSet) -> Column:
    """How many types it takes that neither the target nor one call more can give it."""
    flat, owner = c.tables.takes.gather(c.rows)
    at_hand = np.union1d(c.evidence.own_types, c.once(chained_types))
    return np.bincount(owner[~np.isin(flat, at_hand)], minlength=len(c.rows))


def _first_kind(c: CandidateSet) -> Column:
    """Its first parameter is of the kind of the target's first: 2; of another of the target's: 1; -1 without one."""
    starts = c.tables.kind.starts
    begin, end = starts[c.rows], starts[c.rows + 1]
    found = np.full(len(c.rows), -1, dtype=np.int8)
    filled = np.flatnonzero(end > begin)
    first = c.tables.kind.flat[begin[filled]]
    wanted = c.query.kind
    found[filled] = np.isin(first, wanted).astype(np.int8) + (first == (wanted[0] if len(wanted) else -2))
    return found


FLOW: Mapping[str, Signal] = {
    "chain": _chain,
    "of_chain": _of_chain,
    "accessor": _accessor,
    "closes_chain": _closes_chain,
    "unbound": _unbound,
    "first_kind": _first_kind,
}
