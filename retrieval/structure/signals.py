"""The signals of each candidate of a target: one row of numbers per function, the same for training and use.

A new signal is one function of the `CandidateSet` and one line in `SIGNALS`; after that the generic ranker has to be
trained again (benchmarks/retrieval/generic_ranker.py), since a ranker knows its signals by their names and order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.structure.evidence import Evidence
from retrieval.structure.spelling import Spelling, spelling
from retrieval.structure.spread import Spread, neighbours, spread
from retrieval.structure.tables.lists import Floats, Lists, Places, Rows, summed
from retrieval.structure.target_query import FAR

Column = npt.NDArray[Any]
MOST_OUTSIDE = 50
"""Mentions outside bodies beyond which more say nothing more."""


class Overlap(NamedTuple):
    """For each candidate the rarity of what its list shares with the target's, and the share of its list, -1 for an
    empty list."""

    common: Floats
    share: Floats


class CandidateSet:
    """The candidates `rows` of one target, and what several of their signals are computed from.

    `reach`: over files, the number of includes between the target's and it; `pool`: each candidate's pool score."""

    def __init__(self, evidence: Evidence, reach: Rows, rows: Rows, pool: Floats) -> None:
        self.evidence = evidence
        self.tables = evidence.tables
        self.stats = evidence.stats
        self.query = evidence.query
        self.similarity = evidence.similarity
        self.rows = rows
        self.pool = pool
        self.reach = reach
        self.files = self.tables.file[rows]

    @cached_property
    def called(self) -> Floats:
        return self.evidence.called(self.rows)

    @cached_property
    def implied(self) -> Floats:
        return self.evidence.implied(self.rows)

    def votes(self, name: str) -> Floats:
        return self.evidence.vote(name).of(self.rows)

    @cached_property
    def kinds(self) -> Overlap:
        return self._overlap(self.tables.kind, self.query.kind, self.stats.kind)

    @cached_property
    def arguments(self) -> Overlap:
        return self._overlap(self.tables.argument, self.query.argument, self.stats.argument)

    @cached_property
    def in_doc(self) -> Floats:
        """Words of the docstring, without the name's, that the candidate's name has."""
        return self.common(self.tables.name, np.setdiff1d(self.query.doc, self.query.name), self.stats.name)

    @cached_property
    def in_file(self) -> Column:
        return self.evidence.in_file[self.rows]

    @cached_property
    def place(self) -> Places:
        """The distance from the target, negative above it."""
        return self.evidence.distance(self.rows)

    @cached_property
    def spelling(self) -> Spelling:
        return spelling(self.tables, self.rows, self.query.spelled)

    @cached_property
    def _neighbours(self) -> dict[str, Spread]:
        around = neighbours(self.tables, self.stats, self.rows)
        votes = {name: self.evidence.vote(vote) for name, vote in _SPREAD_VOTES.items()}
        return {name: spread(self.tables, self.stats, vote, around) for name, vote in votes.items()}

    def spread(self, name: str) -> Spread:
        """The votes of that name, passed on to the neighbours of each function voted for."""
        return self._neighbours[name]

    def common(self, lists: Lists, wanted: Places, weight: Floats) -> Floats:
        """The rarity of what each candidate's list has in common with `wanted`."""
        flat, owner = lists.gather(self.rows)
        there = np.isin(flat, wanted)
        return summed(owner[there], weight[flat[there]], len(self.rows))

    def sizes(self, lists: Lists) -> Places:
        """The length of each candidate's list."""
        return lists.starts[self.rows + 1] - lists.starts[self.rows]

    def _overlap(self, lists: Lists, wanted: Places, weight: Floats) -> Overlap:
        flat, owner = lists.gather(self.rows)
        found = np.isin(flat, wanted)
        total = self.sizes(lists)
        common = summed(owner, found * weight[flat], len(self.rows))
        share = summed(owner, found.astype(np.float64), len(self.rows)) / np.maximum(total, 1)
        return Overlap(common, np.where(total > 0, share, -1.0))

    @cached_property
    def away(self) -> Floats:
        """Includes between the target's file and the candidate's; half an include more for test code."""
        return self.reach[self.files] + 0.5 * self.tables.test[self.files]


Signal = Callable[[CandidateSet], Column]


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


def _orphan(c: CandidateSet) -> Column:
    """A static function of the target's file that nothing visible calls: something hidden calls it."""
    return c.tables.static[c.rows] & c.in_file & (c.called <= 0) & (c.implied <= 0)


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


_SPREAD_VOTES = {
    "near": "near",
    "alike": "more_alike",
    "file": "file",
    "types": "types",
    "name_words": "name_words",
    "doc_words": "doc_words",
}

SIGNALS: Mapping[str, Signal] = {
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
    "calls_target": lambda c: np.isin(c.rows, c.evidence.callers),
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
    "orphan": _orphan,
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
    **{f"{name}_of_{what}": _spread(name, what) for name in _SPREAD_VOTES for what in Spread._fields},
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

RANKED = ("pool", "near", "alike", "more_alike", "file", "types", "by_name_words")
"""Signals that also come as their rank among the candidates, and as a part of the greatest."""


def columns_of(candidates: CandidateSet) -> dict[str, Column]:
    """All signals by name, in the order of the table; then ranks and parts of those in `RANKED`."""
    columns = {name: signal(candidates) for name, signal in SIGNALS.items()}
    for name in RANKED:
        columns[f"{name}_rank"] = _ranks(columns[name])
        columns[f"{name}_part"] = columns[name] / (columns[name].max(initial=0.0) + 1e-9)
    return columns


def _ranks(values: Column) -> Rows:
    """0 for the greatest. Equal values have equal ranks, that of the first: their order says nothing."""
    ordered = np.sort(-values)
    return np.searchsorted(ordered, -values).astype(np.int32)
