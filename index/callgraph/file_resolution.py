"""The files of an index -> its call graph: each file's sites are resolved, then calls through fields are joined."""

from __future__ import annotations

import gc
from collections.abc import Iterable

import numpy as np

from index.callgraph.graph import CallGraph, EdgeColumns, build_call_graph
from index.callgraph.resolution.calls import MOST_FIELD_FUNCTIONS, PartialGraph
from index.callgraph.resolution.field_assignments import find_functions_assigned_to_fields
from index.callgraph.resolution.names import Names, Row
from index.callgraph.resolution.site_resolver import SiteResolver
from index.callgraph.symbol_table import SymbolTable
from index.cpp.declaring_macros import DeclaringMacro
from index.cpp.macros import MacroForm
from index.store.reader import IndexReader, SourceFile

MOST_HELD_SYMBOLS = 300_000
"""Symbols that resolution remembers before it begins anew: with what it found out about them some 300 MB."""


def resolve_calls_in_files(reader: IndexReader, symbols: SymbolTable, files: Iterable[SourceFile]) -> PartialGraph:
    """The edges that start in these files."""
    paths = {file.id: file.path for file in reader.files.values()}

    def text_of(row: Row) -> str:
        return reader.read_file(paths[row.file])[row.start : row.end].decode("latin-1")

    names, macros = Names(symbols), find_function_defining_macros(reader)
    resolver = SiteResolver(names, text_of, macros)
    found = PartialGraph()
    for file in files:
        if names.held > MOST_HELD_SYMBOLS:
            names = Names(symbols)
            resolver = SiteResolver(names, text_of, macros)
            gc.collect()  # the former ones hold each other, and the build runs without the collector
        # Latin-1 keeps every byte one character, so that offsets hold.
        text = reader.read_file(file.path).decode("latin-1")
        resolver.enter_file(file.id)
        assigned = find_functions_assigned_to_fields(names, resolver.types, file.id, text)
        found.assigned += ((file.id, assignment) for assignment in assigned)
        resolver.resolve_calls_in_file(file, text, reader.site_table(file.path), found)
    return found


def find_function_defining_macros(reader: IndexReader) -> dict[str, DeclaringMacro]:
    """The macros of the tree that define functions, by name, including those whose uses the index can't read."""
    found: dict[str, DeclaringMacro] = {}
    for definition in reader.read_definitions_of_files_with(MacroForm.DECLARES):
        maker = definition.maker
        if maker is not None and any(part.kind == "function" for part in maker.parts):
            found.setdefault(definition.name, maker)
    return found


def build_graph_resolving_field_calls(part: PartialGraph, next_symbol_id: int) -> CallGraph:
    """The graph of the edges of a whole tree, of symbols with ids below `next_symbol_id`. A call through a field
    becomes an edge to each function that the field may hold."""
    # The (function, witness) pairs that each field is assigned anywhere in the tree, in order.
    holds: dict[str, dict[tuple[int, int], None]] = {}
    for _, (field, function, witness) in part.assigned:
        holds.setdefault(field, {})[function, witness] = None
    held = [holds.get(field, {}) for field in part.fields]
    held = [found if len(found) <= MOST_FIELD_FUNCTIONS else {} for found in held]
    pairs = np.array([pair for found in held for pair in found], dtype=np.int32).reshape(-1, 2)
    counts = np.array([len(found) for found in held], dtype=np.int64)
    called = np.array(part.callee, dtype=np.int32)
    through = called < 0
    numbers = -1 - called[through]
    sizes = counts[numbers]
    repeats = np.ones(len(called), dtype=np.int64)
    repeats[through] = sizes
    callee = np.repeat(called, repeats)
    share = np.ones(len(callee), dtype=np.float32)
    witnesses = np.full(len(callee), -1, dtype=np.int32)
    # From an edge's own place to that of the first of its field's pairs.
    away = (np.cumsum(counts) - counts)[numbers] - (np.cumsum(sizes) - sizes)
    places = np.arange(sizes.sum()) + np.repeat(away, sizes)
    through = np.repeat(through, repeats)
    callee[through], witnesses[through] = pairs[places].T
    share[through] = np.repeat(1 / np.maximum(1, counts), counts)[places]
    edges = EdgeColumns(
        np.repeat(np.array(part.caller, dtype=np.int32), repeats),
        callee,
        np.repeat(np.array(part.confidence, dtype=np.float32), repeats) * share,
        np.repeat(np.array(part.kind, dtype=np.uint8), repeats),
        witnesses,
    )
    return build_call_graph(edges, next_symbol_id)
