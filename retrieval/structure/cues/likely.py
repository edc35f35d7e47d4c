"""A second look: what the likeliest callees of a first guess say of the other candidates.

Who calls the likely ones calls this one too, right before or after them; it takes what they return; it is a method of
that. The first guess is a sum of a few signals, and reads visible bodies alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from retrieval.structure.candidates import CandidateSet, Signal
from retrieval.structure.evidence.votes import heaviest
from retrieval.structure.tables.lists import Floats, Lists, Places, Rows, summed

MOST = 12
"""Candidates that count as likely."""
COMMON = 150
"""Callers above which a likely one says nothing of what is called beside it."""
VOTERS = 150
"""Functions that call the likely ones, those first that call most of them."""
_PRIOR = 2.0
"""Callees added to each voter's: a function that calls the likely ones alone is rare luck."""


class Likely(NamedTuple):
    """The likeliest candidates: `rows`, each with its weight; `weight_of` is the same over all rows."""

    rows: Rows
    weight: Floats
    weight_of: Floats


def guess(c: CandidateSet) -> Floats:
    """A first order of the candidates. The weights are those of fusion.py's strongest signals, rounded."""
    e = c.evidence

    def part(values: Floats) -> Floats:
        share: Floats = values / (values.max(initial=0.0) + 1e-9)
        return share

    votes = e.vote("near").best_of(c.rows) + part(e.vote("more_alike").of(c.rows)) + part(e.vote("alike").of(c.rows))
    total: Floats = (
        part(c.pool) + c.similarity.name_cosine[c.rows] + votes + c.orphan + e.own[c.rows] - 0.7 * c.calls_target
    )
    return total


def likely(c: CandidateSet) -> Likely:
    """The best by `guess`; the first weighs twice as much as the third."""
    order = np.argsort(-c.once(guess), kind="stable")[:MOST]
    rows = c.rows[order]
    weight: Floats = 2.0 / (2.0 + np.arange(len(order), dtype=np.float64))
    weight_of = np.zeros(len(c.tables.ids))
    weight_of[rows] = weight
    return Likely(rows, weight, weight_of)


class Company(NamedTuple):
    """The edges of the functions that call the likely ones, in each one's order of calls. Beside each edge: the
    callee, the caller's weight with the callee itself left out, the likely ones before and after it."""

    callee: Rows
    weight: Floats
    before: Floats
    after: Floats
    total: float


def company(c: CandidateSet) -> Company:
    """Of the visible functions that call most of the likely ones."""
    tables, first = c.tables, c.once(likely)
    kept = c.evidence.called(first.rows) <= COMMON
    rows, at = tables.callers.gather(first.rows[kept])
    there = c.evidence.may_vote[rows]
    voters, place = np.unique(rows[there], return_inverse=True)
    overlap = summed(place, first.weight[kept][at[there]], len(voters))
    best = heaviest(np.arange(len(voters)), overlap, VOTERS)
    voters, overlap = voters[best], overlap[best]
    places, owner = tables.calls.places(voters)
    order = np.lexsort((tables.turns[places], owner))
    places, owner = places[order], owner[order]
    callee = tables.calls.flat[places]
    likeliness = first.weight_of[callee]
    weight = (overlap[owner] - likeliness) ** 2 / (c.stats.calling[voters][owner] + _PRIOR)
    same = np.zeros(len(owner) + 1, dtype=bool)
    same[1:-1] = owner[1:] == owner[:-1]
    before, after = np.zeros(len(owner)), np.zeros(len(owner))
    before[1:] = likeliness[:-1]
    after[:-1] = likeliness[1:]
    return Company(callee, weight, before * same[:-1], after * same[1:], float(weight.sum()))


def _together(c: CandidateSet) -> Floats:
    """The functions that call the likely ones call it too."""
    found = c.once(company)
    return c.tally(found.callee, found.weight) / (found.total + 1e-9)


def _after_likely(c: CandidateSet) -> Floats:
    """They call it right after a likely one."""
    found = c.once(company)
    return c.tally(found.callee, found.before / (1.0 + c.evidence.called(found.callee)))


def _before_likely(c: CandidateSet) -> Floats:
    """They call it right before a likely one."""
    found = c.once(company)
    return c.tally(found.callee, found.after / (1.0 + c.evidence.called(found.callee)))


def results(c: CandidateSet) -> Floats:
    """Over types: the weight of the likeliest candidate that returns it; 0 for what the target has anyway."""
    first = c.once(likely)
    given, at = c.tables.gives.gather(first.rows)
    found = np.zeros(len(c.tables.types))
    np.maximum.at(found, given, first.weight[at])
    found[c.evidence.own_types] = 0.0
    return found


def _weighed(c: CandidateSet, lists: Lists, weight: Floats) -> Floats:
    """For each candidate the sum of the weights of what its list holds."""
    flat, owner = lists.gather(c.rows)
    return summed(owner, weight[flat], len(c.rows))


def _takes_likely(c: CandidateSet) -> Floats:
    """It takes what likely ones return."""
    return _weighed(c, c.tables.takes, c.once(results) * c.stats.takes)


def _of_likely(c: CandidateSet) -> Floats:
    """It is a method of what likely ones return."""
    types: Places = np.flatnonzero(c.once(results))
    scopes, at = c.tables.type_scopes.gather(types)
    of_scope = np.zeros(len(c.tables.scopes) + 1)
    np.maximum.at(of_scope, scopes, c.once(results)[types][at])
    return of_scope[c.tables.scope[c.rows]]


def _calls_likely(c: CandidateSet) -> Floats:
    """It calls likely ones itself: the target may call it in their place."""
    found, owner = c.tables.calls.gather(c.rows)
    return summed(owner, c.once(likely).weight_of[found] * c.evidence.visible[c.rows][owner], len(c.rows))


def _called_by_likely(c: CandidateSet) -> Floats:
    """Likely ones call it."""
    found, at = c.tables.calls.gather(c.once(likely).rows)
    return c.tally(found, c.once(likely).weight[at])


LIKELY: Mapping[str, Signal] = {
    "guess": lambda c: c.once(guess),
    "together": _together,
    "after_likely": _after_likely,
    "before_likely": _before_likely,
    "takes_likely": _takes_likely,
    "of_likely": _of_likely,
    "calls_likely": _calls_likely,
    "called_by_likely": _called_by_likely,
}
