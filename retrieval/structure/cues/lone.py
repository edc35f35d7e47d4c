"""Functions that seem to be called by nobody: something hidden calls them, and the target is near."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retrieval.structure.candidates import CandidateSet, Column, Signal


def _uncalled(c: CandidateSet) -> Column:
    """Nothing visible calls it, no macro implies it, and no table or initializer names it, whatever its linkage."""
    return (c.called <= 0) & (c.implied <= 0) & (c.tables.outside[c.rows] <= 0)


def _orphan_rank(c: CandidateSet) -> Column:
    """Of the orphans: how many of them are nearer to the target, by functions; -1 for what is none."""
    found = np.full(len(c.rows), -1, dtype=np.int32)
    orphans = np.flatnonzero(c.orphan)
    away = np.abs(c.place[orphans])
    found[orphans[np.argsort(away, kind="stable")]] = np.arange(len(orphans))
    return found


def _orphan_above(c: CandidateSet) -> Column:
    """The nearest orphan above the target: a helper stands before its only caller."""
    above = np.where(c.orphan & (c.place < 0), c.place, -(1 << 30))
    nearest: Column = c.orphan & (c.place == above.max(initial=-(1 << 30)))
    return nearest


def _orphans(c: CandidateSet) -> Column:
    """How many orphans the target's file has, the same for every candidate: one alone is surely the target's."""
    return np.full(len(c.rows), np.count_nonzero(c.orphan), dtype=np.int32)


def _only_kin(c: CandidateSet) -> Column:
    """It has visible callers, and all of them are of the target's file."""
    return (c.called > 0) & (c.votes("file") >= c.called - 0.5)


LONE: Mapping[str, Signal] = {
    "uncalled": _uncalled,
    "orphan_rank": _orphan_rank,
    "orphan_above": _orphan_above,
    "target_orphans": _orphans,
    "only_kin": _only_kin,
}
