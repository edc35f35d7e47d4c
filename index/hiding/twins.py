"""The twins of a target: functions elsewhere in the tree whose body gives the target's away."""

from __future__ import annotations

from typing import Literal, NamedTuple

from index.cpp.declarators import unqualified_name
from index.hiding.body_tokens import drop_name_prefix_and_case, tokenize_bodies
from index.hiding.holes import Hole
from index.hiding.shape_clones import (
    LEAST_SIMILARITY,
    find_possible_clones,
    measure_shape_and_name_similarity,
    open_or_make_shape_table,
)
from index.hiding.text_clones import find_similar_functions, is_clone, open_or_make_run_table
from index.store.reader import IndexReader
from index.values import Symbol, Target


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


def find_functions_revealing_body(reader: IndexReader, target: Target, body: bytes, hole: Hole) -> tuple[Twin, ...]:
    """The twins of the target, whose `body` stands at `hole`, by path and place."""
    wanted = tokenize_bodies([body])
    name = drop_name_prefix_and_case(unqualified_name(target.name))
    by_runs = {likeness.id: likeness for likeness in find_similar_functions(open_or_make_run_table(reader), wanted)}
    by_shape = set(find_possible_clones(open_or_make_shape_table(reader), wanted))
    found = []
    for entry in reader.read_entries_sorted_by_place(list(by_runs.keys() | by_shape)):
        symbol, likeness = entry.symbol, by_runs.get(entry.id)
        if symbol.path == target.path and symbol.start_byte < hole.end and hole.start < symbol.end_byte:
            continue
        same_name = drop_name_prefix_and_case(symbol.name) == name
        if likeness is not None and is_clone(likeness, body_token_count=len(wanted.kinds), same_name=same_name):
            found.append(Twin(symbol, entry.body, likeness.of_target, "run"))
        elif entry.id in by_shape:
            text = reader.read_file(symbol.path)[entry.body : symbol.end_byte]
            alike = measure_shape_and_name_similarity(wanted, tokenize_bodies([text]))
            if alike >= LEAST_SIMILARITY:
                found.append(Twin(symbol, entry.body, alike, "shape"))
    return tuple(found)
