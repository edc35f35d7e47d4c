"""An index -> the arrays that the ranking retrievers use: see `rank_tables`."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from index.callgraph.graph import EdgeKind
from index.cpp.declarators import last_name
from index.repo_index import Entry, RepoIndex
from index.values import Symbol, SymbolKind
from retrieval.structure.signature import offered_words, parts, scope_of
from retrieval.structure.tables.lists import Lists, Rows, grouped, inverted, lists_of
from retrieval.structure.tables.outside import mentions_outside
from retrieval.structure.tables.tables import ARRAYS, RankTables, Shares, load, save
from retrieval.structure.tables.vocabulary import Collected, Hashes, name_words, text_words, words_keys
from retrieval.test_code import is_test_code
from retrieval.text.terms import term_hash

_WORD = re.compile(r"[^\W\d]\w*")
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".tcc")
_BASES = re.compile(r"(?<!:):(?!:)(.*)", re.DOTALL)
_MAX_NAME = 64
"""Bytes of a name that count: longer ones are made by machines."""
_BASE_DEPTH = 4
_DOC_WORDS = 60


def open_tables(index: RepoIndex) -> RankTables:
    """The tables of an index, made once for each build of it (seconds) and kept in its folder."""
    return index.derived(ARRAYS, lambda folder: save(make_tables(index), folder), load)


def make_tables(index: RepoIndex) -> RankTables:
    """All arrays; some 20 s and 1 GB at 116,000 functions."""
    entries = _rows(index)
    paths = [path for path, file in index.files.items() if not file.reason]
    files = _files(index, paths)
    words, types, kinds = Collected(), Collected(), Collected()
    type_entries = index.entries(SymbolKind.TYPE)
    types.add(e.symbol.name for e in type_entries)
    signatures = [parts(e.symbol.signature, e.symbol.name) for e in entries]
    name = [words.add(name_words(e.symbol.name)) for e in entries]
    doc = [words.add(text_words(_WORD.findall(e.symbol.docstring))[:_DOC_WORDS]) for e in entries]
    offered = [words.add(text_words(offered_words(p))) for p in signatures]
    argument = [words.add(p.name for p in s.parameters if p.name) for s in signatures]
    kind = [kinds.add(p.kind for p in s.parameters) for s in signatures]
    result = [kinds.add([s.result])[0] for s in signatures]
    takes = [types.find(w for p in s.parameters for w in p.words) for s in signatures]
    gives = [types.find(s.returns) for s in signatures]
    holds = _fields(index, types)
    word_hashes, word_numbers = words.finish()
    type_hashes, type_numbers = types.finish()
    kind_hashes, kind_numbers = kinds.finish()
    scope_names = sorted({s for e in entries if (s := scope_of(e.symbol.qualified_name))}, key=term_hash)
    by_type = np.array([(types.find([last_name(s)]) or [-1])[0] for s in scope_names], dtype=np.int64)
    scope_type = np.where(by_type >= 0, type_numbers[by_type], -1) if len(type_numbers) else by_type
    scope_number = {s: i for i, s in enumerate(scope_names)}
    scope = np.array([scope_number.get(scope_of(e.symbol.qualified_name), -1) for e in entries], dtype=np.int32)
    ids = np.array([e.id for e in entries], dtype=np.int32)
    row_of = np.full(int(ids.max(initial=0)) + 1, -1, dtype=np.int32)
    row_of[ids] = np.arange(len(ids), dtype=np.int32)
    defined = np.array([e.symbol.kind is SymbolKind.FUNCTION for e in entries], dtype=bool)
    file = np.array([files.number[e.symbol.path] for e in entries], dtype=np.int32)
    count = int(defined.sum())
    name_lists, doc_lists, offered_lists = (_renumbered(x, word_numbers) for x in (name, doc, offered))
    takes_lists, gives_lists = (_renumbered(x, type_numbers) for x in (takes, gives))
    edges = _edges(index, ids, row_of)
    name_hash, name_row = _by_hash(e.symbol.name for e in entries)
    words_key, words_row = _by_words(name_lists, word_hashes)
    folder_of_rows = files.folder[file[:count]] if count else np.zeros(0, dtype=np.int32)
    return RankTables(
        ids=ids,
        row_of=row_of,
        file=file,
        line=np.array([e.symbol.span.first for e in entries], dtype=np.int32),
        lines=np.array([_lines(e) for e in entries], dtype=np.int32),
        static=np.array([_static(e.symbol) for e in entries], dtype=bool),
        defined=defined,
        parameters=np.array([len(s.parameters) for s in signatures], dtype=np.int32),
        result=kind_numbers[np.array(result, dtype=np.int64)],
        scope=scope,
        calls=edges.calls,
        weights=edges.weights,
        callers=edges.callers,
        back_weights=edges.back_weights,
        implied=edges.implied,
        outside=mentions_outside(index, entries),
        words=word_hashes,
        name=name_lists,
        by_name=inverted(name_lists, len(word_hashes)),
        doc=doc_lists,
        by_doc=inverted(doc_lists, len(word_hashes)),
        offered=offered_lists,
        by_offered=inverted(offered_lists, len(word_hashes)),
        spelled=lists_of([e.symbol.name.lower().encode()[:_MAX_NAME] for e in entries]),
        name_hash=name_hash,
        name_row=name_row,
        words_key=words_key,
        words_row=words_row,
        types=type_hashes,
        takes=takes_lists,
        by_takes=inverted(takes_lists, len(type_hashes)),
        gives=gives_lists,
        by_gives=inverted(gives_lists, len(type_hashes)),
        holds=_by_number(holds, type_numbers),
        kinds=kind_hashes,
        kind=_renumbered(kind, kind_numbers),
        argument=_renumbered(argument, word_numbers),
        scopes=np.array([term_hash(s) for s in scope_names], dtype=np.uint64),
        members=grouped(scope, len(scope_names)),
        bases=_bases(type_entries, scope_names),
        scope_type=scope_type.astype(np.int32),
        type_scopes=grouped(scope_type.astype(np.int32), len(type_hashes)),
        first_row=np.searchsorted(file[:count], np.arange(len(paths) + 1)).astype(np.int32),
        folder=files.folder,
        in_folder=grouped(folder_of_rows, int(files.folder.max(initial=-1)) + 1),
        area=files.area,
        test=np.array([is_test_code(p) for p in paths], dtype=bool),
        header=np.array([p.endswith(_HEADERS) for p in paths], dtype=bool),
        includes=files.includes,
        declared=_declared(index, entries, files.number),
    )


def _rows(index: RepoIndex) -> list[Entry]:
    """Definitions by path and place, then one declaration of each function that has no definition (pure virtual
    methods among them). Which those are depends on names alone, never on who calls them: a row must not tell of a
    hidden call."""
    functions = list(index.functions)
    names = {e.symbol.qualified_name for e in functions}
    # A definition out of its namespace may be written without it.
    free = {e.symbol.name for e in functions if "::" not in e.symbol.qualified_name}
    declared: dict[str, Entry] = {}
    for entry in index.entries(SymbolKind.PROTOTYPE):
        symbol = entry.symbol
        if symbol.qualified_name not in names and symbol.name not in free:
            declared.setdefault(symbol.qualified_name, entry)
    return functions + sorted(declared.values(), key=lambda e: (e.symbol.path, e.symbol.start_byte))


def _lines(entry: Entry) -> int:
    span = entry.symbol.span
    return span.last - span.first + 1 if entry.symbol.kind is SymbolKind.FUNCTION else 0


def _static(symbol: Symbol) -> bool:
    """By its own words: a macro that expands to `static` isn't seen."""
    outside = "::" not in symbol.qualified_name and not symbol.path.endswith(_HEADERS)
    return outside and re.search(r"\bstatic\b", symbol.signature.partition("(")[0]) is not None


