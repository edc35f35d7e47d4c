"""An index -> the arrays that the ranking retrievers use: a new one is one field of `RankTables` and one line in
`make_rank_tables`."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from index.arrays import find_list_starts
from index.callgraph.graph import CallGraph, EdgeKind
from index.cpp.declarators import unqualified_name
from index.repo_index import RepoIndex
from index.values import Entry, Symbol, SymbolKind
from retrieval.structure.signature import extract_scope, list_parameter_types_and_names, parse_signature
from retrieval.structure.tables.compressed_lists import (
    Lists,
    Mask,
    Places,
    Rows,
    group_by_key,
    invert_lists,
    make_lists,
)
from retrieval.structure.tables.rank_tables import TABLES_FOLDER, RankTables, Shares
from retrieval.structure.tables.vocabulary import (
    find_known_numbers,
    number_words,
    number_words_in_columns,
    split_name_into_stems,
    split_text_into_stems,
    sum_hashes_of_lists,
)
from retrieval.test_code import is_test_code
from retrieval.text.terms import hash_term, split_raw_words, split_words

_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".tcc")
_BASES = re.compile(r"(?<!:):(?!:)(.*)", re.DOTALL)
_MAX_NAME = 64
"""Bytes of a name that count: longer ones are made by machines."""
_DOC_WORDS = 60
"""Words of a comment that count: what follows is for whoever reads it whole."""
_BASE_DEPTH = 4
_QUIET = re.compile(rb"""/\*.*?(?:\*/|\Z)|//[^\n]*|"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+'""", re.DOTALL)
"""Comments, strings and characters: a name in them isn't a use of a function."""


def open_or_make_rank_tables(index: RepoIndex) -> RankTables:
    """The tables of an index, made once for each build of it (seconds) and kept in its folder."""
    return index.load_or_make_columns(TABLES_FOLDER, RankTables, lambda _: make_rank_tables(index))


def make_rank_tables(index: RepoIndex) -> RankTables:
    """All arrays; some 20 s and 1 GB at 116,000 functions."""
    entries = _list_definitions_and_lone_declarations(index)
    symbols = [entry.symbol for entry in entries]
    defined = np.array([symbol.kind is SymbolKind.FUNCTION for symbol in symbols], dtype=bool)
    ids = np.array([entry.id for entry in entries], dtype=np.int32)
    row_of = np.full(int(ids.max(initial=0)) + 1, -1, dtype=np.int32)
    row_of[ids] = np.arange(len(ids), dtype=np.int32)
    edges = _list_written_and_macro_edges(index.graph, row_of, len(ids))
    signatures = [parse_signature(symbol.signature, symbol.name) for symbol in symbols]

    names = np.array([hash_term(symbol.name) for symbol in symbols], dtype=np.uint64)
    words = number_words_in_columns(
        {
            "name": (split_name_into_stems(symbol.name) for symbol in symbols),
            "doc": (split_text_into_stems(split_words(symbol.docstring))[:_DOC_WORDS] for symbol in symbols),
            "offered": (split_text_into_stems(list_parameter_types_and_names(signature)) for signature in signatures),
            "argument": ((p.name for p in signature.parameters if p.name) for signature in signatures),
        }
    )
    size = len(words.vocabulary)
    words_keys = sum_hashes_of_lists(words.lists["name"], words.vocabulary)

    types, type_number = number_words(entry.symbol.name for entry in index.entries_of_kind(SymbolKind.TYPE))
    takes = make_lists(find_known_numbers(type_number, (w for p in s.parameters for w in p.words)) for s in signatures)
    gives = make_lists(find_known_numbers(type_number, s.returns) for s in signatures)
    kinds = number_words_in_columns(
        {
            "parameters": ((p.kind for p in signature.parameters) for signature in signatures),
            "result": ((signature.result,) for signature in signatures),
        }
    )

    scope_of_row = [extract_scope(symbol.qualified_name) for symbol in symbols]
    scope_names = sorted({name for name in scope_of_row if name}, key=hash_term)
    scope_number = {name: number for number, name in enumerate(scope_names)}
    scope = np.array([scope_number.get(name, -1) for name in scope_of_row], dtype=np.int32)
    scope_type = np.array([type_number.get(unqualified_name(name), -1) for name in scope_names], dtype=np.int32)

    paths = [path for path, file in index.files.items() if not file.reason]
    file_number = {path: number for number, path in enumerate(paths)}
    file = np.array([file_number[symbol.path] for symbol in symbols], dtype=np.int32)
    file_of_definition = file[: np.count_nonzero(defined)]
    folder = _number_by_first_occurrence(posixpath.dirname(path) for path in paths)
    return RankTables(
        ids=ids,
        row_of=row_of,
        file=file,
        line=np.array([symbol.span.first for symbol in symbols], dtype=np.int32),
        lines=np.array([s.span.last - s.span.first + 1 for s in symbols], dtype=np.int32) * defined,
        static=np.array([_is_file_local_function(symbol) for symbol in symbols], dtype=bool),
        defined=defined,
        parameters=np.array([len(signature.parameters) for signature in signatures], dtype=np.int32),
        result=kinds.lists["result"].flat,
        scope=scope,
        **edges._asdict(),
        outside=_count_mentions_outside_bodies(index, entries),
        words=words.vocabulary,
        name=words.lists["name"],
        by_name=invert_lists(words.lists["name"], size),
        doc=words.lists["doc"],
        by_doc=invert_lists(words.lists["doc"], size),
        by_offered=invert_lists(words.lists["offered"], size),
        spelled=make_lists([symbol.name.lower().encode()[:_MAX_NAME] for symbol in symbols]),
        name_hash=np.sort(names),
        name_row=np.argsort(names, kind="stable").astype(np.int32),
        words_key=np.sort(words_keys),
        words_row=np.argsort(words_keys, kind="stable").astype(np.int32),
        types=types,
        takes=takes,
        by_takes=invert_lists(takes, len(types)),
        gives=gives,
        by_gives=invert_lists(gives, len(types)),
        holds=_list_field_types(index, type_number),
        kinds=kinds.vocabulary,
        kind=kinds.lists["parameters"],
        argument=words.lists["argument"],
        scopes=np.array([hash_term(name) for name in scope_names], dtype=np.uint64),
        members=group_by_key(scope, len(scope_names)),
        bases=_list_own_and_base_scopes(index, scope_names),
        scope_type=scope_type,
        type_scopes=group_by_key(scope_type, len(types)),
        first_row=np.searchsorted(file_of_definition, np.arange(len(paths) + 1)).astype(np.int32),
        folder=folder,
        in_folder=group_by_key(folder[file_of_definition], int(folder.max(initial=-1)) + 1),
        area=_number_by_first_occurrence("/".join(path.split("/")[:-1][:2]) for path in paths),
        test=np.array([is_test_code(path) for path in paths], dtype=bool),
        header=np.array([path.endswith(_HEADERS) for path in paths], dtype=bool),
        includes=make_lists(
            sorted(file_number[p] for p in index.includes(path) if p in file_number) for path in paths
        ),
        declared=_list_declaring_files(index, symbols, file_number),
    )


