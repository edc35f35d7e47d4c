"""The signals of each candidate of a target: one row of numbers per function, the same for training and use.

A new signal is one function of the `CandidateSet` and one line in `SIGNALS`. `learned` computes and reads the signals
that its rankers were trained on, by name: a new one counts once the generic one is trained again
(benchmarks/retrieval/generic_ranker.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from retrieval.structure.candidates import SPREAD_VOTES, CandidateSet, Column, Signal
from retrieval.structure.cues.likely import LIKELY
from retrieval.structure.cues.meanings import MEANINGS
from retrieval.structure.evidence.spread import Spread
from retrieval.structure.target_query import FAR

MOST_OUTSIDE = 50
"""Mentions outside bodies beyond which more say nothing more."""


def _votes(name: str) -> Signal:
    return lambda c: c.votes(name)


def _share(name: str) -> Signal:
    return lambda c: c.evidence.vote(name).share(c.rows)


def _best(name: str) -> Signal:
    return lambda c: c.evidence.vote(name).best_of(c.rows)


def _spread(name: str, neighbour: str) -> Signal:
    return lambda c: getattr(c.spread(name), neighbour)


def _of_target(value: Callable[[CandidateSet], float]) -> Signal:
    """The same number for every candidate, so that trees may split by it first."""
    return lambda c: np.full(len(c.rows), value(c), dtype=np.float32)


def _declared(c: CandidateSet) -> Column:
    """Includes between the target's file and the nearest one that declares the candidate."""
    declared, owner = c.tables.declared.gather(c.rows)
    nearest = np.full(len(c.rows), FAR, dtype=np.int32)
    np.minimum.at(nearest, owner, c.reach[declared])
    return nearest


def _named_alike(c: CandidateSet) -> Column:
    """How many candidates have the same name."""
    numbers = c.stats.name_number[c.rows]
    return np.bincount(numbers, minlength=len(c.tables.ids))[numbers]


def _nearer_namesake(c: CandidateSet) -> Column:
    """By how many includes the nearest candidate of the same name is nearer."""
    numbers = c.stats.name_number[c.rows]
    nearest = np.full(len(c.tables.ids), FAR + 1.0)
    np.minimum.at(nearest, numbers, c.away)
    nearer: Column = c.away - nearest[numbers]
    return nearer