class _Files(NamedTuple):
    number: Mapping[str, int]
    folder: Rows
    area: Rows
    includes: Lists


def _files(index: RepoIndex, paths: Sequence[str]) -> _Files:
    number = {path: i for i, path in enumerate(paths)}
    folders: dict[str, int] = {}
    areas: dict[str, int] = {}
    folder = [folders.setdefault(posixpath.dirname(p), len(folders)) for p in paths]
    area = [areas.setdefault("/".join(p.split("/")[:-1][:2]), len(areas)) for p in paths]
    includes = lists_of([sorted(number[p] for p in index.includes(path) if p in number) for path in paths])
    return _Files(number, np.array(folder, dtype=np.int32), np.array(area, dtype=np.int32), includes)


class _Edges(NamedTuple):
    calls: Lists
    weights: Shares
    callers: Lists
    back_weights: Shares
    implied: Lists


def _edges(index: RepoIndex, ids: Rows, row_of: Rows) -> _Edges:
    """The graph between rows: what is written in a body, and beside it what the body's macros call. What every
    second function calls by way of a macro (an assertion, an error's report) would else be a candidate everywhere,
    and nobody writes it. Edges by way of a function pointer are left out: they rest on a third body, which a target
    may hide. So are a function's edges to itself."""
    graph = index.graph
    size = min(len(graph.starts) - 1, len(row_of))
    caller = np.asarray(graph.caller)
    callee = np.asarray(graph.callee)
    inside = (caller < size) & (callee < size) & ((np.asarray(graph.kind) & EdgeKind.POINTER) == 0)
    source = row_of[caller[inside]]
    sink = row_of[callee[inside]]
    weight = np.asarray(graph.confidence)[inside].astype(np.float32)
    by_macro = (np.asarray(graph.kind)[inside] & EdgeKind.THROUGH_MACRO) > 0
    between = (source >= 0) & (sink >= 0) & (source != sink)
    rows = len(ids)
    made = between & by_macro
    there = np.lexsort((sink[made], source[made]))
    implied = _as_lists(source[made][there], sink[made][there], rows)
    kept = between & ~by_macro
    source, sink, weight = source[kept], sink[kept], weight[kept]
    there = np.lexsort((sink, source))
    back = np.lexsort((source, sink))
    return _Edges(
        _as_lists(source[there], sink[there], rows),
        weight[there],
        _as_lists(sink[back], source[back], rows),
        weight[back],
        implied,
    )