def _list_definitions_and_lone_declarations(index: RepoIndex) -> list[Entry]:
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


class RowEdges(NamedTuple):
    """The call graph between rows; see the fields of these names in `RankTables`."""

    calls: Lists
    weights: Shares
    turns: Rows
    callers: Lists
    implied: Lists


def _list_written_and_macro_edges(graph: CallGraph, row_of: Rows, rows: int) -> RowEdges:
    """What is written in a body, and beside it what the body's macros call. What every second function calls through
    a macro (an assertion, an error's report) would else be a candidate everywhere, and nobody writes it. Edges
    through a function pointer are left out: they rest on a third body, which a target may hide. So are a function's
    edges to itself."""
    size = min(len(graph.starts) - 1, len(row_of))
    caller, callee, kind = np.asarray(graph.caller), np.asarray(graph.callee), np.asarray(graph.kind)
    kept = (caller < size) & (callee < size) & ((kind & EdgeKind.POINTER) == 0)
    source, sink = row_of[caller[kept]], row_of[callee[kept]]
    weight = np.asarray(graph.confidence)[kept].astype(np.float32)
    by_macro = (kind[kept] & EdgeKind.THROUGH_MACRO) > 0
    between = (source >= 0) & (sink >= 0) & (source != sink)

    def group_edge_ends_by_source(source: Rows, sink: Rows, chosen: Mask) -> tuple[Lists, Places]:
        """For each row the ends of the chosen edges from it, sorted; and the places that they had among the chosen."""
        source, sink = source[chosen], sink[chosen]
        order = np.lexsort((sink, source))
        return Lists(find_list_starts(source, rows), sink[order].astype(np.int32)), order

    written = between & ~by_macro
    calls, order = group_edge_ends_by_source(source, sink, written)
    turns = _number_edges_within_source(source[written])[order]
    callers, _ = group_edge_ends_by_source(sink, source, written)
    implied, _ = group_edge_ends_by_source(source, sink, between & by_macro)
    return RowEdges(calls, weight[written][order], turns, callers, implied)


