"""Votes: functions that are like the target name their callees, each with the weight of its likeness."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retrieval.lists import Floats, Lists, Mask, Places, Rows, summed
from retrieval.rank_tables import RankTables


class Vote(NamedTuple):
    """Over rows: the weight of all voters that call it, and of the heaviest one; `total` is the weight of all
    voters."""

    votes: Floats
    best: Floats
    total: float

    def share(self, least: float = 1.0) -> Floats:
        """The share of the weight that votes for a row; `least` is added to the total, so that one voter alone
        doesn't decide."""
        return self.votes / (self.total + least)


class Ballot:
    """Counts votes of rows whose edges may count: not of hidden ones, nor of those held out of training."""

    def __init__(self, tables: RankTables, may_vote: Mask) -> None:
        self._tables = tables
        self._may_vote = may_vote
        self._size = len(tables.ids)
        self._none = np.zeros(self._size)

    def all(self, rows: Rows | Places) -> Vote:
        """Every voter counts one; `best` isn't counted."""
        rows = rows[self._may_vote[rows]]
        if not len(rows):
            return Vote(self._none, self._none, 0.0)
        places, _ = self._tables.calls.places(rows)
        flat, weights = self._tables.calls.flat[places], self._tables.weights[places]
        return Vote(summed(flat, weights, self._size), self._none, float(len(rows)))

    def weighted(self, rows: Rows | Places, weight: Floats) -> Vote:
        """`weight` beside `rows`."""
        kept = self._may_vote[rows]
        rows, weight = rows[kept], weight[kept]
        if not len(rows):
            return Vote(self._none, self._none, 0.0)
        # By rising weight: where several name the same row, the heaviest is written last.
        order = np.argsort(weight, kind="stable")
        rows, weight = rows[order], weight[order]
        places, owner = self._tables.calls.places(rows)
        flat, per_edge = self._tables.calls.flat[places], weight[owner]
        best = np.zeros(self._size)
        best[flat] = per_edge
        sure = per_edge * self._tables.weights[places]
        return Vote(summed(flat, sure, self._size), best, float(weight.sum()))

    def by_words(self, inverse: Lists, words: Places, rarity: Floats, most: int) -> Floats:
        """For each word, the share of the functions with that word that call a row, weighted by the word's rarity.
        Words of more than `most` functions are left out."""
        sizes = inverse.starts[words + 1] - inverse.starts[words]
        chosen = words[(sizes <= most) & (sizes > 0)]
        rows, at = inverse.gather(chosen)
        kept = self._may_vote[rows]
        rows, at = rows[kept], at[kept]
        if not len(rows):
            return self._none
        voters = np.bincount(at, minlength=len(chosen))
        weight = rarity[chosen] / (voters + _PRIOR)
        places, owner = self._tables.calls.places(rows)
        sure = weight[at[owner]] * self._tables.weights[places]
        return summed(self._tables.calls.flat[places], sure, self._size)


_PRIOR = 2.5
"""Voters added to each word's: a word of two functions proves little."""


def top(rows: Places, weight: Floats, most: int) -> Places:
    """The `most` rows of the greatest `weight` (over all rows), in order of row; of equal ones the first."""
    if len(rows) <= most:
        return rows
    values = weight[rows]
    last = np.partition(values, len(values) - most)[len(values) - most]
    above = values > last
    missing = most - int(np.count_nonzero(above))
    level = np.flatnonzero(values == last)[:missing]
    above[level] = True
    best: Places = rows[above]
    return best
