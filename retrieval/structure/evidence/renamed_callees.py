"""Analogy: what becomes of a sibling's callees when the sibling's name is turned into the target's.

`RM_LoadUnsigned` calls `rdbLoadLen`, so `RM_SaveUnsigned` calls `rdbSaveLen` if there is such a function. And where a
method of the same name in another class calls that class's methods, the target calls its own class's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from index.arrays import sort_distinct
from retrieval.structure.evidence.similarity import Statistics
from retrieval.structure.tables.compressed_lists import Floats, Mask, Places, Rows
from retrieval.structure.tables.rank_tables import RankTables
from retrieval.structure.tables.vocabulary import Hashes
from retrieval.structure.target_query import TargetQuery

MOST_DIFFERING_WORDS = 2
"""Words by which two names may differ, on each side: names that differ by more don't correspond."""


class RenamedCallees(NamedTuple):
    """Over rows: the sum of the weights of all siblings with a callee whose name turns into the row's, and the
    greatest of these weights."""

    total: Floats
    best: Floats


def find_renamed_callees(
    tables: RankTables, stats: Statistics, q: TargetQuery, siblings: Places, weight: Floats, visible: Mask
) -> RenamedCallees:
    """`siblings` vote, with their `weight` (an array over all rows). Rows that aren't `visible` have no callees."""
    size = len(tables.ids)
    total, best = np.zeros(size), np.zeros(size)
    own = set(q.name.tolist())
    for sibling in siblings[visible[siblings]].tolist():
        words = set(tables.name.get_list(sibling).tolist())
        more, less = own - words, words - own
        elsewhere = tables.scope[sibling] != q.scope
        if len(more) > MOST_DIFFERING_WORDS or len(less) > MOST_DIFFERING_WORDS or not (more or less or elsewhere):
            continue
        callees = tables.calls.get_list(sibling)
        if less and len(callees):
            flat, owner = tables.name.gather_lists_with_owners(callees)
            found = sum((np.bincount(owner[flat == word], minlength=len(callees)) > 0).astype(int) for word in less)
            callees = callees[found == len(less)]
        if not len(callees):
            continue
        keys = stats.words_key[callees] + _sum_word_hashes(tables, more) - _sum_word_hashes(tables, less)
        rows = _find_renamed_rows(tables, callees, keys, int(tables.scope[sibling]), q.scope)
        total[rows] += weight[sibling]
        best[rows] = np.maximum(best[rows], weight[sibling])
    return RenamedCallees(total, best)


def _sum_word_hashes(tables: RankTables, words: set[int]) -> Hashes:
    """The sum of the words' hashes, as an array of one number: an array may wrap around."""
    return np.add.reduce(tables.words[sorted(words)], dtype=np.uint64, keepdims=True)


def _find_renamed_rows(
    tables: RankTables, callees: Rows, keys: Hashes, sibling_scope: int, target_scope: int
) -> Places:
    """The rows whose words have one of `keys`, one key per callee. A callee in the sibling's own class
    (`sibling_scope`) corresponds to a method of the target's class (`target_scope`)."""
    left = np.searchsorted(tables.words_key, keys, "left")
    right = np.searchsorted(tables.words_key, keys, "right")
    found: list[int] = []
    for callee, a, b in zip(callees.tolist(), left.tolist(), right.tolist(), strict=True):
        inside = sibling_scope >= 0 and sibling_scope != target_scope and tables.scope[callee] == sibling_scope
        for row in tables.words_row[a:b].tolist():
            if row != callee and (not inside or tables.scope[row] == target_scope):
                found.append(row)
    return sort_distinct(np.array(found, dtype=np.int64))
