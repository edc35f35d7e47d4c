"""The signals of each candidate of a target: one row of numbers per function, the same for training and use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from index.hiding.view import HiddenView
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.structure.evidence import Evidence, gather
from retrieval.structure.kernels import Rarity, rarity_of
from retrieval.structure.pool import pool_of, pool_score
from retrieval.structure.question import FAR, Asker, Question
from retrieval.structure.spelling import spellings
from retrieval.structure.spread import beside, spread
from retrieval.structure.tables.build import open_tables
from retrieval.structure.tables.lists import Floats, Lists, Places, Rows, summed
from retrieval.structure.tables.tables import RankTables

Table = npt.NDArray[np.float32]
Column = npt.NDArray[Any]
NOBODY = np.zeros(0, dtype=np.int32)

RANKED = ("pool", "near", "alike", "more_alike", "file", "types", "by_name_words")
"""Signals that also come as their rank among the candidates, and as a part of the greatest."""


class Signals(NamedTuple):
    """`rows` of the candidates, ascending; `table`: (candidates, signals), the columns named by `names`."""

    rows: Rows
    table: Table
    names: tuple[str, ...]

    def column(self, name: str) -> Table:
        return self.table[:, self.names.index(name)]


class Signaller:
    """Makes the signals of one index's targets. Safe to share between threads."""

    def __init__(self, index: RepoIndex) -> None:
        self.tables: RankTables = open_tables(index)
        self._asker = Asker(index, self.tables)
        self._rare = rarity_of(self.tables)

    def hidden_rows(self, view: HiddenView, target: Target) -> Rows:
        """The rows that can't be hits for `target`: its own, its clones', and what lies in them."""
        return self._asker.ask(view, target).hidden

    def of(self, view: HiddenView, target: Target, held_out: Rows = NOBODY) -> Signals:
        """`held_out`: rows that a ranker in training mustn't know of."""
        tables, rare = self.tables, self._rare
        q = self._asker.ask(view, target)
        e = gather(tables, rare, q, held_out)
        reach = self._asker.reach(q.file)
        score = pool_score(tables, rare, q, e, reach)
        rows = pool_of(score, e)
        columns: dict[str, Column] = {
            "pool": score[rows],
            **_votes(rare, e, rows),
            **_texts(tables, rare, e, q, rows),
            **_types(tables, rare, e, q, rows),
            **_places(tables, rare, e, q, rows, reach),
            **spellings(tables, rows, q.spelled),
            "first_word": rare.first[rows] == (q.name[0] if len(q.name) else -2),
            "last_word": rare.last[rows] == (q.name[-1] if len(q.name) else -2),
            **_spreads(tables, rare, e, rows),
            "analogous": e.analogous.total[rows],
            "analogous_best": e.analogous.best[rows],
            **_namesakes(rare, tables, rows, reach),
            "calling": rare.calling[rows] * e.counted[rows],
            **_target(tables, e, q, len(rows)),
        }
        for name in RANKED:
            columns[f"{name}_rank"] = _ranks(columns[name])
            columns[f"{name}_part"] = columns[name] / (columns[name].max(initial=0.0) + 1e-9)
        return Signals(rows, _table(columns, len(rows)), tuple(columns))


def _table(columns: Mapping[str, Column], size: int) -> Table:
    table = np.empty((size, len(columns)), dtype=np.float32)
    for number, column in enumerate(columns.values()):
        table[:, number] = column
    return table


