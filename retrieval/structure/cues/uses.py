"""How calls stand in visible bodies: what becomes of a candidate's result, as against the target's; and the idioms of
the target's file: what its functions report errors with, and what they clean up with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from retrieval.structure.candidates import CandidateSet, Column, Signal
from retrieval.structure.tables.lists import Floats, Places, Rows
from retrieval.structure.tables.uses import BITS, Use

_RESULT = (Use.DROPPED, Use.STORED, Use.RETURNED, Use.TESTED, Use.NULLED, Use.NEGATIVE, Use.PASSED)
"""What can become of a result."""
_FEW = 2.0
"""Callers added to each candidate's: a habit of one caller proves little."""


class VoterEdges(NamedTuple):
    """The edges of some voters: the callee, the voter's weight and the flags of each; the weight of all voters."""

    callee: Rows
    weight: Floats
    uses: Column
    total: float

    def share(self, c: CandidateSet, use: Use) -> Floats:
        """For each candidate the share of the voters' weight whose edge to it has the flag."""
        there = (self.uses & use) > 0
        return c.tally(self.callee[there], self.weight[there]) / (self.total + 1.0)


def edges_of(c: CandidateSet, voters: Rows | Places, weight: Floats) -> VoterEdges:
    """The edges of those voters that may vote, each with its voter's weight."""
    kept = c.evidence.may_vote[voters]
    voters, weight = voters[kept], weight[kept]
    places, owner = c.tables.calls.places(voters)
    return VoterEdges(c.tables.calls.flat[places], weight[owner], c.tables.uses[places], float(weight.sum()))


def of_file(c: CandidateSet) -> VoterEdges:
    """Of the functions of the target's file, each with the weight 1."""
    rows = c.evidence.file_rows
    return edges_of(c, rows, np.ones(len(rows)))


def of_file_with_result(c: CandidateSet) -> VoterEdges:
    """Of those that return what the target returns: they fail as it fails."""
    rows = c.evidence.file_rows
    return edges_of(c, rows, (c.tables.result[rows] == c.query.result).astype(np.float64))


def of_siblings(c: CandidateSet) -> VoterEdges:
    """Of the functions most like the target."""
    rows = c.evidence.siblings
    return edges_of(c, rows, c.evidence.sibling[rows] ** 2)


def habits(c: CandidateSet) -> Floats:
    """(flags, candidates): the share of each candidate's visible callers whose edge to it has the flag."""
    found = c.stats.habits[:, c.rows].copy()
    gone, _ = c.tables.calls.places(c.evidence.gone)
    callee, uses = c.tables.calls.flat[gone], c.tables.uses[gone]
    for bit in range(BITS):
        found[bit] -= c.tally(callee, ((uses >> bit) & 1).astype(np.float64))
    return found / (c.called + _FEW)


def _habit(use: Use) -> Signal:
    return lambda c: c.once(habits)[use.bit_length() - 1]


def target_habits(c: CandidateSet) -> Floats:
    """Over flags: the share of the target's visible callers that use it so."""
    places, _ = c.tables.calls.places(c.evidence.callers)
    uses = c.tables.uses[places[np.isin(c.tables.calls.flat[places], c.query.own)]]
    return np.array([((uses >> bit) & 1).sum() for bit in range(BITS)]) / max(len(uses), 1)


def _same_use(c: CandidateSet) -> Floats:
    """What the target's result and the candidate's are both used for; -1 where nothing visible calls the target."""
    if not len(c.evidence.callers):
        return np.full(len(c.rows), -1.0)
    bits = [use.bit_length() - 1 for use in _RESULT]
    both: Floats = np.minimum(c.once(habits)[bits], c.once(target_habits)[bits, np.newaxis]).sum(axis=0)
    return both


def _target(use: Use) -> Signal:
    """The same for every candidate, -1 where nothing visible calls the target."""
    bit = use.bit_length() - 1
    return lambda c: np.full(len(c.rows), c.once(target_habits)[bit] if len(c.evidence.callers) else -1.0)


def _left_by_file(c: CandidateSet) -> Floats:
    return c.once(of_file).share(c, Use.LEAVES | Use.CLEANS)


def _left_by_siblings(c: CandidateSet) -> Floats:
    return c.once(of_siblings).share(c, Use.LEAVES | Use.CLEANS)


def _file_with_result(c: CandidateSet) -> Floats:
    edges = c.once(of_file_with_result)
    return c.tally(edges.callee, edges.weight) / (edges.total + 1.0)


RESULTS: Mapping[str, Signal] = {
    "same_use": _same_use,
    "is_returned": _habit(Use.RETURNED),
    "is_tested": _habit(Use.TESTED),
    "is_dropped": _habit(Use.DROPPED),
    "is_passed": _habit(Use.PASSED),
    "target_is_returned": _target(Use.RETURNED),
    "target_is_tested": _target(Use.TESTED),
}

IDIOMS: Mapping[str, Signal] = {
    "leaves": _habit(Use.LEAVES),
    "cleans": _habit(Use.CLEANS),
    "file_leaves": _left_by_file,
    "alike_leaves": _left_by_siblings,
    "file_with_result": _file_with_result,
}
