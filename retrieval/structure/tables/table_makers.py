"""An index -> the arrays that the ranking retrievers use.

A new array is one field of `RankTables`, one function of a `TableSource`, and one line in `MAKERS`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from index.cpp.declarators import unqualified_name
from index.repo_index import RepoIndex
from index.values import Entry, SymbolKind
from retrieval.structure.signature import split_off_scope
from retrieval.structure.tables.compressed_lists import Lists, Rows, group_by_key, invert_lists, make_lists
from retrieval.structure.tables.outside_mentions import count_mentions_outside_bodies
from retrieval.structure.tables.rank_tables import TABLES_FOLDER, RankTables, load_tables, save_tables
from retrieval.structure.tables.table_source import TableSource, number_areas
from retrieval.structure.tables.vocabulary import Hashes, find_known_numbers, sum_hashes_of_lists
from retrieval.test_code import is_test_code
from retrieval.text.terms import hash_term, split_words

_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".tcc")
_BASES = re.compile(r"(?<!:):(?!:)(.*)", re.DOTALL)
_MAX_NAME = 64
"""Bytes of a name that count: longer ones are made by machines."""
_BASE_DEPTH = 4

Maker = Callable[[TableSource], npt.NDArray[Any] | Lists]


def open_tables(index: RepoIndex) -> RankTables:
    """The tables of an index, made once for each build of it (seconds) and kept in its folder."""
    return index.load_derived(TABLES_FOLDER, lambda folder: save_tables(make_tables(index), folder), load_tables)


def make_tables(index: RepoIndex) -> RankTables:
    """All arrays; some 20 s and 1 GB at 116,000 functions."""
    source = TableSource(index)
    made: dict[str, Any] = {name: make(source) for name, make in TABLE_MAKERS.items()}
    return RankTables(**made)


def _make_array_of_rows(value: Callable[[Entry], int | bool], dtype: npt.DTypeLike) -> Maker:
    """The maker of an array that has `value` of each row's function."""
    return lambda s: np.array([value(entry) for entry in s.entries], dtype=dtype)


def _count_lines(entry: Entry) -> int:
    span = entry.symbol.span
    return span.last - span.first + 1 if entry.symbol.kind is SymbolKind.FUNCTION else 0


def _is_static(entry: Entry) -> bool:
    """By the words of its signature: a macro that expands to `static` isn't seen."""
    symbol = entry.symbol
    free = "::" not in symbol.qualified_name and not symbol.path.endswith(_HEADERS)
    return free and re.search(r"\bstatic\b", symbol.signature.partition("(")[0]) is not None


def _list_spelled_names(s: TableSource) -> Lists:
    return make_lists([entry.symbol.name.lower().encode()[:_MAX_NAME] for entry in s.entries])


def _hash_names(s: TableSource) -> Hashes:
    return np.array([hash_term(entry.symbol.name) for entry in s.entries], dtype=np.uint64)


def _make_name_keys(s: TableSource) -> Hashes:
    return sum_hashes_of_lists(s.words.lists["name"], s.words.vocabulary)


def _sort_order(hashes: Hashes) -> Rows:
    return np.argsort(hashes, kind="stable").astype(np.int32)


def _list_rows_with_words(words_of: str) -> Maker:
    """The maker of lists over words: the rows whose name, comment or parameters have it."""
    return lambda s: invert_lists(s.words.lists[words_of], len(s.words.vocabulary))


def _list_field_types(s: TableSource) -> Lists:
    """For each type the types of its fields."""
    _, number = s.types
    found: dict[int, dict[int, None]] = defaultdict(dict)
    for entry in s.index.entries_of_kind(SymbolKind.FIELD):
        owner = number.get(unqualified_name(split_off_scope(entry.symbol.qualified_name)))
        if owner is not None:
            inner = find_known_numbers(number, split_words(entry.symbol.signature))
            found[owner].update((field, None) for field in inner if field != owner)
    return make_lists([list(found.get(owner, ())) for owner in range(len(number))])


def _list_base_scopes(s: TableSource) -> Lists:
    """For each scope itself and the scopes of the classes that it inherits from, by name, a few levels up."""
    by_last: dict[str, list[int]] = defaultdict(list)
    for number, scope in enumerate(s.scope_names):
        by_last[unqualified_name(scope)].append(number)
    direct: dict[str, list[str]] = {}
    for entry in s.index.entries_of_kind(SymbolKind.TYPE):
        found = _BASES.search(entry.symbol.signature.partition("enum ")[0])
        if found:
            direct.setdefault(entry.symbol.name, split_words(found[1]))
    return make_lists(
        [_collect_bases(at, unqualified_name(name), direct, by_last) for at, name in enumerate(s.scope_names)]
    )


