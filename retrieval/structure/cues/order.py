"""The order of calls: what file and siblings begin and end with, and what is called beside the target."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retrieval.structure.candidates import CandidateSet, Column, Signal
from retrieval.structure.cues.uses import edges_of, habits, of_file, of_siblings
from retrieval.structure.tables.lists import Floats
from retrieval.structure.tables.uses import Use

NEXT = 2
"""Turns away from the target within which a function is the same job's step before or after it."""


def _beside_target(c: CandidateSet) -> tuple[Column, Floats]:
    """The rows that the target's callers call right before or after it, and how near."""
    tables = c.tables
    places, owner = tables.calls.places(c.evidence.callers)
    callee, turn = tables.calls.flat[places], tables.turns[places]
    own = np.isin(callee, c.query.own)
    at = np.full(len(c.evidence.callers), -1 << 20)
    at[owner[own]] = turn[own]
    away = np.abs(turn - at[owner])
    near = (away > 0) & (away <= NEXT) & c.evidence.visible[callee]
    return callee[near], 1.0 / away[near]


def _step(c: CandidateSet) -> Floats:
    """The target's callers call it right before or after the target."""
    rows, near = c.once(_beside_target)
    return c.greatest(rows, near)


def _steps(c: CandidateSet) -> Floats:
    """The share of the functions called right before or after the target that call it."""
    edges = edges_of(c, *c.once(_beside_target))
    return c.tally(edges.callee, edges.weight) / (edges.total + 1.0)


ORDER: Mapping[str, Signal] = {
    "opens": lambda c: c.once(habits)[Use.OPENS.bit_length() - 1],
    "closes": lambda c: c.once(habits)[Use.CLOSES.bit_length() - 1],
    "file_opens": lambda c: c.once(of_file).share(c, Use.OPENS),
    "file_closes": lambda c: c.once(of_file).share(c, Use.CLOSES),
    "alike_opens": lambda c: c.once(of_siblings).share(c, Use.OPENS),
    "alike_closes": lambda c: c.once(of_siblings).share(c, Use.CLOSES),
    "step": _step,
    "steps": _steps,
}
