"""How near candidates' names and comments are to the target's words, by vectors that were learnt on other trees."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retrieval.structure.candidates import CandidateSet, Column, Signal
from retrieval.structure.evidence.meanings import SPEAKERS, KnownMeanings, Vectors
from retrieval.structure.tables.lists import Lists, Places, Rows, sum_by_row


def compute_meaning_signals(
    known: KnownMeanings, spoken: Mapping[str, Places], names: Lists, docs: Lists, rows: Rows
) -> dict[str, Column]:
    """The signals of the candidates `rows`. `spoken`: the words of each of the target's SPEAKERS; `names` and `docs`:
    the words of functions' names and comments, over rows."""

    def average_answer(read: str, lists: Lists, said: Vectors) -> Column:
        flat, owner = lists.gather_lists(rows)
        sizes = np.bincount(owner, minlength=len(rows))
        mean: Column = sum_by_row(owner, known.measure_answers(read, said)[flat], len(rows)) / np.maximum(sizes, 1)
        return mean

    said = {speaker: known.average_spoken(speaker, spoken[speaker]) for speaker in SPEAKERS}
    found = {f"meant_by_{speaker}": average_answer("name", names, said[speaker]) for speaker in SPEAKERS}
    in_doc = average_answer("doc", docs, sum(said.values(), np.zeros_like(said["name"])))
    return found | {"meant_in_doc": in_doc, "meant": sum(found.values(), in_doc)}


def _compute_meaning_columns(c: CandidateSet) -> dict[str, Column]:
    spoken = {"doc": c.query.doc, "name": c.query.name, "offered": c.query.offered}
    return compute_meaning_signals(c.meanings, spoken, c.tables.name, c.tables.doc, c.rows)


def _make_signal(name: str) -> Signal:
    return lambda c: c.make_once(_compute_meaning_columns)[name]


MEANINGS: Mapping[str, Signal] = {
    name: _make_signal(name) for name in (*(f"meant_by_{speaker}" for speaker in SPEAKERS), "meant_in_doc", "meant")
}