def _collect_bases(
    number: int, name: str, direct: Mapping[str, Sequence[str]], by_last: Mapping[str, Sequence[int]]
) -> list[int]:
    out = {number: None}
    level = [name]
    for _ in range(_BASE_DEPTH):
        level = [base for derived in level for base in direct.get(derived, ()) if base in by_last]
        out.update((scope, None) for base in level for scope in by_last[base])
    return list(out)


def _find_first_rows(s: TableSource) -> Rows:
    return np.searchsorted(s.file[: s.definitions], np.arange(len(s.paths) + 1)).astype(np.int32)


def _list_rows_in_folders(s: TableSource) -> Lists:
    of_rows = s.folder[s.file[: s.definitions]] if s.definitions else np.zeros(0, dtype=np.int32)
    return group_by_key(of_rows, int(s.folder.max(initial=-1)) + 1)


def _list_included_files(s: TableSource) -> Lists:
    number = s.file_number
    return make_lists([sorted(number[p] for p in s.index.includes(path) if p in number) for path in s.paths])


def _list_declaring_files(s: TableSource) -> Lists:
    where: dict[str, dict[int, None]] = defaultdict(dict)
    for entry in s.index.entries_of_kind(SymbolKind.PROTOTYPE):
        where[entry.symbol.qualified_name][s.file_number[entry.symbol.path]] = None
    return make_lists([sorted(where.get(entry.symbol.qualified_name, ())) for entry in s.entries])


TABLE_MAKERS: Mapping[str, Maker] = {
    "ids": lambda s: s.ids,
    "row_of": lambda s: s.row_of,
    "file": lambda s: s.file,
    "line": _make_array_of_rows(lambda entry: entry.symbol.span.first, np.int32),
    "lines": _make_array_of_rows(_count_lines, np.int32),
    "static": _make_array_of_rows(_is_static, bool),
    "defined": _make_array_of_rows(lambda entry: entry.symbol.kind is SymbolKind.FUNCTION, bool),
    "parameters": lambda s: np.array([len(signature.parameters) for signature in s.signatures], dtype=np.int32),
    "result": lambda s: s.kinds.lists["result"].flat,
    "scope": lambda s: s.scope,
    # The call graph.
    "calls": lambda s: s.edges.calls,
    "weights": lambda s: s.edges.weights,
    "turns": lambda s: s.edges.turns,
    "callers": lambda s: s.edges.callers,
    "implied": lambda s: s.edges.implied,
    "outside": lambda s: count_mentions_outside_bodies(s.index, s.entries),
    # Names and words.
    "words": lambda s: s.words.vocabulary,
    "name": lambda s: s.words.lists["name"],
    "by_name": _list_rows_with_words("name"),
    "doc": lambda s: s.words.lists["doc"],
    "by_doc": _list_rows_with_words("doc"),
    "by_offered": _list_rows_with_words("offered"),
    "spelled": _list_spelled_names,
    "name_hash": lambda s: np.sort(_hash_names(s)),
    "name_row": lambda s: _sort_order(_hash_names(s)),
    "words_key": lambda s: np.sort(_make_name_keys(s)),
    "words_row": lambda s: _sort_order(_make_name_keys(s)),
    # Types.
    "types": lambda s: s.types[0],
    "takes": lambda s: s.takes,
    "by_takes": lambda s: invert_lists(s.takes, len(s.types[0])),
    "gives": lambda s: s.gives,
    "by_gives": lambda s: invert_lists(s.gives, len(s.types[0])),
    "holds": _list_field_types,
    "kinds": lambda s: s.kinds.vocabulary,
    "kind": lambda s: s.kinds.lists["parameters"],
    "argument": lambda s: s.words.lists["argument"],
    # Classes and namespaces.
    "scopes": lambda s: np.array([hash_term(name) for name in s.scope_names], dtype=np.uint64),
    "members": lambda s: group_by_key(s.scope, len(s.scope_names)),
    "bases": _list_base_scopes,
    "scope_type": lambda s: s.scope_type,
    "type_scopes": lambda s: group_by_key(s.scope_type, len(s.types[0])),
    # Files.
    "first_row": _find_first_rows,
    "folder": lambda s: s.folder,
    "in_folder": _list_rows_in_folders,
    "area": lambda s: number_areas(s.paths),
    "test": lambda s: np.array([is_test_code(path) for path in s.paths], dtype=bool),
    "header": lambda s: np.array([path.endswith(_HEADERS) for path in s.paths], dtype=bool),
    "includes": _list_included_files,
    "declared": _list_declaring_files,
}
