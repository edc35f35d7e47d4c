"""What the arrays are made from: an index's functions, parsed and numbered once for all arrays."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from index.callgraph.graph import EdgeKind
from index.cpp.declarators import unqualified_name
from index.repo_index import RepoIndex
from index.values import Entry, SymbolKind
from retrieval.structure.signature import ParsedSignature, list_offered_words, parse_signature, split_off_scope
from retrieval.structure.tables.compressed_lists import Lists, Mask, Places, Rows, find_starts, make_lists
from retrieval.structure.tables.rank_tables import Shares
from retrieval.structure.tables.vocabulary import (
    Hashes,
    NumberedColumns,
    find_known_numbers,
    number_columns,
    number_words,
    split_name_into_stems,
    split_text_into_stems,
)
from retrieval.text.terms import hash_term, split_words

_DOC_WORDS = 60
"""Words of a comment that count: what follows is for whoever reads it whole."""


class RowEdges(NamedTuple):
    """The call graph between rows; see the fields of these names in `RankTables`."""

    calls: Lists
    weights: Shares
    turns: Rows
    callers: Lists
    implied: Lists


class TableSource:
    """An index, and what several arrays are made from. Each property is computed when it is first read."""

    def __init__(self, index: RepoIndex) -> None:
        self.index = index
        self.paths = [path for path, file in index.files.items() if not file.reason]
        self.file_number = {path: number for number, path in enumerate(self.paths)}
        self.entries = _list_rows(index)
        self.ids = np.array([entry.id for entry in self.entries], dtype=np.int32)
        self.file = np.array([self.file_number[entry.symbol.path] for entry in self.entries], dtype=np.int32)
        self.folder = _number_by_first_occurrence(posixpath.dirname(path) for path in self.paths)

    @cached_property
    def row_of(self) -> Rows:
        row_of = np.full(int(self.ids.max(initial=0)) + 1, -1, dtype=np.int32)
        row_of[self.ids] = np.arange(len(self.ids), dtype=np.int32)
        return row_of

    @cached_property
    def definitions(self) -> int:
        """How many of the rows are definitions; they come first."""
        return sum(entry.symbol.kind is SymbolKind.FUNCTION for entry in self.entries)

    @cached_property
    def signatures(self) -> list[ParsedSignature]:
        return [parse_signature(entry.symbol.signature, entry.symbol.name) for entry in self.entries]

    @cached_property
    def words(self) -> NumberedColumns:
        """The words of names, comments and parameters."""
        symbols = [entry.symbol for entry in self.entries]
        return number_columns(
            {
                "name": (split_name_into_stems(symbol.name) for symbol in symbols),
                "doc": (split_text_into_stems(split_words(symbol.docstring))[:_DOC_WORDS] for symbol in symbols),
                "offered": (split_text_into_stems(list_offered_words(signature)) for signature in self.signatures),
                "argument": ((p.name for p in signature.parameters if p.name) for signature in self.signatures),
            }
        )

    @cached_property
    def kinds(self) -> NumberedColumns:
        """Types as parameters and results spell them."""
        return number_columns(
            {
                "parameters": ((p.kind for p in signature.parameters) for signature in self.signatures),
                "result": ((signature.result,) for signature in self.signatures),
            }
        )

    @cached_property
    def types(self) -> tuple[Hashes, dict[str, int]]:
        """The vocabulary of the types that the repository defines, and each type's number."""
        return number_words(entry.symbol.name for entry in self.index.entries_of_kind(SymbolKind.TYPE))

    @cached_property
    def takes(self) -> Lists:
        _, number = self.types
        return make_lists(
            find_known_numbers(number, (w for p in s.parameters for w in p.words)) for s in self.signatures
        )

    @cached_property
    def gives(self) -> Lists:
        _, number = self.types
        return make_lists(find_known_numbers(number, signature.returns) for signature in self.signatures)

    @cached_property
    def scope_names(self) -> list[str]:
        """The classes and namespaces of all rows, sorted by hash."""
        return sorted({scope for entry in self.entries if (scope := _scope_of_entry(entry))}, key=hash_term)

    @cached_property
    def scope(self) -> Rows:
        number = {name: at for at, name in enumerate(self.scope_names)}
        return np.array([number.get(_scope_of_entry(entry), -1) for entry in self.entries], dtype=np.int32)

    @cached_property
    def scope_type(self) -> Rows:
        _, number = self.types
        return np.array([number.get(unqualified_name(name), -1) for name in self.scope_names], dtype=np.int32)

    @cached_property
    def edges(self) -> RowEdges:
        """What is written in a body, and beside it what the body's macros call. What every second function calls
        through a macro (an assertion, an error's report) would else be a candidate everywhere, and nobody writes it.
        Edges through a function pointer are left out: they rest on a third body, which a target may hide. So are a
        function's edges to itself."""
        graph = self.index.graph
        size = min(len(graph.starts) - 1, len(self.row_of))
        caller, callee, kind = np.asarray(graph.caller), np.asarray(graph.callee), np.asarray(graph.kind)
        kept = (caller < size) & (callee < size) & ((kind & EdgeKind.POINTER) == 0)
        source, sink = self.row_of[caller[kept]], self.row_of[callee[kept]]
        weight = np.asarray(graph.confidence)[kept].astype(np.float32)
        by_macro = (kind[kept] & EdgeKind.THROUGH_MACRO) > 0
        between = (source >= 0) & (sink >= 0) & (source != sink)
        implied, _ = self._make_edge_lists(source, sink, between & by_macro)
        written = between & ~by_macro
        calls, order = self._make_edge_lists(source, sink, written)
        callers, _ = self._make_edge_lists(sink, source, written)
        return RowEdges(
            calls, weight[written][order], _number_calls_in_order(source[written])[order], callers, implied
        )

    def _make_edge_lists(self, source: Rows, sink: Rows, chosen: Mask) -> tuple[Lists, Places]:
        """For each row the ends of the chosen edges from it, sorted; and the places that they had among the chosen."""
        source, sink = source[chosen], sink[chosen]
        order = np.lexsort((sink, source))
        return Lists(find_starts(source, len(self.ids)), sink[order].astype(np.int32)), order


