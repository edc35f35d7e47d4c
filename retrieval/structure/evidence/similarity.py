"""How similar each function is to the target: by name, parameters, types and comment."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retrieval.structure.tables.compressed_lists import Floats, Lists, Mask, Places, Rows, sum_by_row
from retrieval.structure.tables.rank_tables import RankTables
from retrieval.structure.tables.vocabulary import Hashes, sum_hashes_of_lists
from retrieval.structure.target_query import TargetQuery

_EXTRA_DOCSTRING_WORDS = 8.0
"""Words by which a comment counts as longer than it is: one word in common out of one is luck."""


class Statistics(NamedTuple):
    """What is counted once per index, over rows, but for the first six: how rare each word of a vocabulary is. Only
    `called`, `popular`, `calling`, `calls` and `implied` depend on what bodies hold."""

    name: Floats
    """Rarity of a word in names."""
    doc: Floats
    """Rarity of a word in comments."""
    takes: Floats
    """Rarity of a type in parameters."""
    gives: Floats
    """Rarity of a type in results."""
    kind: Floats
    argument: Floats
    """Rarity of a parameter's name."""
    name_weight: Floats
    """Sum of the rarities of the name's words."""
    doc_size: Floats
    first: Rows
    """First word of the name, -1 without one."""
    last: Rows
    """Last word of the name, -1 without one."""
    called: Floats
    """Number of callers."""
    popular: Floats
    """log(1 + called)."""
    calling: Places
    """Number of callees."""
    calls: Mask
    """Whether it has callees."""
    implied: Floats
    """Number of functions whose macros call it."""
    words_key: Hashes
    name_number: Rows
    """Equal for rows of one name."""


def compute_rarities_and_call_counts(tables: RankTables) -> Statistics:
    size = len(tables.ids)
    name = _measure_rarity(tables.by_name.measure_lengths(), size)
    owners = np.repeat(np.arange(size), tables.name.measure_lengths())
    filled = tables.name.measure_lengths() > 0
    called = tables.callers.measure_lengths().astype(np.float64)
    calling = tables.calls.measure_lengths()
    first = np.full(size, -1, dtype=np.int32)
    last = first.copy()
    first[filled] = tables.name.flat[tables.name.starts[:-1][filled]]
    last[filled] = tables.name.flat[tables.name.starts[1:][filled] - 1]
    return Statistics(
        name=name,
        doc=_measure_rarity(tables.by_doc.measure_lengths(), size),
        takes=_measure_rarity(tables.by_takes.measure_lengths(), size),
        gives=_measure_rarity(tables.by_gives.measure_lengths(), size),
        kind=_measure_rarity(np.bincount(tables.kind.flat, minlength=len(tables.kinds)), size),
        argument=_measure_rarity(np.bincount(tables.argument.flat, minlength=len(tables.words)), size),
        name_weight=sum_by_row(owners, name[tables.name.flat], size) + 1e-9,
        doc_size=np.sqrt(_EXTRA_DOCSTRING_WORDS + tables.doc.measure_lengths()),
        first=first,
        last=last,
        called=called,
        popular=np.log1p(called),
        calling=calling,
        calls=calling > 0,
        implied=np.bincount(tables.implied.flat, minlength=size).astype(np.float64),
        words_key=sum_hashes_of_lists(tables.name, tables.words),
        name_number=_number_rows_by_name(tables),
    )


def _number_rows_by_name(tables: RankTables) -> Rows:
    numbers = np.zeros(len(tables.ids), dtype=np.int32)
    new = np.concatenate([[0], (tables.name_hash[1:] != tables.name_hash[:-1]).astype(np.int32)])
    numbers[tables.name_row] = np.cumsum(new)[: len(numbers)]
    return numbers


def _measure_rarity(uses: Places, size: int) -> Floats:
    """Of words or types by the number of functions that use them."""
    found: Floats = np.log(1.0 + size / (1.0 + uses))
    return found


class Similarity(NamedTuple):
    """Over rows: sums of the rarities of what the target and the row have in common."""

    name: Floats
    """Words of both names."""
    name_cosine: Floats
    """The cosine of both names, their words weighted by rarity."""
    in_all: Floats
    """Words of the target's name, docstring or parameters, and of the row's name."""
    doc: Floats
    """Words of the target's docstring or name, and of the row's docstring."""
    takes: Floats
    """Types that both take."""
    gives: Floats
    """Types that both return."""


def measure_similarity(q: TargetQuery, tables: RankTables, stats: Statistics) -> Similarity:
    """What decides who votes and which rows are candidates."""
    size = len(tables.ids)

    def sum_shared_rarity(rows_by_key: Lists, wanted: Places, weight: Floats) -> Floats:
        rows, at = rows_by_key.gather_lists_with_owners(wanted)
        return sum_by_row(rows, weight[wanted][at], size)

    name = sum_shared_rarity(tables.by_name, q.name, stats.name)
    both = np.union1d(np.union1d(q.name, q.doc), q.offered)
    own_weight = float(stats.name[q.name].sum()) + 1e-9
    return Similarity(
        name=name,
        name_cosine=name / np.sqrt(stats.name_weight * own_weight),
        in_all=sum_shared_rarity(tables.by_name, both, stats.name),
        doc=sum_shared_rarity(tables.by_doc, np.union1d(q.doc, q.name), stats.doc) / stats.doc_size,
        takes=sum_shared_rarity(tables.by_takes, q.takes, stats.takes),
        gives=sum_shared_rarity(tables.by_gives, q.gives, stats.gives),
    )
