"""The signals of each candidate of a target: one row of numbers per function, the same for training and use.

A new signal is one function of the `CandidateSet` and one line in `SIGNALS`. `learned` computes and reads the signals
that its rankers were trained on, by name: a new one counts once the generic one is trained again
(benchmarks/retrieval/generic_ranker.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from retrieval.structure.candidate_set import SPREAD_VOTES, CandidateSet, Column, Signal, divide_by_greatest
from retrieval.structure.evidence.neighbour_votes import SpreadVotes
from retrieval.structure.evidence.word_meanings import MEANING_SIGNALS, compute_meaning_signals
from retrieval.structure.likely_callees import LIKELY_SIGNALS, compute_likely_callee_signals
from retrieval.structure.target_query import FAR_INCLUDES

MOST_OUTSIDE_MENTIONS = 50
"""Mentions outside bodies beyond which more say nothing more."""


def _votes_signal(name: str) -> Signal:
    return lambda c: c.count_votes(name)


def _vote_share_signal(name: str) -> Signal:
    return lambda c: c.evidence.get_or_make_vote(name).compute_share(c.rows)


def _heaviest_voter_signal(name: str) -> Signal:
    return lambda c: c.evidence.get_or_make_vote(name).find_heaviest_voter_weights(c.rows)


def _spread_vote_signal(name: str, neighbour: str) -> Signal:
    return lambda c: getattr(c.spread_votes[name], neighbour)


def _make_constant_signal_of_target(value: Callable[[CandidateSet], float]) -> Signal:
    """The same number for every candidate, so that trees may split by it first."""
    return lambda c: np.full(len(c.rows), value(c), dtype=np.float32)


def _count_includes_to_declaration(c: CandidateSet) -> Column:
    """Includes between the target's file and the nearest one that declares the candidate."""
    declared, owner = c.tables.declared.gather_lists_with_owners(c.rows)
    nearest = np.full(len(c.rows), FAR_INCLUDES, dtype=np.int32)
    np.minimum.at(nearest, owner, c.query.reach[declared])
    return nearest


def _count_candidates_of_same_name(c: CandidateSet) -> Column:
    numbers = c.stats.name_number[c.rows]
    return np.bincount(numbers, minlength=len(c.tables.ids))[numbers]


def _count_includes_beyond_nearest_namesake(c: CandidateSet) -> Column:
    """By how many includes the nearest candidate of the same name is nearer."""
    numbers = c.stats.name_number[c.rows]
    nearest = np.full(len(c.tables.ids), FAR_INCLUDES + 1.0)
    np.minimum.at(nearest, numbers, c.includes_away)
    nearer: Column = c.includes_away - nearest[numbers]
    return nearer


def _compute_meaning_columns(c: CandidateSet) -> dict[str, Column]:
    spoken = {"doc": c.query.doc, "name": c.query.name, "offered": c.query.offered}
    return compute_meaning_signals(c.meanings, spoken, c.tables.name, c.tables.doc, c.rows)


def _make_signal_from_group(make: Callable[[CandidateSet], dict[str, Column]], name: str) -> Signal:
    """One of several signals that are made together."""
    return lambda c: c.get_or_make_value(make)[name]


def rank_values_from_greatest(values: Column) -> Column:
    """0 for the greatest; equal values have equal ranks, that of the first: their order says nothing."""
    return np.searchsorted(np.sort(-values), -values).astype(np.int32)


