"""What the target's words say of the words in candidates' names, by what was learnt from other trees."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retrieval.structure.candidates import CandidateSet, Column, Signal
from retrieval.structure.tables.lists import Floats, Places, summed


def _said(c: CandidateSet, words: Places) -> Floats:
    """Over the associations' names: the sum of what these words of the target say of each."""
    known = c.associated.words[words]
    parts, weights = c.associated.table.parts, c.associated.table.weights
    places, _ = parts.places(known[known >= 0])
    return summed(parts.flat[places], weights[places], len(c.associated.table.names) + 1)


def by_docstring(c: CandidateSet) -> Floats:
    return _said(c, np.setdiff1d(c.query.doc, c.query.name))


def by_name(c: CandidateSet) -> Floats:
    return _said(c, c.query.name)


def _of_names(c: CandidateSet, said: Floats) -> tuple[Column, Column, Floats]:
    """The words of the candidates' names that are known: the candidate, the word's number there, and its weight."""
    flat, owner = c.tables.name.gather(c.rows)
    return owner, flat, said[c.associated.names[flat]]


def _sum(c: CandidateSet, said: Floats) -> Floats:
    owner, flat, weight = _of_names(c, said)
    return summed(owner, weight * c.stats.name[flat], len(c.rows)) / c.stats.name_weight[c.rows]


def _best(c: CandidateSet, said: Floats) -> Floats:
    owner, _, weight = _of_names(c, said)
    found = np.zeros(len(c.rows))
    np.maximum.at(found, owner, weight)
    return found


ASSOCIATIONS: Mapping[str, Signal] = {
    "said_by_doc": lambda c: _sum(c, c.once(by_docstring)),
    "said_by_doc_best": lambda c: _best(c, c.once(by_docstring)),
    "said_by_name": lambda c: _sum(c, c.once(by_name)),
    "said_by_name_best": lambda c: _best(c, c.once(by_name)),
}