def _as_lists(keys: Rows, values: Rows, size: int) -> Lists:
    starts = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys, minlength=size), out=starts[1:])
    return Lists(starts, values.astype(np.int32))


def _renumbered(values: Iterable[Sequence[int]], final: Rows) -> Lists:
    lists = lists_of(values)
    return Lists(lists.starts, final[lists.flat] if len(final) else lists.flat)


def _by_number(values: Mapping[int, Sequence[int]], final: Rows) -> Lists:
    """Lists by temporary number -> lists by final number, of final numbers."""
    ordered: list[Sequence[int]] = [()] * len(final)
    for temporary, others in values.items():
        ordered[int(final[temporary])] = others
    return _renumbered(ordered, final)


def _by_hash(names: Iterable[str]) -> tuple[Hashes, Rows]:
    hashes = np.array([term_hash(name) for name in names], dtype=np.uint64)
    order = np.argsort(hashes, kind="stable").astype(np.int32)
    return hashes[order], order


def _by_words(names: Lists, words: Hashes) -> tuple[Hashes, Rows]:
    keys = words_keys(names, words)
    order = np.argsort(keys, kind="stable").astype(np.int32)
    return keys[order], order


def _fields(index: RepoIndex, types: Collected) -> dict[int, list[int]]:
    """Type -> the types of its fields, by temporary numbers."""
    found: dict[int, dict[int, None]] = defaultdict(dict)
    for entry in index.entries(SymbolKind.FIELD):
        owner = types.find([last_name(scope_of(entry.symbol.qualified_name))])
        if owner:
            for number in types.find(_WORD.findall(entry.symbol.signature)):
                if number != owner[0]:
                    found[owner[0]][number] = None
    return {owner: list(inner) for owner, inner in found.items()}


def _bases(type_entries: Iterable[Entry], scope_names: Sequence[str]) -> Lists:
    """Each scope with the scopes of the classes that it inherits from, by name, a few levels up."""
    by_last: dict[str, list[int]] = defaultdict(list)
    for number, scope in enumerate(scope_names):
        by_last[last_name(scope)].append(number)
    direct: dict[str, list[str]] = {}
    for entry in type_entries:
        found = _BASES.search(entry.symbol.signature.partition("enum ")[0])
        if found:
            direct.setdefault(entry.symbol.name, _WORD.findall(found[1]))
    return lists_of([_with_bases(i, last_name(scope), direct, by_last) for i, scope in enumerate(scope_names)])


def _with_bases(
    number: int, name: str, direct: Mapping[str, Sequence[str]], by_last: Mapping[str, Sequence[int]]
) -> list[int]:
    out = {number: None}
    level = [name]
    for _ in range(_BASE_DEPTH):
        level = [base for one in level for base in direct.get(one, ()) if base in by_last]
        out.update((s, None) for base in level for s in by_last[base])
    return list(out)


def _declared(index: RepoIndex, entries: Sequence[Entry], number: Mapping[str, int]) -> Lists:
    where: dict[str, dict[int, None]] = defaultdict(dict)
    for entry in index.entries(SymbolKind.PROTOTYPE):
        where[entry.symbol.qualified_name][number[entry.symbol.path]] = None
    return lists_of([sorted(where.get(e.symbol.qualified_name, ())) for e in entries])
