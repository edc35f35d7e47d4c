"""A second look: what the likeliest callees of a first guess say of the other candidates.

Who calls the likely ones calls this one too, right before or after them; it takes what they return; it is a method of
that. The first guess is a sum of a few signals, and reads visible bodies alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from retrieval.structure.candidate_set import CandidateSet, Signal
from retrieval.structure.evidence.callee_votes import choose_heaviest
from retrieval.structure.tables.compressed_lists import Floats, Lists, Places, Rows, sum_by_row

MOST_LIKELY_CALLEES = 12
"""Candidates that count as likely."""
MOST_CALLERS_OF_LIKELY = 150
"""Callers above which a likely one says nothing of what is called beside it."""
MOST_CALLERS_READ = 150
"""Functions that call the likely ones, those first that call most of them."""
_EXTRA_CALLEES = 2.0
"""Callees added to each voter's: a function that calls the likely ones alone is rare luck."""


class LikelyCallees(NamedTuple):
    """The likeliest candidates: `rows`, each with its weight; `weight_of` is the same over all rows."""

    rows: Rows
    weight: Floats
    weight_of: Floats


def guess_scores(c: CandidateSet) -> Floats:
    """A first order of the candidates. The weights are those of the strongest fixed signals, rounded."""
    e = c.evidence

    def divide_by_greatest(values: Floats) -> Floats:
        share: Floats = values / (values.max(initial=0.0) + 1e-9)
        return share

    votes = (
        e.find_vote("near").find_heaviest_voters(c.rows)
        + divide_by_greatest(e.find_vote("more_alike").find_votes(c.rows))
        + divide_by_greatest(e.find_vote("alike").find_votes(c.rows))
    )
    total: Floats = (
        divide_by_greatest(c.pool)
        + c.similarity.name_cosine[c.rows]
        + votes
        + c.is_orphan
        + e.is_in_own_scope[c.rows]
        - 0.7 * c.calls_target
    )
    return total


def choose_likely_callees(c: CandidateSet) -> LikelyCallees:
    """The best by `guess`; the first weighs twice as much as the third."""
    order = np.argsort(-c.make_once(guess_scores), kind="stable")[:MOST_LIKELY_CALLEES]
    rows = c.rows[order]
    weight: Floats = 2.0 / (2.0 + np.arange(len(order), dtype=np.float64))
    weight_of = np.zeros(len(c.tables.ids))
    weight_of[rows] = weight
    return LikelyCallees(rows, weight, weight_of)


class CallsBesideLikely(NamedTuple):
    """The edges of the functions that call the likely ones, in each one's order of calls. Beside each edge: the
    callee, the caller's weight with the callee itself left out, the likely ones before and after it."""

    callee: Rows
    weight: Floats
    before: Floats
    after: Floats
    total: float


def find_calls_beside_likely(c: CandidateSet) -> CallsBesideLikely:
    """Of the visible functions that call most of the likely ones."""
    tables, first = c.tables, c.make_once(choose_likely_callees)
    kept = c.evidence.count_visible_callers(first.rows) <= MOST_CALLERS_OF_LIKELY
    rows, at = tables.callers.gather_lists(first.rows[kept])
    there = c.evidence.may_vote[rows]
    voters, place = np.unique(rows[there], return_inverse=True)
    overlap = sum_by_row(place, first.weight[kept][at[there]], len(voters))
    best = choose_heaviest(np.arange(len(voters)), overlap, MOST_CALLERS_READ)
    voters, overlap = voters[best], overlap[best]
    places, owner = tables.calls.find_places(voters)
    order = np.lexsort((tables.turns[places], owner))
    places, owner = places[order], owner[order]
    callee = tables.calls.flat[places]
    likeliness = first.weight_of[callee]
    weight = (overlap[owner] - likeliness) ** 2 / (c.stats.calling[voters][owner] + _EXTRA_CALLEES)
    same = np.zeros(len(owner) + 1, dtype=bool)
    same[1:-1] = owner[1:] == owner[:-1]
    before, after = np.zeros(len(owner)), np.zeros(len(owner))
    before[1:] = likeliness[:-1]
    after[:-1] = likeliness[1:]
    return CallsBesideLikely(callee, weight, before * same[:-1], after * same[1:], float(weight.sum()))


def _score_called_together(c: CandidateSet) -> Floats:
    """The functions that call the likely ones call it too."""
    found = c.make_once(find_calls_beside_likely)
    return c.sum_weights_by_row(found.callee, found.weight) / (found.total + 1e-9)


def _score_called_after_likely(c: CandidateSet) -> Floats:
    """They call it right after a likely one."""
    found = c.make_once(find_calls_beside_likely)
    return c.sum_weights_by_row(found.callee, found.before / (1.0 + c.evidence.count_visible_callers(found.callee)))


def _score_called_before_likely(c: CandidateSet) -> Floats:
    """They call it right before a likely one."""
    found = c.make_once(find_calls_beside_likely)
    return c.sum_weights_by_row(found.callee, found.after / (1.0 + c.evidence.count_visible_callers(found.callee)))


def weigh_types_of_likely_results(c: CandidateSet) -> Floats:
    """Over types: the weight of the likeliest candidate that returns it; 0 for what the target has anyway."""
    first = c.make_once(choose_likely_callees)
    given, at = c.tables.gives.gather_lists(first.rows)
    found = np.zeros(len(c.tables.types))
    np.maximum.at(found, given, first.weight[at])
    found[c.evidence.own_types] = 0.0
    return found


def _sum_weights_of_lists(c: CandidateSet, lists: Lists, weight: Floats) -> Floats:
    """For each candidate the sum of the weights of what its list holds."""
    flat, owner = lists.gather_lists(c.rows)
    return sum_by_row(owner, weight[flat], len(c.rows))


def _score_takes_likely_result(c: CandidateSet) -> Floats:
    """It takes what likely ones return."""
    return _sum_weights_of_lists(c, c.tables.takes, c.make_once(weigh_types_of_likely_results) * c.stats.takes)


def _score_method_of_likely_result(c: CandidateSet) -> Floats:
    """It is a method of what likely ones return."""
    types: Places = np.flatnonzero(c.make_once(weigh_types_of_likely_results))
    scopes, at = c.tables.type_scopes.gather_lists(types)
    of_scope = np.zeros(len(c.tables.scopes) + 1)
    np.maximum.at(of_scope, scopes, c.make_once(weigh_types_of_likely_results)[types][at])
    return of_scope[c.tables.scope[c.rows]]


def _score_calls_likely(c: CandidateSet) -> Floats:
    """It calls likely ones itself: the target may call it in their place."""
    found, owner = c.tables.calls.gather_lists(c.rows)
    return sum_by_row(
        owner, c.make_once(choose_likely_callees).weight_of[found] * c.evidence.visible[c.rows][owner], len(c.rows)
    )


def _score_called_by_likely(c: CandidateSet) -> Floats:
    """Likely ones call it."""
    found, at = c.tables.calls.gather_lists(c.make_once(choose_likely_callees).rows)
    return c.sum_weights_by_row(found, c.make_once(choose_likely_callees).weight[at])


LIKELY: Mapping[str, Signal] = {
    "guess": lambda c: c.make_once(guess_scores),
    "together": _score_called_together,
    "after_likely": _score_called_after_likely,
    "before_likely": _score_called_before_likely,
    "takes_likely": _score_takes_likely_result,
    "of_likely": _score_method_of_likely_result,
    "calls_likely": _score_calls_likely,
    "called_by_likely": _score_called_by_likely,
}
