"""Which functions vote for the names in their bodies, and with which weight: visible ones near the target, with like
names, types or comments, its callers, what it likely calls and who else calls that. A new channel is one line in
`CHANNELS`; the chances are then fitted anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from index.arrays import find_positions_or_minus_one, keep_heaviest_rows_in_order
from index.values import Symbol, Target
from retrieval.names.name_tables import NameTables
from retrieval.structure.evidence.target_evidence import Evidence
from retrieval.structure.tables.compressed_lists import Floats, Places, Rows, sum_by_row
from retrieval.structure.target_query import find_rows_by_name
from retrieval.text.terms import hash_term

FUNCTIONS_OF_NEAR_DECAY = 4.0
"""Functions between two functions of a file at which the nearer one's vote has lost two thirds of its weight."""
MOST_VOTERS_IN_FILE, MOST_VOTERS_IN_FOLDER = 200, 200
MOST_LIKELY_CALLEES = 12
"""The first hits of the retriever, whose bodies and callers vote."""
MOST_COUSINS, MOST_CALLERS_OF_CALLEE = 24, 60
"""Callers of those hits that vote; a function with more callers is everybody's tool and says nothing."""
RANK_OF_HALF_WEIGHT = 4.0
"""The rank at which a hit's vote has lost half of its weight."""
MOST_HITS = 200


class Votes(NamedTuple):
    """Over uses: the weight of the functions that have it; `total`: the weight of all that vote."""

    votes: Floats
    total: float


class NameEvidence:
    """The evidence of one target. `hits`: the functions that a retriever proposes, best first."""

    def __init__(self, tables: NameTables, evidence: Evidence, target: Target, hits: Sequence[Symbol]) -> None:
        self.tables, self.evidence, self.target = tables, evidence, target
        rows = len(tables.uses.starts) - 1
        self.visible = evidence.visible[:rows]
        found = [_find_row_of_function(evidence, hit) for hit in hits[:MOST_LIKELY_CALLEES]]
        self.likely: Places = np.array([row for row in found if row is not None and row < rows], dtype=np.int64)
        hashes = np.array([hash_term(hit.name) for hit in hits[:MOST_HITS]], dtype=np.uint64)
        self.hit_names = find_positions_or_minus_one(tables.names, hashes)
        """The hits' names in their order."""

    def count_hidden_functions_per_use(self) -> Places:
        """Over uses: the functions that have it and aren't visible."""
        hidden = np.flatnonzero(~self.visible)
        found: Places = np.bincount(self.tables.uses.gather_lists(hidden), minlength=len(self.tables.frequency))
        return found

    def count_votes(self, voter_rows: Rows | Places, weight: Floats | None = None) -> Votes:
        """The votes of `voter_rows`, of equal weight without `weight`; hidden ones and declarations don't vote."""
        if weight is None:
            weight = np.ones(len(voter_rows))
        known = voter_rows < len(self.visible)
        voter_rows, weight = voter_rows[known], weight[known]
        kept = self.visible[voter_rows]
        flat, owner = self.tables.uses.gather_lists_with_owners(voter_rows[kept])
        weight = weight[kept]
        return Votes(sum_by_row(flat, weight[owner], len(self.tables.frequency)), float(weight.sum()))

    def count_votes_of_heaviest_rows(self, weight: Floats, most: int, power: float = 1.0) -> Votes:
        """The votes of the rows of the greatest weight, an array over all rows."""
        weight = weight[: len(self.visible)]
        best = keep_heaviest_rows_in_order(np.flatnonzero((weight > 0) & self.visible), weight, most)
        return self.count_votes(best, weight[best] ** power)


def compute_weights_by_rank(count: int) -> Floats:
    weights: Floats = RANK_OF_HALF_WEIGHT / (RANK_OF_HALF_WEIGHT + np.arange(count, dtype=np.float64))
    return weights


