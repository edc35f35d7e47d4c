"""The twins of a target: functions elsewhere in the tree whose body gives the target's away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from index.cpp.declarators import unqualified_name
from index.hiding.body_tokens import BodyTokens, drop_name_prefix_and_case, tokenize_bodies
from index.hiding.holes import Hole
from index.hiding.shape_clones import (
    LEAST_SIMILARITY,
    find_possible_clones,
    measure_shape_and_name_similarity,
    open_or_make_shape_table,
)
from index.hiding.text_clones import find_similar_functions, is_clone, open_or_make_run_table
from index.store.reader import IndexReader
from index.values import Entry, Symbol, Target


class Twin(NamedTuple):
    """A function whose body gives the target's away. `how`: "run", it holds most of the target's text but for prefixes
    of names (`similarity` is the share); "shape", it is like the target but for names and literals; "copy", it holds a
    long run of the target's tokens (`similarity` is the share of the longest)."""

    symbol: Symbol
    body: int
    similarity: float
    how: Literal["run", "shape", "copy"]

    @property
    def hole(self) -> Hole:
        return Hole(self.body, self.symbol.end_byte)


def find_twins(reader: IndexReader, target: Target, body: bytes, hole: Hole) -> tuple[Twin, ...]:
    """The twins of the target, whose `body` stands at `hole`, by path and place."""
    wanted = tokenize_bodies([body])
    found = {twin.symbol: twin for twin in _find_twins_by_shape(reader, target, wanted, hole)}
    found |= {twin.symbol: twin for twin in _find_twins_by_runs(reader, target, wanted, hole)}
    return tuple(sorted(found.values(), key=lambda twin: (twin.symbol.path, twin.symbol.start_byte)))


def _find_twins_by_runs(reader: IndexReader, target: Target, wanted: BodyTokens, hole: Hole) -> Iterator[Twin]:
    name = drop_name_prefix_and_case(unqualified_name(target.name))
    similar = {likeness.id: likeness for likeness in find_similar_functions(open_or_make_run_table(reader), wanted)}
    for entry in _read_functions_outside_hole(reader, target, hole, list(similar)):
        likeness = similar[entry.id]
        same_name = drop_name_prefix_and_case(entry.symbol.name) == name
        if is_clone(likeness, body_tokens=len(wanted.kinds), same_name=same_name):
            yield Twin(entry.symbol, entry.body, likeness.of_target, "run")


def _find_twins_by_shape(reader: IndexReader, target: Target, wanted: BodyTokens, hole: Hole) -> Iterator[Twin]:
    for entry in _read_functions_outside_hole(
        reader, target, hole, find_possible_clones(open_or_make_shape_table(reader), wanted)
    ):
        text = reader.read_file(entry.symbol.path)[entry.body : entry.symbol.end_byte]
        alike = measure_shape_and_name_similarity(wanted, tokenize_bodies([text]))
        if alike >= LEAST_SIMILARITY:
            yield Twin(entry.symbol, entry.body, alike, "shape")


def _read_functions_outside_hole(reader: IndexReader, target: Target, hole: Hole, ids: list[int]) -> Iterator[Entry]:
    """The functions `ids` that don't overlap the hole."""
    for entry in reader.read_entries_sorted_by_place(ids):
        symbol = entry.symbol
        if symbol.path != target.path or symbol.start_byte >= hole.end or hole.start >= symbol.end_byte:
            yield entry
