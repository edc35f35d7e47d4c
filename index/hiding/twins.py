"""The twins of a target: functions elsewhere in the tree whose body gives the target's away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from index.cpp.declarators import last_name
from index.hiding.body_tokens import body_tokens, normalised_name
from index.hiding.clone_tables import clone_runs, clone_shapes
from index.hiding.clones import is_clone, similar_functions
from index.hiding.holes import Hole
from index.hiding.shapes import SIMILAR, possible_clones, similarity
from index.store.reader import IndexReader
from index.values import Entry, Symbol, Target


class Twin(NamedTuple):
    """A function whose body gives the target's away. `how`: "run", it holds most of the target's text but for prefixes
    of names (`similarity` is the share); "shape", it is like the target but for names and literals."""

    symbol: Symbol
    body: int
    similarity: float
    how: Literal["run", "shape"]

    @property
    def hole(self) -> Hole:
        """Its body."""
        return Hole(self.body, self.symbol.end_byte)


def twins(reader: IndexReader, target: Target, body: bytes, hole: Hole) -> tuple[Twin, ...]:
    """The twins of the target, whose `body` stands at `hole`, by path and place."""
    found = {twin.symbol: twin for twin in _by_shape(reader, target, body, hole)}
    found |= {twin.symbol: twin for twin in _by_runs(reader, target, body, hole)}
    return tuple(sorted(found.values(), key=lambda twin: (twin.symbol.path, twin.symbol.start_byte)))


def _by_runs(reader: IndexReader, target: Target, body: bytes, hole: Hole) -> Iterator[Twin]:
    wanted = body_tokens([body])
    name = normalised_name(last_name(target.name))
    similar = {likeness.id: likeness for likeness in similar_functions(clone_runs(reader), wanted)}
    for entry in _others(reader, target, hole, list(similar)):
        likeness = similar[entry.id]
        same_name = normalised_name(entry.symbol.name) == name
        if is_clone(likeness, body_tokens=len(wanted.kinds), same_name=same_name):
            yield Twin(entry.symbol, entry.body, likeness.of_target, "run")


def _by_shape(reader: IndexReader, target: Target, body: bytes, hole: Hole) -> Iterator[Twin]:
    wanted = body_tokens([body])
    for entry in _others(reader, target, hole, possible_clones(clone_shapes(reader), wanted)):
        text = reader.read(entry.symbol.path)[entry.body : entry.symbol.end_byte]
        alike = similarity(wanted, body_tokens([text]))
        if alike >= SIMILAR:
            yield Twin(entry.symbol, entry.body, alike, "shape")


def _others(reader: IndexReader, target: Target, hole: Hole, ids: list[int]) -> Iterator[Entry]:
    """The functions `ids` that don't overlap the hole."""
    for entry in reader.entries_by_id(ids):
        symbol = entry.symbol
        if symbol.path != target.path or symbol.start_byte >= hole.end or hole.start >= symbol.end_byte:
            yield entry