def _votes(rare: Rarity, e: Evidence, rows: Rows) -> dict[str, Floats]:
    called = e.called(rare, rows)
    file, folder = e.file.of(rows), e.folder.of(rows)
    return {
        "file": file,
        "file_share": e.file.share(rows),
        "near": e.near.of(rows),
        "near_best": e.near.best_of(rows),
        "scope": e.scope.of(rows),
        "scope_share": e.scope.share(rows),
        "folder": folder,
        "folder_share": e.folder.share(rows),
        "names": e.names.share(rows),
        "names_best": e.names.best_of(rows),
        "alike": e.alike.share(rows),
        "alike_best": e.alike.best_of(rows),
        "more_alike": e.more_alike.share(rows),
        "types": e.types.share(rows),
        "types_best": e.types.best_of(rows),
        "docs": e.docs.share(rows),
        "docs_best": e.docs.best_of(rows),
        "namesakes": e.namesakes.of(rows),
        "namesakes_share": e.namesakes.share(rows),
        "by_name_words": e.by_name_words.of(rows),
        "by_doc_words": e.by_doc_words.of(rows),
        "by_offered_words": e.by_offered_words.of(rows),
        "by_types_taken": e.by_types_taken.of(rows),
        "first_word_votes": e.first_word.share(rows),
        "last_word_votes": e.last_word.share(rows),
        "file_words": e.file_words.share(rows),
        "callers": e.callers_votes.of(rows),
        "callers_share": e.callers_votes.share(rows),
        "cousins": e.cousins.share(rows),
        "calls_target": np.isin(rows, e.callers).astype(np.float64),
        "called": np.log1p(called),
        "called_in_file": file / (called + 1.0),
        "called_in_folder": folder / (called + 1.0),
        "called_elsewhere": np.log1p(np.maximum(called - folder, 0.0)),
        "never_called": (called == 0.0).astype(np.float64),
        "implied": np.log1p(e.implied(rare, rows)),
    }


def _spreads(tables: RankTables, rare: Rarity, e: Evidence, rows: Rows) -> dict[str, Floats]:
    ballots = {
        "near": e.near,
        "alike": e.more_alike,
        "file": e.file,
        "types": e.types,
        "name_words": e.by_name_words,
        "doc_words": e.by_doc_words,
    }
    around = beside(tables, rare, rows)
    out: dict[str, Floats] = {}
    for name, vote in ballots.items():
        found = spread(tables, rare, vote, around)
        out.update({f"{name}_of_{what}": column for what, column in found._asdict().items()})
    return out


def _namesakes(rare: Rarity, tables: RankTables, rows: Rows, reach: Rows) -> dict[str, Column]:
    """How many candidates have the same name, and by how many includes the nearest of them is nearer."""
    numbers = rare.name_number[rows]
    away = reach[tables.file[rows]] + 0.5 * tables.test[tables.file[rows]]
    nearest = np.full(len(tables.ids), FAR + 1.0)
    np.minimum.at(nearest, numbers, away)
    count = np.bincount(numbers, minlength=len(tables.ids))
    return {"alike_named": count[numbers], "nearer_namesake": away - nearest[numbers]}


def _texts(tables: RankTables, rare: Rarity, e: Evidence, q: Question, rows: Rows) -> dict[str, Floats]:
    weight = rare.name_weight[rows]
    like = e.like
    in_doc = _common(tables.name, rows, np.setdiff1d(q.doc, q.name), rare.name)
    return {
        "name": like.name[rows],
        "name_covered": like.name[rows] / weight,
        "name_cosine": like.name_cosine[rows],
        "in_doc": in_doc,
        "in_doc_covered": in_doc / weight,
        "in_offered": _common(tables.name, rows, q.offered, rare.name),
        "in_all_covered": like.in_all[rows] / weight,
        "doc": like.doc[rows],
        "mentioned": np.isin(rows, q.mentioned).astype(np.float64),
    }