_LOCAL_SIGNALS: Mapping[str, Signal] = {
    "pool": lambda c: c.pool,
    # Votes of functions that are similar to the target, near it, or related to it by calls.
    "file": _votes_signal("file"),
    "file_share": _vote_share_signal("file"),
    "near": _votes_signal("near"),
    "near_best": _heaviest_voter_signal("near"),
    "scope": _votes_signal("scope"),
    "scope_share": _vote_share_signal("scope"),
    "folder": _votes_signal("folder"),
    "folder_share": _vote_share_signal("folder"),
    "names": _vote_share_signal("names"),
    "names_best": _heaviest_voter_signal("names"),
    "alike": _vote_share_signal("alike"),
    "alike_best": _heaviest_voter_signal("alike"),
    "more_alike": _vote_share_signal("more_alike"),
    "types": _vote_share_signal("types"),
    "types_best": _heaviest_voter_signal("types"),
    "docs": _vote_share_signal("docs"),
    "docs_best": _heaviest_voter_signal("docs"),
    "namesakes": _votes_signal("namesakes"),
    "namesakes_share": _vote_share_signal("namesakes"),
    "by_name_words": _votes_signal("name_words"),
    "by_doc_words": _votes_signal("doc_words"),
    "by_offered_words": _votes_signal("offered_words"),
    "by_types_taken": _votes_signal("types_taken"),
    "first_word_votes": _vote_share_signal("first_word"),
    "last_word_votes": _vote_share_signal("last_word"),
    "file_words": _vote_share_signal("file_words"),
    "callers": _votes_signal("callers"),
    "callers_share": _vote_share_signal("callers"),
    "cousins": _vote_share_signal("cousins"),
    # How often it is called, and from where.
    "calls_target": lambda c: c.calls_target,
    "called": lambda c: np.log1p(c.caller_counts),
    "called_in_file": lambda c: c.count_votes("file") / (c.caller_counts + 1.0),
    "called_in_folder": lambda c: c.count_votes("folder") / (c.caller_counts + 1.0),
    "called_elsewhere": lambda c: np.log1p(np.maximum(c.caller_counts - c.count_votes("folder"), 0.0)),
    "never_called": lambda c: c.caller_counts == 0.0,
    "implied": lambda c: np.log1p(c.macro_caller_counts),
    # Words that the target and the candidate have in common.
    "name": lambda c: c.similarity.name[c.rows],
    "name_covered": lambda c: c.similarity.name[c.rows] / c.stats.name_weight[c.rows],
    "name_cosine": lambda c: c.similarity.name_cosine[c.rows],
    "in_doc": lambda c: c.name_overlap_with_docstring,
    "in_doc_covered": lambda c: c.name_overlap_with_docstring / c.stats.name_weight[c.rows],
    "in_offered": lambda c: c.sum_shared_rarity(c.tables.name, c.query.offered, c.stats.name),
    "in_all_covered": lambda c: c.similarity.in_all[c.rows] / c.stats.name_weight[c.rows],
    "doc": lambda c: c.similarity.doc[c.rows],
    "mentioned": lambda c: np.isin(c.rows, c.query.mentioned),
    # Types: what both take and return, what one takes of what the other returns, what fields lead to.
    "takes": lambda c: c.similarity.takes[c.rows],
    "gives": lambda c: c.similarity.gives[c.rows],
    "gives_taken": lambda c: c.sum_shared_rarity(c.tables.gives, c.query.takes, c.stats.gives),
    "takes_given": lambda c: c.sum_shared_rarity(c.tables.takes, c.query.gives, c.stats.takes),
    "reachable": lambda c: c.sum_shared_rarity(
        c.tables.takes, np.setdiff1d(c.evidence.field_types, c.evidence.own_types), c.stats.takes
    ),
    "types_taken": lambda c: c.measure_candidate_list_lengths(c.tables.takes),
    "types_given": lambda c: c.measure_candidate_list_lengths(c.tables.gives),
    "kinds": lambda c: c.parameter_type_overlap.common,
    "kinds_covered": lambda c: c.parameter_type_overlap.share,
    "arguments": lambda c: c.parameter_name_overlap.common,
    "arguments_covered": lambda c: c.parameter_name_overlap.share,
    "same_result": lambda c: c.tables.result[c.rows] == c.query.result,
    "own": lambda c: c.evidence.is_in_own_scope[c.rows],
    "inherited": lambda c: c.evidence.is_inherited[c.rows],
    "of_types": lambda c: c.evidence.is_method_of_own_type[c.rows],
    "of_fields": lambda c: c.evidence.is_method_of_field_type[c.rows],
    # Where it stands, and what it is.
    "in_file": lambda c: c.is_in_target_file,
    "in_folder": lambda c: c.evidence.is_in_folder[c.rows],
    "in_area": lambda c: c.tables.area[c.files] == c.tables.area[c.query.file],
    "distance": lambda c: np.abs(c.distance_from_target),
    "place": lambda c: c.distance_from_target,
    "reach": lambda c: c.query.reach[c.files],
    "declared": _count_includes_to_declaration,
    "test": lambda c: c.tables.test[c.files],
    "header": lambda c: c.tables.header[c.files],
    "static": lambda c: c.tables.static[c.rows],
    "orphan": lambda c: c.is_orphan,
    "outside": lambda c: np.minimum(c.tables.outside[c.rows], MOST_OUTSIDE_MENTIONS),
    "defined": lambda c: c.tables.defined[c.rows],
    "lines": lambda c: c.tables.lines[c.rows] * c.evidence.visible[c.rows],
    "parameters": lambda c: c.tables.parameters[c.rows],
    "more_parameters": lambda c: c.tables.parameters[c.rows] - c.query.parameters,
    "words": lambda c: c.measure_candidate_list_lengths(c.tables.name),
    "documented": lambda c: c.measure_candidate_list_lengths(c.tables.doc),
    "scoped": lambda c: c.tables.scope[c.rows] >= 0,
    # How its name is spelled.
    "prefix": lambda c: c.spelling_overlap.prefix,
    "inside": lambda c: c.spelling_overlap.inside,
    "around": lambda c: c.spelling_overlap.around,
    "same_spelling": lambda c: c.spelling_overlap.same,
    "first_word": lambda c: c.stats.first[c.rows] == (c.query.name[0] if len(c.query.name) else -2),
    "last_word": lambda c: c.stats.last[c.rows] == (c.query.name[-1] if len(c.query.name) else -2),
    # Votes for its neighbours: near_of_name, near_of_file...
    **{f"{name}_of_{what}": _spread_vote_signal(name, what) for name in SPREAD_VOTES for what in SpreadVotes._fields},
    "analogous": lambda c: c.evidence.renamed_callees.total[c.rows],
    "analogous_best": lambda c: c.evidence.renamed_callees.best[c.rows],
    "alike_named": _count_candidates_of_same_name,
    "nearer_namesake": _count_includes_beyond_nearest_namesake,
    "calling": lambda c: c.stats.calling[c.rows] * c.evidence.visible[c.rows],
    # What the target is.
    "of_class": _make_constant_signal_of_target(lambda c: c.query.scope >= 0),
    "target_parameters": _make_constant_signal_of_target(lambda c: c.query.parameters),
    "target_static": _make_constant_signal_of_target(lambda c: c.query.static),
    "target_header": _make_constant_signal_of_target(lambda c: bool(c.tables.header[c.query.file])),
    "target_test": _make_constant_signal_of_target(lambda c: bool(c.tables.test[c.query.file])),
    "target_returns_nothing": _make_constant_signal_of_target(lambda c: c.query.returns_nothing),
    "target_callers": _make_constant_signal_of_target(lambda c: len(c.evidence.callers)),
    "target_doc": _make_constant_signal_of_target(lambda c: len(c.query.doc)),
    "target_file": _make_constant_signal_of_target(lambda c: c.evidence.get_or_make_vote("file").total),
    "target_file_words": _make_constant_signal_of_target(lambda c: c.evidence.get_or_make_vote("file_words").total),
}

