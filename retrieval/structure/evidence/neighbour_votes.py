"""Votes passed on to neighbours: whoever calls `raxRemove` and `raxNext` may call `raxTryInsert`, which no function
similar to the target calls yet. A vote for one function counts a little for its file, its class and its name's words.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from index.arrays import find_positions_or_minus_one
from retrieval.structure.evidence.callee_votes import Vote
from retrieval.structure.evidence.similarity import Statistics
from retrieval.structure.tables.compressed_lists import Floats, Places, Rows, sum_by_row
from retrieval.structure.tables.rank_tables import RankTables


class SpreadVotes(NamedTuple):
    """For each candidate the share of all votes that its neighbours have, its own votes left out."""

    name: Floats
    """For rows of the same name: overloads, and the same function built in several ways."""
    file: Floats
    scope: Floats
    words: Floats
    """For rows that share a word of its name: the mean over its words, weighted by rarity."""
    best_word: Floats
    """The same for a single word: the greatest product of share and rarity."""


class Neighbours(NamedTuple):
    """What the candidates `rows` have in common with their neighbours. It is the same for every vote, so it is looked
    up once."""

    rows: Rows
    file: Rows
    scope: Rows
    word: Rows
    """The words of all their names."""
    owner: Places
    """Beside `word`: the place in `rows` of the row that has it in its name."""
    rarity: Floats
    """Beside `word`."""
    known: Floats
    """For each row the sum of its words' rarities."""
    names: Rows
    """The numbers of their names, each once."""
    name: Places
    """For each row the place of its name in `names`."""


def collect_keys_shared_with_neighbours(tables: RankTables, stats: Statistics, rows: Rows) -> Neighbours:
    """What the rows have in common with others."""
    word, owner = tables.name.gather_lists_with_owners(rows)
    rarity = stats.name[word]
    names, name = np.unique(stats.name_number[rows], return_inverse=True)
    known = sum_by_row(owner, rarity, len(rows)) + 1e-9
    return Neighbours(rows, tables.file[rows], tables.scope[rows], word, owner, rarity, known, names, name)


def spread_vote(tables: RankTables, stats: Statistics, vote: Vote, candidates: Neighbours) -> SpreadVotes:
    """What the votes for other rows say for these candidates."""
    weight = vote.votes
    total = float(weight.sum()) + 1e-9
    own = vote.get_votes_of_rows(candidates.rows)
    files = np.bincount(tables.file[vote.rows], weights=weight, minlength=len(tables.includes.starts) - 1)
    scope = tables.scope[vote.rows]
    scoped = scope >= 0
    scopes = np.bincount(scope[scoped], weights=weight[scoped], minlength=max(len(tables.scopes), 1))
    flat, owner = tables.name.gather_lists_with_owners(vote.rows)
    words = np.bincount(flat, weights=weight[owner], minlength=len(tables.words))
    share = (words[candidates.word] - own[candidates.owner]) * candidates.rarity / total
    best = np.zeros(len(candidates.rows))
    np.maximum.at(best, candidates.owner, share)
    at = find_positions_or_minus_one(candidates.names, stats.name_number[vote.rows])
    same = at >= 0
    names = np.bincount(at[same], weights=weight[same], minlength=len(candidates.names))
    return SpreadVotes(
        name=(names[candidates.name] - own) / total,
        file=(files[candidates.file] - own) / total,
        scope=np.where(candidates.scope >= 0, (scopes[candidates.scope] - own) / total, 0.0),
        words=sum_by_row(candidates.owner, share, len(candidates.rows)) / candidates.known,
        best_word=best,
    )
