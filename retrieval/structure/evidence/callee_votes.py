"""Votes: functions similar to the target vote for their callees, each with the weight of its similarity."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.structure.tables.compressed_lists import Floats, Lists, Mask, Places, Rows, sum_by_row
from retrieval.structure.tables.rank_tables import RankTables


class Vote(NamedTuple):
    """The result of one vote. Sparse, because a hundred functions vote for a few hundred of the hundred thousand rows
    that a large tree has."""

    rows: Places
    """Rows with a vote, ascending."""
    votes: Floats
    """Beside `rows`: the weight of all their voters."""
    best: Floats
    """Beside `rows`: the weight of the heaviest voter."""
    total: float
    """The weight of all voters."""

    def get_votes_of_rows(self, rows: Rows) -> Floats:
        return self._look_up_values_of_rows(rows, self.votes)

    def find_heaviest_voter_weights(self, rows: Rows) -> Floats:
        """The weight of the heaviest voter for each of `rows`."""
        return self._look_up_values_of_rows(rows, self.best)

    def compute_share(self, rows: Rows) -> Floats:
        """The share of all weight that votes for each of `rows`. One voter is added, so that a single one doesn't
        decide."""
        return self.get_votes_of_rows(rows) / (self.total + 1.0)

    def _look_up_values_of_rows(self, rows: Rows, values: Floats) -> Floats:
        if not len(self.rows):
            return np.zeros(len(rows))
        at = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        return np.where(self.rows[at] == rows, values[at], 0.0)


NO_VOTE = Vote(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0), 0.0)
_ROWS_PER_VOTE_WHEN_DENSE = 16
"""With more than one vote for so many rows, counting over all rows is faster than sorting the votes."""
_EXTRA_VOTERS = 2.5
"""Voters added to each word's: a word of two functions proves little."""


class Ballot:
    """Counts votes of rows whose edges may count: not of hidden ones, nor of those held out of training."""

    def __init__(self, tables: RankTables, may_vote: Mask) -> None:
        self._tables = tables
        self._may_vote = may_vote
        self._size = len(tables.ids)

    def count_equal_votes_of_callers(self, callers: Rows | Places) -> Vote:
        """Every voter weighs 1."""
        return self.count_weighted_votes_of_callers(callers, np.ones(len(callers)))

    def count_weighted_votes_of_callers(self, callers: Rows | Places, weight: Floats) -> Vote:
        """The voter at `rows[i]` weighs `weight[i]`."""
        kept = self._may_vote[callers]
        callers, weight = callers[kept], weight[kept]
        if not len(callers):
            return NO_VOTE
        # By rising weight: where several vote for the same row, the heaviest is written last.
        order = np.argsort(weight, kind="stable")
        callers, weight = callers[order], weight[order]
        places, owner = self._tables.calls.gather_list_places_with_owners(callers)
        flat, per_edge = self._tables.calls.flat[places], weight[owner]
        voted, at, votes = self._find_distinct_rows_places_and_sums(flat, per_edge * self._tables.weights[places])
        best = np.zeros(len(voted))
        best[at] = per_edge
        return Vote(voted, votes, best, float(weight.sum()))

    def count_votes_of_words(
        self, rows_by_word: Lists, words: Places, rarity: Floats, most_functions_per_word: int
    ) -> Vote:
        """For each word the share of the functions with that word that call a row, weighted by the word's rarity.
        Words of more than `most_functions_per_word` functions don't vote. `total` is the rarity of all words; `best`
        isn't counted."""
        sizes = rows_by_word.starts[words + 1] - rows_by_word.starts[words]
        chosen = words[(sizes <= most_functions_per_word) & (sizes > 0)]
        rows, at = rows_by_word.gather_lists_with_owners(chosen)
        kept = self._may_vote[rows]
        rows, at = rows[kept], at[kept]
        if not len(rows):
            return NO_VOTE
        voters = np.bincount(at, minlength=len(chosen))
        weight = rarity[chosen] / (voters + _EXTRA_VOTERS)
        places, owner = self._tables.calls.gather_list_places_with_owners(rows)
        sure = weight[at[owner]] * self._tables.weights[places]
        voted, _, votes = self._find_distinct_rows_places_and_sums(self._tables.calls.flat[places], sure)
        return Vote(voted, votes, np.zeros(len(voted)), float(rarity[words].sum()))

    def _find_distinct_rows_places_and_sums(
        self, repeated_rows: Rows, weights: npt.NDArray[np.floating[Any]]
    ) -> tuple[Places, Places, Floats]:
        """The rows in `repeated_rows`, each once; for each of those its place among them; the sums of the weights."""
        if len(repeated_rows) * _ROWS_PER_VOTE_WHEN_DENSE > self._size:
            seen = np.zeros(self._size, dtype=bool)
            seen[repeated_rows] = True
            voted = np.flatnonzero(seen)
            number = np.empty(self._size, dtype=np.int32)
            number[voted] = np.arange(len(voted), dtype=np.int32)
            at = number[repeated_rows].astype(np.int64)
        else:
            found, at = np.unique(repeated_rows, return_inverse=True)
            voted = found.astype(np.int64)
        return voted, at, sum_by_row(at, weights, len(voted))
