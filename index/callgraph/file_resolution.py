"""The files of an index -> its call graph: each file's sites are resolved, then calls through fields are joined."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from index.callgraph.graph import CallGraph, Confidences, EdgeColumns, Flags, Ids, build_call_graph
from index.callgraph.resolution.calls import MOST_FIELD_FUNCTIONS, make_empty_calls
from index.callgraph.resolution.field_assignments import FieldAssignment, find_field_assignments
from index.callgraph.resolution.names import Names, Row
from index.callgraph.resolution.site_resolver import SiteResolver
from index.callgraph.symbol_table import SymbolTable
from index.cpp.declaring_macros import DeclaringMacro
from index.cpp.macros import MacroForm
from index.store.reader import IndexReader, SourceFile

MOST_HELD_SYMBOLS = 300_000
"""Symbols that resolution remembers before it begins anew: with what it found out about them some 300 MB."""


class PartialGraph(NamedTuple):
    """The edges that start in some files. A `callee` below 0 is -1 - k: a call through the field `fields[k]`.
    `assigned` are (file id, what the file assigns to a field)."""

    caller: Ids
    callee: Ids
    confidence: Confidences
    kind: Flags
    fields: Sequence[str]
    assigned: Sequence[tuple[int, FieldAssignment]]


def resolve_calls_in_files(reader: IndexReader, symbols: SymbolTable, files: Iterable[SourceFile]) -> PartialGraph:
    """The edges that start in these files."""
    paths = {file.id: file.path for file in reader.files.values()}

    def text_of(row: Row) -> str:
        return reader.read_file(paths[row.file])[row.start : row.end].decode("latin-1")

    names, macros = Names(symbols), find_function_defining_macros(reader)
    resolver = SiteResolver(names, text_of, macros)
    calls = make_empty_calls()
    assigned: list[tuple[int, FieldAssignment]] = []
    for file in files:
        if names.held > MOST_HELD_SYMBOLS:
            names = Names(symbols)
            resolver = SiteResolver(names, text_of, macros)
            gc.collect()  # the former ones hold each other, and the build runs without the collector
        # Latin-1 keeps every byte one character, so that offsets hold.
        text = reader.read_file(file.path).decode("latin-1")
        resolver.enter_file(file.id)
        assigned += ((file.id, a) for a in find_field_assignments(names, resolver.types, file.id, text))
        resolver.resolve_calls_in_file(file, text, reader.site_table(file.path), calls)
    return PartialGraph(
        np.array(calls.caller, dtype=np.int32),
        np.array(calls.callee, dtype=np.int32),
        np.array(calls.confidence, dtype=np.float32),
        np.array(calls.kind, dtype=np.uint8),
        list(calls.fields),
        assigned,
    )


def find_function_defining_macros(reader: IndexReader) -> dict[str, DeclaringMacro]:
    """The macros of the tree that define functions, by name, including those whose uses the index can't read."""
    found: dict[str, DeclaringMacro] = {}
    for definition in reader.read_definitions_of_matching_files(MacroForm.DECLARES):
        maker = definition.maker
        if maker is not None and any(part.kind == "function" for part in maker.parts):
            found.setdefault(definition.name, maker)
    return found


def build_whole_graph(part: PartialGraph, size: int) -> CallGraph:
    """The graph of the edges of a whole tree, of symbols with ids below `size`."""
    return build_call_graph(_expand_field_calls(part), size)


def _expand_field_calls(part: PartialGraph) -> EdgeColumns:
    """The edges as columns: a call through a field becomes one edge for each function that the field may hold."""
    holds = _group_functions_by_field(part.assigned)
    held = [holds.get(field, {}) for field in part.fields]
    held = [found if len(found) <= MOST_FIELD_FUNCTIONS else {} for found in held]
    pairs = np.array([pair for found in held for pair in found], dtype=np.int32).reshape(-1, 2)
    counts = np.array([len(found) for found in held], dtype=np.int64)
    through = part.callee < 0
    numbers = -1 - part.callee[through]
    repeats = np.ones(len(part.callee), dtype=np.int64)
    sizes = counts[-1 - part.callee[through]]
    repeats[through] = sizes
    callee = np.repeat(part.callee, repeats)
    share = np.ones(len(callee), dtype=np.float32)
    witness = np.full(len(callee), -1, dtype=np.int32)
    # From an edge's own place to that of the first of its field's pairs.
    away = (np.cumsum(counts) - counts)[numbers] - (np.cumsum(sizes) - sizes)
    places = np.arange(sizes.sum()) + np.repeat(away, sizes)
    through = np.repeat(through, repeats)
    callee[through], witness[through] = pairs[places].T
    share[through] = np.repeat(1 / np.maximum(1, counts), counts)[places]
    return EdgeColumns(
        np.repeat(part.caller, repeats),
        callee,
        np.repeat(part.confidence, repeats) * share,
        np.repeat(part.kind, repeats),
        witness,
    )


def _group_functions_by_field(
    assigned: Iterable[tuple[int, FieldAssignment]],
) -> dict[str, Mapping[tuple[int, int], None]]:
    """The (function, witness) pairs that each field is assigned anywhere in the tree, in order."""
    found: dict[str, dict[tuple[int, int], None]] = {}
    for _, (field, function, witness) in assigned:
        found.setdefault(field, {})[function, witness] = None
    return dict(found)