_OTHER_SIGNALS: Mapping[str, Signal] = {
    **{name: _make_signal_from_group(compute_likely_callee_signals, name) for name in LIKELY_SIGNALS},
    **{name: _make_signal_from_group(_compute_meaning_columns, name) for name in MEANING_SIGNALS},
}

RANKED_SIGNALS = ("pool", "near", "alike", "more_alike", "file", "types", "by_name_words", "meant")
"""Signals that also come as their rank among the candidates, and as a part of the greatest."""

RANKED_FORMS: Mapping[str, Callable[[Column], Column]] = {
    "rank": rank_values_from_greatest,
    "part": divide_by_greatest,
}


def _apply_form_to_signal(signal: Signal, form: Callable[[Column], Column]) -> Signal:
    return lambda c: form(c.get_or_make_value(signal))


def _add_rank_and_part_signals(signals: Mapping[str, Signal]) -> dict[str, Signal]:
    ranked = [(name, signals[name]) for name in RANKED_SIGNALS if name in signals]
    forms = RANKED_FORMS.items()
    return {
        **signals,
        **{f"{name}_{how}": _apply_form_to_signal(signal, form) for name, signal in ranked for how, form in forms},
    }


SIGNALS = _add_rank_and_part_signals({**_LOCAL_SIGNALS, **_OTHER_SIGNALS})
SIGNAL_NAMES = tuple(SIGNALS)
"""All signals, in the order of a full table."""
LOCAL_SIGNAL_NAMES = tuple(_add_rank_and_part_signals(_LOCAL_SIGNALS))
"""Those that the local ranker learns with. A repository's own functions are few lessons: with all signals it found
0.601 of redis's callees among its first ten, with these 0.631 (250 functions of the development split, 2026-11-25)."""


def compute_signal_columns(candidates: CandidateSet, names: Sequence[str] = SIGNAL_NAMES) -> dict[str, Column]:
    """The signals of these names, in their order; no other is computed. Raises KeyError for a name that is none."""
    return {name: candidates.get_or_make_value(SIGNALS[name]) for name in names}