def _number_calls_in_order(source: Rows) -> Rows:
    """The place of each edge among those of its source, which stand together in the order of the calls."""
    place = np.arange(len(source))
    new = np.ones(len(source), dtype=bool)
    new[1:] = source[1:] != source[:-1]
    return (place - np.maximum.accumulate(np.where(new, place, 0))).astype(np.int32)


def number_areas(paths: Iterable[str]) -> Rows:
    """For each path the number of its first two folders."""
    return _number_by_first_occurrence("/".join(path.split("/")[:-1][:2]) for path in paths)


def _number_by_first_occurrence(names: Iterable[str]) -> Rows:
    """Each name's number, in the order in which names first occur."""
    number: dict[str, int] = {}
    return np.array([number.setdefault(name, len(number)) for name in names], dtype=np.int32)


def _scope_of_entry(entry: Entry) -> str:
    return split_off_scope(entry.symbol.qualified_name)


def _list_rows(index: RepoIndex) -> list[Entry]:
    """Definitions by path and place, then one declaration of each function that has no definition (pure virtual
    methods among them). Which those are depends on names alone, never on who calls them: a row must not reveal a
    hidden call."""
    functions = list(index.functions)
    names = {entry.symbol.qualified_name for entry in functions}
    # A definition outside its namespace's braces may be written without the namespace.
    free = {entry.symbol.name for entry in functions if "::" not in entry.symbol.qualified_name}
    declared: dict[str, Entry] = {}
    for entry in index.entries_of_kind(SymbolKind.PROTOTYPE):
        symbol = entry.symbol
        if symbol.qualified_name not in names and symbol.name not in free:
            declared.setdefault(symbol.qualified_name, entry)
    return functions + sorted(declared.values(), key=lambda entry: (entry.symbol.path, entry.symbol.start_byte))