_USUAL: Mapping[str, Signal] = {
    "pool": lambda c: c.pool,
    # Votes of functions that are similar to the target, near it, or related to it by calls.
    "file": _votes("file"),
    "file_share": _share("file"),
    "near": _votes("near"),
    "near_best": _best("near"),
    "scope": _votes("scope"),
    "scope_share": _share("scope"),
    "folder": _votes("folder"),
    "folder_share": _share("folder"),
    "names": _share("names"),
    "names_best": _best("names"),
    "alike": _share("alike"),
    "alike_best": _best("alike"),
    "more_alike": _share("more_alike"),
    "types": _share("types"),
    "types_best": _best("types"),
    "docs": _share("docs"),
    "docs_best": _best("docs"),
    "namesakes": _votes("namesakes"),
    "namesakes_share": _share("namesakes"),
    "by_name_words": _votes("name_words"),
    "by_doc_words": _votes("doc_words"),
    "by_offered_words": _votes("offered_words"),
    "by_types_taken": _votes("types_taken"),
    "first_word_votes": _share("first_word"),
    "last_word_votes": _share("last_word"),
    "file_words": _share("file_words"),
    "callers": _votes("callers"),
    "callers_share": _share("callers"),
    "cousins": _share("cousins"),
    # How often it is called, and from where.
    "calls_target": lambda c: c.calls_target,
    "called": lambda c: np.log1p(c.called),
    "called_in_file": lambda c: c.votes("file") / (c.called + 1.0),
    "called_in_folder": lambda c: c.votes("folder") / (c.called + 1.0),
    "called_elsewhere": lambda c: np.log1p(np.maximum(c.called - c.votes("folder"), 0.0)),
    "never_called": lambda c: c.called == 0.0,
    "implied": lambda c: np.log1p(c.implied),
    # Words that the target and the candidate have in common.
    "name": lambda c: c.similarity.name[c.rows],
    "name_covered": lambda c: c.similarity.name[c.rows] / c.stats.name_weight[c.rows],
    "name_cosine": lambda c: c.similarity.name_cosine[c.rows],
    "in_doc": lambda c: c.in_doc,
    "in_doc_covered": lambda c: c.in_doc / c.stats.name_weight[c.rows],
    "in_offered": lambda c: c.common(c.tables.name, c.query.offered, c.stats.name),
    "in_all_covered": lambda c: c.similarity.in_all[c.rows] / c.stats.name_weight[c.rows],
    "doc": lambda c: c.similarity.doc[c.rows],
    "mentioned": lambda c: np.isin(c.rows, c.query.mentioned),
    # Types: what both take and return, what one takes of what the other returns, what fields lead to.
    "takes": lambda c: c.similarity.takes[c.rows],
    "gives": lambda c: c.similarity.gives[c.rows],
    "gives_taken": lambda c: c.common(c.tables.gives, c.query.takes, c.stats.gives),
    "takes_given": lambda c: c.common(c.tables.takes, c.query.gives, c.stats.takes),
    "reachable": lambda c: c.common(
        c.tables.takes, np.setdiff1d(c.evidence.field_types, c.evidence.own_types), c.stats.takes
    ),
    "types_taken": lambda c: c.sizes(c.tables.takes),
    "types_given": lambda c: c.sizes(c.tables.gives),
    "kinds": lambda c: c.kinds.common,
    "kinds_covered": lambda c: c.kinds.share,
    "arguments": lambda c: c.arguments.common,
    "arguments_covered": lambda c: c.arguments.share,
    "same_result": lambda c: c.tables.result[c.rows] == c.query.result,
    "own": lambda c: c.evidence.own[c.rows],
    "inherited": lambda c: c.evidence.inherited[c.rows],
    "of_types": lambda c: c.evidence.of_types[c.rows],
    "of_fields": lambda c: c.evidence.of_fields[c.rows],
    # Where it stands, and what it is.
    "in_file": lambda c: c.in_file,
    "in_folder": lambda c: c.evidence.in_folder[c.rows],
    "in_area": lambda c: c.tables.area[c.files] == c.tables.area[c.query.file],
    "distance": lambda c: np.abs(c.place),
    "place": lambda c: c.place,
    "reach": lambda c: c.reach[c.files],
    "declared": _declared,
    "test": lambda c: c.tables.test[c.files],
    "header": lambda c: c.tables.header[c.files],
    "static": lambda c: c.tables.static[c.rows],
    "orphan": lambda c: c.orphan,
    "outside": lambda c: np.minimum(c.tables.outside[c.rows], MOST_OUTSIDE),
    "defined": lambda c: c.tables.defined[c.rows],
    "lines": lambda c: c.tables.lines[c.rows] * c.evidence.visible[c.rows],
    "parameters": lambda c: c.tables.parameters[c.rows],
    "more_parameters": lambda c: c.tables.parameters[c.rows] - c.query.parameters,
    "words": lambda c: c.sizes(c.tables.name),
    "documented": lambda c: c.sizes(c.tables.doc),
    "scoped": lambda c: c.tables.scope[c.rows] >= 0,
    # How its name is spelled.
    "prefix": lambda c: c.spelling.prefix,
    "inside": lambda c: c.spelling.inside,
    "around": lambda c: c.spelling.around,
    "same_spelling": lambda c: c.spelling.same,
    "first_word": lambda c: c.stats.first[c.rows] == (c.query.name[0] if len(c.query.name) else -2),
    "last_word": lambda c: c.stats.last[c.rows] == (c.query.name[-1] if len(c.query.name) else -2),
    # Votes for its neighbours: near_of_name, near_of_file...
    **{f"{name}_of_{what}": _spread(name, what) for name in SPREAD_VOTES for what in Spread._fields},
    "analogous": lambda c: c.evidence.analogous.total[c.rows],
    "analogous_best": lambda c: c.evidence.analogous.best[c.rows],
    "alike_named": _named_alike,
    "nearer_namesake": _nearer_namesake,
    "calling": lambda c: c.stats.calling[c.rows] * c.evidence.visible[c.rows],
    # What the target is.
    "of_class": _of_target(lambda c: c.query.scope >= 0),
    "target_parameters": _of_target(lambda c: c.query.parameters),
    "target_static": _of_target(lambda c: c.query.static),
    "target_header": _of_target(lambda c: bool(c.tables.header[c.query.file])),
    "target_test": _of_target(lambda c: bool(c.tables.test[c.query.file])),
    "target_returns_nothing": _of_target(lambda c: c.query.returns_nothing),
    "target_callers": _of_target(lambda c: len(c.evidence.callers)),
    "target_doc": _of_target(lambda c: len(c.query.doc)),
    "target_file": _of_target(lambda c: c.evidence.vote("file").total),
    "target_file_words": _of_target(lambda c: c.evidence.vote("file_words").total),
}

SIGNALS: Mapping[str, Signal] = {**_USUAL, **LIKELY, **MEANINGS}

RANKED = ("pool", "near", "alike", "more_alike", "file", "types", "by_name_words", "meant")
"""Signals that also come as their rank among the candidates, and as a part of the greatest."""
HOW = ("rank", "part")

NAMES = (*SIGNALS, *(f"{name}_{how}" for name in RANKED for how in HOW))
"""All signals, in the order of a full table."""
USUAL = (*_USUAL, *(f"{name}_{how}" for name in RANKED if name in _USUAL for how in HOW))
"""Those that the local ranker learns with. A repository's own functions are few lessons: with all signals it found
0.601 of redis's callees among its first ten, with these 0.631 (250 functions of the development split, 2026-11-25)."""


def columns_of(candidates: CandidateSet, names: Sequence[str] = NAMES) -> dict[str, Column]:
    """The signals of these names, in their order; no other is computed. Raises KeyError for a name that is none."""
    made: dict[str, Column] = {}

    def column(name: str) -> Column:
        if name not in made:
            made[name] = SIGNALS[name](candidates)
        return made[name]

    def ranked(name: str) -> Column:
        signal, _, how = name.rpartition("_")
        return ranked_column(column(signal), how) if how in HOW and signal in RANKED else column(name)

    return {name: ranked(name) for name in names}


def ranked_column(values: Column, how: str) -> Column:
    """`rank`: 0 for the greatest; equal values have equal ranks, that of the first: their order says nothing. `part`:
    as a part of the greatest."""
    if how == "rank":
        return np.searchsorted(np.sort(-values), -values).astype(np.int32)
    part: Column = values / (values.max(initial=0.0) + 1e-9)
    return part
