"""How like the target each function is, by name, by parameters, by types, by comment: what makes a sibling."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retrieval.structure.question import Question
from retrieval.structure.tables.lists import Floats, Lists, Mask, Places, Rows, summed
from retrieval.structure.tables.tables import RankTables
from retrieval.structure.tables.vocabulary import Hashes, words_keys

_DOC_NORM = 8.0
"""Words by which a comment counts as longer than it is: one word in common out of one is luck."""


class Rarity(NamedTuple):
    """What is counted once per index: how rare words and types are, and what each name weighs. `first` and `last`
    are words of the names (-1 without one); `called` is the number of callers."""

    name: Floats
    doc: Floats
    takes: Floats
    gives: Floats
    kind: Floats
    argument: Floats
    name_weight: Floats
    doc_size: Floats
    first: Rows
    last: Rows
    called: Floats
    popular: Floats
    """The logarithm of `called` and one."""
    calling: Places
    calls: Mask
    """Whether `calling` is more than none."""
    implied: Floats
    """Functions whose macros call it."""
    words_key: Hashes
    name_number: Rows
    """Equal for rows of one name."""


def rarity_of(tables: RankTables) -> Rarity:
    """The counts of a repository. None of them depends on what a body holds but `called` and `calling`."""
    size = len(tables.ids)
    name = _rarity(tables.by_name, size)
    owners = np.repeat(np.arange(size), tables.name.sizes())
    filled = tables.name.sizes() > 0
    called = tables.callers.sizes().astype(np.float64)
    calling = tables.calls.sizes()
    first = np.full(size, -1, dtype=np.int32)
    last = first.copy()
    first[filled] = tables.name.flat[tables.name.starts[:-1][filled]]
    last[filled] = tables.name.flat[tables.name.starts[1:][filled] - 1]
    return Rarity(
        name=name,
        doc=_rarity(tables.by_doc, size),
        takes=_rarity(tables.by_takes, size),
        gives=_rarity(tables.by_gives, size),
        kind=_rarity_of_flat(tables.kind, len(tables.kinds), size),
        argument=_rarity_of_flat(tables.argument, len(tables.words), size),
        name_weight=summed(owners, name[tables.name.flat], size) + 1e-9,
        doc_size=np.sqrt(_DOC_NORM + tables.doc.sizes()),
        first=first,
        last=last,
        called=called,
        popular=np.log1p(called),
        calling=calling,
        calls=calling > 0,
        implied=np.bincount(tables.implied.flat, minlength=size).astype(np.float64),
        words_key=words_keys(tables.name, tables.words),
        name_number=_name_numbers(tables),
    )


def _name_numbers(tables: RankTables) -> Rows:
    numbers = np.zeros(len(tables.ids), dtype=np.int32)
    new = np.concatenate([[0], (tables.name_hash[1:] != tables.name_hash[:-1]).astype(np.int32)])
    numbers[tables.name_row] = np.cumsum(new)[: len(numbers)]
    return numbers


def _rarity(inverse: Lists, size: int) -> Floats:
    found: Floats = np.log(1.0 + size / (1.0 + inverse.sizes()))
    return found


def _rarity_of_flat(lists: Lists, values: int, size: int) -> Floats:
    found: Floats = np.log(1.0 + size / (1.0 + np.bincount(lists.flat, minlength=values)))
    return found


class Likeness(NamedTuple):
    """Sums of the rarities of what is in common, over rows."""

    name: Floats
    """The target's name and the row's."""
    name_cosine: Floats
    in_all: Floats
    """All that the target says, and the row's name."""
    doc: Floats
    """The target's docstring and name, and the row's docstring."""
    takes: Floats
    """Types that both take."""
    gives: Floats
    """Types that both return."""


def likeness(tables: RankTables, rare: Rarity, q: Question) -> Likeness:
    """What decides who votes and which rows are candidates."""
    size = len(tables.ids)

    def shared(inverse: Lists, wanted: Places, weight: Floats) -> Floats:
        rows, at = inverse.gather(wanted)
        return summed(rows, weight[wanted][at], size)

    name = shared(tables.by_name, q.name, rare.name)
    both = np.union1d(np.union1d(q.name, q.doc), q.offered)
    own_weight = float(rare.name[q.name].sum()) + 1e-9
    return Likeness(
        name=name,
        name_cosine=name / np.sqrt(rare.name_weight * own_weight),
        in_all=shared(tables.by_name, both, rare.name),
        doc=shared(tables.by_doc, np.union1d(q.doc, q.name), rare.doc) / rare.doc_size,
        takes=shared(tables.by_takes, q.takes, rare.takes),
        gives=shared(tables.by_gives, q.gives, rare.gives),
    )
