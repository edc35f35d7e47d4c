"""A second look: what the likeliest callees of a first guess say of the other candidates. Who calls them calls this
one too, right before or after them; it takes what they return; it is a method of that. All of it reads visible bodies
alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from index.arrays import keep_heaviest_rows_in_order
from retrieval.structure.candidate_set import CandidateSet, Column, divide_by_greatest
from retrieval.structure.tables.compressed_lists import Floats, Places, Rows, sum_by_row

MOST_LIKELY_CALLEES = 12
"""Candidates that count as likely."""
MOST_CALLERS_OF_LIKELY = 150
"""Callers above which a likely one says nothing of what is called beside it."""
MOST_CALLERS_READ = 150
"""Functions that call the likely ones, those first that call most of them."""
_EXTRA_CALLEES = 2.0
"""Callees added to each voter's: a function that calls the likely ones alone is rare luck."""

LIKELY_SIGNALS = (
    "guess",
    "together",
    "after_likely",
    "before_likely",
    "takes_likely",
    "of_likely",
    "calls_likely",
    "called_by_likely",
)


class LikelyCallees(NamedTuple):
    """The likeliest candidates: `rows`, each with its weight; `weight_of` is the same over all rows."""

    rows: Rows
    weight: Floats
    weight_of: Floats


def compute_likely_callee_signals(c: CandidateSet) -> dict[str, Column]:
    tables, rows = c.tables, c.rows
    guess = _score_by_strongest_fixed_signals(c)
    likely = _choose_likely_callees(c, guess)
    beside = _weigh_calls_beside_likely_callees(c, likely)
    callers = 1.0 + c.evidence.count_visible_callers(beside.callee)
    result = _weigh_types_by_likeliest_result(c, likely)
    callees, caller = tables.calls.gather_lists_with_owners(rows)
    called, place = tables.calls.gather_lists_with_owners(likely.rows)
    return {
        "guess": guess,
        # The functions that call the likely ones call it too; right after a likely one; right before one.
        "together": c.sum_weights_by_candidate(beside.callee, beside.weight) / (beside.total + 1e-9),
        "after_likely": c.sum_weights_by_candidate(beside.callee, beside.before / callers),
        "before_likely": c.sum_weights_by_candidate(beside.callee, beside.after / callers),
        # It takes what likely ones return; it is a method of that.
        "takes_likely": _sum_weights_of_taken_types(c, result * c.stats.takes),
        "of_likely": _map_type_weights_to_scopes(c, result)[tables.scope[rows]],
        # It calls likely ones itself: the target may call it in their place. Likely ones call it.
        "calls_likely": sum_by_row(caller, likely.weight_of[callees] * c.evidence.visible[rows][caller], len(rows)),
        "called_by_likely": c.sum_weights_by_candidate(called, likely.weight[place]),
    }


def _score_by_strongest_fixed_signals(c: CandidateSet) -> Floats:
    """A first order of the candidates. The weights are those of the strongest fixed signals, rounded."""
    e = c.evidence
    votes = (
        e.get_or_make_vote("near").find_heaviest_voter_weights(c.rows)
        + divide_by_greatest(e.get_or_make_vote("more_alike").get_votes_of_rows(c.rows))
        + divide_by_greatest(e.get_or_make_vote("alike").get_votes_of_rows(c.rows))
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


def _choose_likely_callees(c: CandidateSet, guess: Floats) -> LikelyCallees:
    """The best by `guess`; the first weighs twice as much as the third."""
    order = np.argsort(-guess, kind="stable")[:MOST_LIKELY_CALLEES]
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


def _weigh_calls_beside_likely_callees(c: CandidateSet, likely: LikelyCallees) -> CallsBesideLikely:
    """Of the visible functions that call most of the likely ones."""
    tables = c.tables
    kept = c.evidence.count_visible_callers(likely.rows) <= MOST_CALLERS_OF_LIKELY
    rows, at = tables.callers.gather_lists_with_owners(likely.rows[kept])
    there = c.evidence.may_vote[rows]
    voters, place = np.unique(rows[there], return_inverse=True)
    overlap = sum_by_row(place, likely.weight[kept][at[there]], len(voters))
    best = keep_heaviest_rows_in_order(np.arange(len(voters)), overlap, MOST_CALLERS_READ)
    voters, overlap = voters[best], overlap[best]
    places, owner = tables.calls.gather_list_places_with_owners(voters)
    order = np.lexsort((tables.turns[places], owner))
    places, owner = places[order], owner[order]
    callee = tables.calls.flat[places]
    likeliness = likely.weight_of[callee]
    weight = (overlap[owner] - likeliness) ** 2 / (c.stats.calling[voters][owner] + _EXTRA_CALLEES)
    same = np.zeros(len(owner) + 1, dtype=bool)
    same[1:-1] = owner[1:] == owner[:-1]
    before, after = np.zeros(len(owner)), np.zeros(len(owner))
    before[1:] = likeliness[:-1]
    after[:-1] = likeliness[1:]
    return CallsBesideLikely(callee, weight, before * same[:-1], after * same[1:], float(weight.sum()))


def _weigh_types_by_likeliest_result(c: CandidateSet, likely: LikelyCallees) -> Floats:
    """Over types: the weight of the likeliest candidate that returns it; 0 for what the target has anyway."""
    given, at = c.tables.gives.gather_lists_with_owners(likely.rows)
    found = np.zeros(len(c.tables.types))
    np.maximum.at(found, given, likely.weight[at])
    found[c.evidence.own_types] = 0.0
    return found


def _sum_weights_of_taken_types(c: CandidateSet, weight: Floats) -> Floats:
    """For each candidate the sum of the weights of the types that it takes."""
    flat, owner = c.tables.takes.gather_lists_with_owners(c.rows)
    return sum_by_row(owner, weight[flat], len(c.rows))


def _map_type_weights_to_scopes(c: CandidateSet, weight_by_type: Floats) -> Floats:
    """Over scopes: the greatest weight of a type of that name; the last is that of no scope."""
    types: Places = np.flatnonzero(weight_by_type)
    scopes, at = c.tables.type_scopes.gather_lists_with_owners(types)
    of_scope = np.zeros(len(c.tables.scopes) + 1)
    np.maximum.at(of_scope, scopes, weight_by_type[types][at])
    return of_scope