def _types(tables: RankTables, rare: Rarity, e: Evidence, q: Question, rows: Rows) -> dict[str, Column]:
    like = e.like
    kinds, kinds_covered = _overlap(tables.kind, rows, q.kind, rare.kind)
    arguments, arguments_covered = _overlap(tables.argument, rows, q.argument, rare.argument)
    return {
        "takes": like.takes[rows],
        "gives": like.gives[rows],
        "gives_taken": _common(tables.gives, rows, q.takes, rare.gives),
        "takes_given": _common(tables.takes, rows, q.gives, rare.takes),
        "reachable": _common(tables.takes, rows, e.fields, rare.takes),
        "types_taken": tables.takes.starts[rows + 1] - tables.takes.starts[rows],
        "types_given": tables.gives.starts[rows + 1] - tables.gives.starts[rows],
        "kinds": kinds,
        "kinds_covered": kinds_covered,
        "arguments": arguments,
        "arguments_covered": arguments_covered,
        "same_result": tables.result[rows] == q.result,
        "own": e.own[rows],
        "inherited": e.inherited[rows],
        "of_types": e.of_types[rows],
        "of_fields": e.of_fields[rows],
    }


def _common(lists: Lists, rows: Rows, wanted: Places, weight: Floats) -> Floats:
    """The rarity of what each row's list has in common with `wanted`."""
    flat, owner = lists.gather(rows)
    there = np.isin(flat, wanted)
    return summed(owner[there], weight[flat[there]], len(rows))


def _overlap(lists: Lists, rows: Rows, wanted: Places, weight: Floats) -> tuple[Floats, Floats]:
    """The rarity of what a list has in common with `wanted`, and the share of the list; -1 for an empty one."""
    flat, owner = lists.gather(rows)
    found = np.isin(flat, wanted)
    total = lists.starts[rows + 1] - lists.starts[rows]
    common = summed(owner, found * weight[flat], len(rows))
    share = summed(owner, found.astype(np.float64), len(rows)) / np.maximum(total, 1)
    return common, np.where(total > 0, share, -1.0)


def _places(tables: RankTables, rare: Rarity, e: Evidence, q: Question, rows: Rows, reach: Rows) -> dict[str, Column]:
    files = tables.file[rows]
    declared, owner = tables.declared.gather(rows)
    declared_at = np.full(len(rows), FAR, dtype=np.int32)
    np.minimum.at(declared_at, owner, reach[declared])
    in_file = e.in_file[rows]
    static = tables.static[rows]
    place = e.distance(rows)
    return {
        "in_file": in_file,
        "in_folder": e.in_folder[rows],
        "in_area": tables.area[files] == tables.area[q.file],
        "distance": np.abs(place),
        "place": place,
        "reach": reach[files],
        "declared": declared_at,
        "test": tables.test[files],
        "header": tables.header[files],
        "static": static,
        "orphan": static & in_file & (e.called(rare, rows) <= 0) & (e.implied(rare, rows) <= 0),
        "outside": np.minimum(tables.outside[rows], 50),
        "defined": tables.defined[rows],
        "lines": tables.lines[rows] * e.counted[rows],
        "parameters": tables.parameters[rows],
        "more_parameters": tables.parameters[rows] - q.parameters,
        "words": tables.name.starts[rows + 1] - tables.name.starts[rows],
        "documented": tables.doc.starts[rows + 1] - tables.doc.starts[rows],
        "scoped": tables.scope[rows] >= 0,
    }


def _target(tables: RankTables, e: Evidence, q: Question, size: int) -> dict[str, Column]:
    """What the target is: the same number for every candidate, so that trees may ask for it first."""
    values = {
        "of_class": float(q.scope >= 0),
        "target_parameters": float(q.parameters),
        "target_static": float(q.static),
        "target_header": float(tables.header[q.file]),
        "target_test": float(tables.test[q.file]),
        "target_returns_nothing": float(q.returns_nothing),
        "target_callers": float(len(e.callers)),
        "target_doc": float(len(q.doc)),
        "target_file": e.file.total,
        "target_file_words": e.file_words.total,
    }
    return {name: np.full(size, value, dtype=np.float32) for name, value in values.items()}


def _ranks(values: Column) -> Rows:
    """0 for the greatest; equal values have equal ranks, that of the first: no order of theirs tells anything."""
    ordered = np.sort(-values)
    return np.searchsorted(ordered, -values).astype(np.int32)
