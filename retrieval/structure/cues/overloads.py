"""Overloads and builds of one name: which of them fits best, so that they don't share the first places."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retrieval.structure.candidates import CandidateSet, Column, Signal
from retrieval.structure.tables.lists import Floats, Places


def _group(c: CandidateSet) -> Column:
    """How many candidates have its name and its class."""
    _, group, sizes = np.unique(_keys(c), return_inverse=True, return_counts=True)
    return sizes[group]


def _keys(c: CandidateSet) -> Column:
    return c.stats.name_number[c.rows].astype(np.int64) * (len(c.tables.scopes) + 1) + c.tables.scope[c.rows] + 1


def namesakes(c: CandidateSet) -> tuple[Places, Places]:
    """For each candidate the number of its name, and for each name how many candidates have it."""
    _, group, sizes = np.unique(c.stats.name_number[c.rows], return_inverse=True, return_counts=True)
    return group, sizes


def _lead(c: CandidateSet, values: Floats) -> Floats:
    """Each candidate's value less the greatest of the others of its name; 0 where it has the name alone."""
    group, sizes = c.once(namesakes)
    order = np.lexsort((values, group))
    last = np.cumsum(sizes) - 1
    best, second = values[order[last]], values[order[np.maximum(last - 1, 0)]]
    is_best = np.zeros(len(c.rows), dtype=bool)
    is_best[order[last]] = True
    lead: Floats = np.where(is_best, values - second[group], values - best[group])
    return np.where(sizes[group] > 1, lead, 0.0)


OVERLOADS: Mapping[str, Signal] = {
    "group": _group,
    "group_pool_lead": lambda c: _lead(c, c.pool),
    "group_kinds_lead": lambda c: _lead(c, c.kinds.share),
    "group_votes_lead": lambda c: _lead(
        c, c.evidence.vote("near").share(c.rows) + c.evidence.vote("more_alike").share(c.rows)
    ),
    "group_called_lead": lambda c: _lead(c, np.log1p(c.called)),
}