def _number_edges_within_source(source: Rows) -> Rows:
    """The place of each edge among those of its source, which stand together in the order of the calls."""
    place = np.arange(len(source))
    new = np.ones(len(source), dtype=bool)
    new[1:] = source[1:] != source[:-1]
    return (place - np.maximum.accumulate(np.where(new, place, 0))).astype(np.int32)


def _number_by_first_occurrence(names: Iterable[str]) -> Rows:
    """Each name's number, in the order in which names first occur."""
    number: dict[str, int] = {}
    return np.array([number.setdefault(name, len(number)) for name in names], dtype=np.int32)


def _is_file_local_function(symbol: Symbol) -> bool:
    """By the words of its signature: a macro that expands to `static` isn't seen."""
    free = "::" not in symbol.qualified_name and not symbol.path.endswith(_HEADERS)
    return free and re.search(r"\bstatic\b", symbol.signature.partition("(")[0]) is not None


def _list_field_types(index: RepoIndex, type_number: Mapping[str, int]) -> Lists:
    """For each type the types of its fields."""
    found: dict[int, dict[int, None]] = defaultdict(dict)
    for entry in index.entries_of_kind(SymbolKind.FIELD):
        owner = type_number.get(unqualified_name(extract_scope(entry.symbol.qualified_name)))
        if owner is not None:
            inner = find_known_numbers(type_number, split_words(entry.symbol.signature))
            found[owner].update((field, None) for field in inner if field != owner)
    return make_lists([list(found.get(owner, ())) for owner in range(len(type_number))])


def _list_own_and_base_scopes(index: RepoIndex, scope_names: Sequence[str]) -> Lists:
    """For each scope itself and the scopes of the classes that it inherits from, by name, a few levels up."""
    scopes_by_name: dict[str, list[int]] = defaultdict(list)
    for number, scope in enumerate(scope_names):
        scopes_by_name[unqualified_name(scope)].append(number)
    direct: dict[str, list[str]] = {}
    for entry in index.entries_of_kind(SymbolKind.TYPE):
        found = _BASES.search(entry.symbol.signature.partition("enum ")[0])
        if found:
            direct.setdefault(entry.symbol.name, split_words(found[1]))

    def collect_own_and_base_scopes(number: int, name: str) -> list[int]:
        out = {number: None}
        level = [name]
        for _ in range(_BASE_DEPTH):
            level = [base for derived in level for base in direct.get(derived, ()) if base in scopes_by_name]
            out.update((scope, None) for base in level for scope in scopes_by_name[base])
        return list(out)

    return make_lists(
        [collect_own_and_base_scopes(number, unqualified_name(name)) for number, name in enumerate(scope_names)]
    )


def _list_declaring_files(index: RepoIndex, symbols: Sequence[Symbol], file_number: Mapping[str, int]) -> Lists:
    where: dict[str, dict[int, None]] = defaultdict(dict)
    for entry in index.entries_of_kind(SymbolKind.PROTOTYPE):
        where[entry.symbol.qualified_name][file_number[entry.symbol.path]] = None
    return make_lists([sorted(where.get(symbol.qualified_name, ())) for symbol in symbols])


def _count_mentions_outside_bodies(index: RepoIndex, entries: Sequence[Entry]) -> Rows:
    """For each entry how often its name occurs outside all functions' bodies (in tables of functions, macros,
    initialisers), without its definitions and declarations. It depends on no body, so nothing has to be taken back for
    a hidden one. A static function that no visible body calls and no table names is called by something hidden."""
    counted = {entry.symbol.name.encode(): 0 for entry in entries}
    bodies: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for entry in index.functions:
        if entry.body >= 0:
            bodies[entry.symbol.path].append((entry.body, entry.symbol.end_byte))
    for path, file in index.files.items():
        if not file.reason:
            for word in split_raw_words(
                _QUIET.sub(b" ", _cut_byte_ranges_out(index.read_file(path), bodies.get(path, ())))
            ):
                if word in counted:
                    counted[word] += 1
    heads = Counter(e.symbol.name for e in index.functions)
    heads.update(e.symbol.name for e in index.entries_of_kind(SymbolKind.PROTOTYPE))
    found = (counted[e.symbol.name.encode()] - heads[e.symbol.name] for e in entries)
    return np.maximum(np.fromiter(found, dtype=np.int32, count=len(entries)), 0)


def _cut_byte_ranges_out(data: bytes, ranges: Iterable[tuple[int, int]]) -> bytes:
    parts = []
    at = 0
    for begin, end in sorted(ranges):
        if begin > at:
            parts.append(data[at:begin])
        at = max(at, end)
    parts.append(data[at:])
    return b" ".join(parts)
