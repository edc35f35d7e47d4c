"""What the target's words say of the words in candidates' names, by what was learnt from other trees."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retrieval.structure.candidates import CandidateSet, Signal
from retrieval.structure.tables.lists import Floats, Places, Rows, summed


def _weights(c: CandidateSet, words: Places) -> Floats:
    """Over the associations' names: the sum of what these words of the target say of each."""
    known = c.associated.words[words]
    parts, weights = c.associated.table.parts, c.associated.table.weights
    places, _ = parts.places(known[known >= 0])
    return summed(parts.flat[places], weights[places], len(c.associated.table.names))


def by_docstring(c: CandidateSet) -> Floats:
    return _weights(c, np.setdiff1d(c.query.doc, c.query.name))


def by_name(c: CandidateSet) -> Floats:
    return _weights(c, c.query.name)


def known_words(c: CandidateSet) -> tuple[Places, Rows, Floats]:
    """Of the words of candidates' names those that something was learnt of: the candidate, the word's number among
    the associations' names, and its rarity in the repository."""
    flat, owner = c.tables.name.gather(c.rows)
    known = c.associated.names[flat]
    there = known >= 0
    return owner[there], known[there], c.stats.name[flat[there]]


def _sum(c: CandidateSet, said: Floats) -> Floats:
    """What is said of all words of each name, as a mean weighted by their rarity."""
    owner, word, rarity = c.once(known_words)
    return summed(owner, said[word] * rarity, len(c.rows)) / c.stats.name_weight[c.rows]


def _best(c: CandidateSet, said: Floats) -> Floats:
    """What is said of the word of which most is said."""
    owner, word, _ = c.once(known_words)
    found = np.zeros(len(c.rows))
    np.maximum.at(found, owner, said[word])
    return found


ASSOCIATIONS: Mapping[str, Signal] = {
    "said_by_doc": lambda c: _sum(c, c.once(by_docstring)),
    "said_by_doc_best": lambda c: _best(c, c.once(by_docstring)),
    "said_by_name": lambda c: _sum(c, c.once(by_name)),
    "said_by_name_best": lambda c: _best(c, c.once(by_name)),
}
