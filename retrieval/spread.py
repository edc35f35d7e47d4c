"""Votes for what lies beside a row: whoever calls `raxRemove` and `raxNext` may call `raxTryInsert`, which nobody
like the target calls yet. A vote for one function counts, thinned out, for its file, its class and the words of its
name.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retrieval.kernels import Rarity
from retrieval.lists import Floats, Rows, summed
from retrieval.rank_tables import RankTables


class Spread(NamedTuple):
    """Shares of all votes, over the rows asked for; a row's own votes aren't counted."""

    name: Floats
    """For the others of the same name: overloads, and the same function built in several ways."""
    file: Floats
    scope: Floats
    words: Floats
    """The mean over the words of the name, by their rarity."""
    best_word: Floats
    """The rarest word's, nearly: the greatest product of share and rarity."""


def spread(tables: RankTables, rare: Rarity, votes: Floats, rows: Rows) -> Spread:
    """`votes`: over all rows."""
    rarity = rare.name
    voted = np.flatnonzero(votes)
    weight = votes[voted]
    total = float(weight.sum()) + 1e-9
    own = votes[rows]
    files = np.bincount(tables.file[voted], weights=weight, minlength=len(tables.includes.starts) - 1)
    scope = tables.scope[voted]
    scoped = scope >= 0
    scopes = np.bincount(scope[scoped], weights=weight[scoped], minlength=max(len(tables.scopes), 1))
    in_scope = tables.scope[rows]
    flat, owner = tables.name.gather(voted)
    words = np.bincount(flat, weights=weight[owner], minlength=len(tables.words))
    flat, owner = tables.name.gather(rows)
    share = (words[flat] - own[owner]) * rarity[flat] / total
    known = summed(owner, rarity[flat], len(rows)) + 1e-9
    best = np.zeros(len(rows))
    np.maximum.at(best, owner, share)
    names = np.bincount(rare.name_number[voted], weights=weight, minlength=len(tables.ids))
    return Spread(
        name=(names[rare.name_number[rows]] - own) / total,
        file=(files[tables.file[rows]] - own) / total,
        scope=np.where(in_scope >= 0, (scopes[in_scope] - own) / total, 0.0),
        words=summed(owner, share, len(rows)) / known,
        best_word=best,
    )