def _vote_in_file_by_nearness(e: NameEvidence) -> Votes:
    rows = e.evidence.file_rows
    distance = np.abs(e.evidence.measure_signed_row_distances_in_file(rows))
    nearest = np.argsort(distance, kind="stable")[:MOST_VOTERS_IN_FILE]
    return e.count_votes(rows[nearest], np.exp(-distance[nearest] / FUNCTIONS_OF_NEAR_DECAY))


def _vote_in_file(e: NameEvidence) -> Votes:
    rows = e.evidence.file_rows
    nearest = np.argsort(np.abs(e.evidence.measure_signed_row_distances_in_file(rows)), kind="stable")
    return e.count_votes(rows[nearest[:MOST_VOTERS_IN_FILE]])


def _vote_in_folder(e: NameEvidence) -> Votes:
    rows = e.evidence.folder_rows.astype(np.int64)
    return e.count_votes(keep_heaviest_rows_in_order(rows, e.evidence.sibling_weight, MOST_VOTERS_IN_FOLDER))


def _vote_of_likely_callees_callers(e: NameEvidence) -> Votes:
    """Functions that call most of what the target likely calls."""
    callers, at = e.evidence.tables.callers.gather_lists_with_owners(e.likely)
    callers, at = callers[e.evidence.visible[callers]], at[e.evidence.visible[callers]]
    sizes = np.bincount(at, minlength=len(e.likely))
    kept = sizes[at] <= MOST_CALLERS_OF_CALLEE
    found, place = np.unique(callers[kept], return_inverse=True)
    weight = sum_by_row(place, (compute_weights_by_rank(len(e.likely)) / np.log2(2 + sizes))[at[kept]], len(found))
    best = np.argsort(-weight, kind="stable")[:MOST_COUSINS]
    return e.count_votes(found[best], weight[best])


def _vote_of_callers_callees(e: NameEvidence) -> Votes:
    called = e.evidence.get_or_make_vote("callers")
    return e.count_votes(called.rows, called.votes)


CHANNELS: Mapping[str, Callable[[NameEvidence], Votes]] = {
    "near": _vote_in_file_by_nearness,
    "file": _vote_in_file,
    "folder": _vote_in_folder,
    "scope": lambda e: e.count_votes(e.evidence.scope_rows[:MOST_VOTERS_IN_FILE]),
    "names": lambda e: e.count_votes_of_heaviest_rows(e.evidence.similarity.name_cosine, 30),
    "alike": lambda e: e.count_votes_of_heaviest_rows(e.evidence.sibling_weight, 20),
    "more_alike": lambda e: e.count_votes_of_heaviest_rows(e.evidence.sibling_weight, 100, 2.0),
    "types": lambda e: e.count_votes_of_heaviest_rows(e.evidence.shared_type_rarity, 60),
    "docs": lambda e: e.count_votes_of_heaviest_rows(e.evidence.similarity.doc, 30),
    "callers": lambda e: e.count_votes(e.evidence.callers),
    "callers_callees": _vote_of_callers_callees,
    "callees": lambda e: e.count_votes(e.likely, compute_weights_by_rank(len(e.likely))),
    "cousins": _vote_of_likely_callees_callers,
}
EXTRA_VOTERS: Mapping[str, float] = {"near": 0.5, "callers": 0.5, "names": 0.5}
"""Voters added to a channel's total, so that a single one doesn't decide; 1 in the others."""


def compute_vote_shares(e: NameEvidence) -> dict[str, Floats]:
    """Over uses, for each channel: the share of its voters, by weight, that have the use."""
    shares = {}
    for name, make in CHANNELS.items():
        vote = make(e)
        # In place: what an array over all uses costs is mostly its memory.
        vote.votes[:] /= vote.total + EXTRA_VOTERS.get(name, 1.0)
        shares[name] = vote.votes
    return shares


def _find_row_of_function(evidence: Evidence, symbol: Symbol) -> int | None:
    """The row of a function, None where the tables have none."""
    rows = find_rows_by_name(evidence.tables, symbol.name)
    fitting = rows[evidence.tables.line[rows] == symbol.span.first]
    return int(fitting[0]) if len(fitting) else None
