"""Votes for what lies beside a row: whoever calls `raxRemove` and `raxNext` may call `raxTryInsert`, which nobody
like the target calls yet. A vote for one function counts, thinned out, for its file, its class and the words of its
name.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retrieval.structure.kernels import Rarity
from retrieval.structure.tables.lists import Floats, Places, Rows, summed
from retrieval.structure.tables.tables import RankTables
from retrieval.structure.votes import Vote


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


class Beside(NamedTuple):
    """What stands beside each of `rows`: the same for every kind of vote, so it is looked up once. `word` are the
    words of all their names, `owner` the place of the row that each belongs to, `rarity` how rare it is and `known`
    the sum of that per row; `names` are the numbers of the names, each once, `name` each row's place in it."""

    rows: Rows
    file: Rows
    scope: Rows
    word: Rows
    owner: Places
    rarity: Floats
    known: Floats
    names: Rows
    name: Places


def beside(tables: RankTables, rare: Rarity, rows: Rows) -> Beside:
    word, owner = tables.name.gather(rows)
    rarity = rare.name[word]
    names, name = np.unique(rare.name_number[rows], return_inverse=True)
    known = summed(owner, rarity, len(rows)) + 1e-9
    return Beside(rows, tables.file[rows], tables.scope[rows], word, owner, rarity, known, names, name)


def spread(tables: RankTables, rare: Rarity, vote: Vote, b: Beside) -> Spread:
    """What the votes for other rows say for those of `b`."""
    weight = vote.votes
    total = float(weight.sum()) + 1e-9
    own = vote.of(b.rows)
    files = np.bincount(tables.file[vote.rows], weights=weight, minlength=len(tables.includes.starts) - 1)
    scope = tables.scope[vote.rows]
    scoped = scope >= 0
    scopes = np.bincount(scope[scoped], weights=weight[scoped], minlength=max(len(tables.scopes), 1))
    flat, owner = tables.name.gather(vote.rows)
    words = np.bincount(flat, weights=weight[owner], minlength=len(tables.words))
    share = (words[b.word] - own[b.owner]) * b.rarity / total
    best = np.zeros(len(b.rows))
    np.maximum.at(best, b.owner, share)
    number = rare.name_number[vote.rows]
    at = np.minimum(np.searchsorted(b.names, number), len(b.names) - 1)
    same = b.names[at] == number if len(b.names) else np.zeros(len(at), dtype=bool)
    names = np.bincount(at[same], weights=weight[same], minlength=len(b.names))
    return Spread(
        name=(names[b.name] - own) / total,
        file=(files[b.file] - own) / total,
        scope=np.where(b.scope >= 0, (scopes[b.scope] - own) / total, 0.0),
        words=summed(b.owner, share, len(b.rows)) / b.known,
        best_word=best,
    )
