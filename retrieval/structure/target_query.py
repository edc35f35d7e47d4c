"""What a target says about itself, in the numbers of the tables, and which rows it hides. Nothing here comes from the
body, not even its length: the target's place is that of its first line."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from index.arrays import sort_distinct
from index.cpp.declarators import unqualified_name
from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.structure.signature import extract_scope, list_parameter_types_and_names, parse_signature
from retrieval.structure.tables.compressed_lists import Mask, Places, Rows
from retrieval.structure.tables.rank_tables import RankTables
from retrieval.structure.tables.vocabulary import (
    Hashes,
    find_word_numbers,
    split_name_into_stems,
    split_text_into_stems,
)
from retrieval.text.terms import hash_term, split_words

_CALLED = re.compile(r"([^\W\d]\w*)\s*\(")
FAR_INCLUDES = 6
"""Includes away, or more."""
_MOST_INCLUDES_FOLLOWED = 5
_CACHED_FILES = 512


class TargetQuery(NamedTuple):
    """A target in numbers. Fields that `RankTables` has too mean the same."""

    file: int
    at: int
    """Where it stands among the rows of its file."""
    own: Rows
    """The target's own rows: what calls them calls it."""
    hidden: Rows
    """Rows that can't be hits and whose edges don't exist."""
    scope: int
    name: Places
    doc: Places
    offered: Places
    takes: Places
    gives: Places
    kind: Places
    argument: Places
    result: int
    returns_nothing: bool
    parameters: int
    static: bool
    spelled: bytes
    same_name: Rows
    """Other rows of its name."""
    mentioned: Rows
    """Rows that its docstring names."""
    reach: Rows
    """Over files: the includes from the target's file to it, at most `FAR_INCLUDES`."""


class QueryMaker:
    """Makes queries of one index. Safe to share between threads."""

    def __init__(self, index: RepoIndex, tables: RankTables) -> None:
        self._tables = tables
        self._file = {path: i for i, path in enumerate(p for p, f in index.files.items() if not f.reason)}
        self._measure_reach = lru_cache(maxsize=_CACHED_FILES)(self._count_includes_up_to_limit)

    def make_query(self, view: HiddenView, target: Target) -> TargetQuery:
        """The query for `target`; `view` says what is hidden."""
        tables = self._tables
        last = unqualified_name(target.name)
        signature = parse_signature(target.signature, last)
        file = self._file[target.path]
        begin, end = int(tables.first_row[file]), int(tables.first_row[file + 1])
        hidden = self._find_rows_of_symbol_ids(view.ids_overlapping_holes)
        same_name = find_rows_by_name(tables, last)
        lines = tables.line[begin:end]
        in_span = (lines >= target.span.first) & (lines <= target.span.last)
        own = np.intersect1d(np.flatnonzero(in_span) + begin, same_name)
        scope = _find_word_number_or_minus_one(tables.scopes, extract_scope(target.name))
        return TargetQuery(
            file=file,
            at=begin + int(np.count_nonzero(lines < target.span.first)),
            own=own.astype(np.int32),
            hidden=np.union1d(hidden, own).astype(np.int32),
            scope=scope if scope >= 0 or not len(own) else int(tables.scope[own[0]]),
            name=find_word_numbers(tables.words, split_name_into_stems(last)),
            doc=find_word_numbers(tables.words, split_text_into_stems(split_words(target.docstring))),
            offered=find_word_numbers(tables.words, split_text_into_stems(list_parameter_types_and_names(signature))),
            takes=find_word_numbers(tables.types, (w for p in signature.parameters for w in p.words)),
            gives=find_word_numbers(tables.types, signature.returns),
            kind=find_word_numbers(tables.kinds, (p.kind for p in signature.parameters)),
            argument=find_word_numbers(tables.words, (p.name for p in signature.parameters if p.name)),
            result=_find_word_number_or_minus_one(tables.kinds, signature.result),
            returns_nothing=signature.result == "void",
            parameters=len(signature.parameters),
            static=re.search(r"\bstatic\b", target.signature) is not None,
            spelled=last.lower().encode()[:64],
            same_name=np.setdiff1d(same_name, own).astype(np.int32),
            mentioned=self._find_mentioned_rows(target.docstring),
            reach=self._measure_reach(file),
        )

    def _count_includes_up_to_limit(self, home_file: int) -> Rows:
        includes = self._tables.includes
        found = np.full(len(includes.starts) - 1, FAR_INCLUDES, dtype=np.int32)
        found[home_file] = 0
        level = np.array([home_file], dtype=np.int64)
        for distance in range(1, _MOST_INCLUDES_FOLLOWED + 1):
            reached = includes.gather_distinct(level)
            level = reached[found[reached] == FAR_INCLUDES]
            found[level] = distance
        return found

    def _find_rows_of_symbol_ids(self, ids: frozenset[int]) -> Rows:
        row_of = self._tables.row_of
        known = np.array(sorted(i for i in ids if i < len(row_of)), dtype=np.int64)
        rows = row_of[known]
        return rows[rows >= 0]

    def _find_mentioned_rows(self, docstring: str) -> Rows:
        called = _CALLED.findall(docstring)
        names = dict.fromkeys([*called, *(word for word in split_words(docstring) if _is_code_word(word))])
        found = [find_rows_by_name(self._tables, name) for name in names]
        return sort_distinct(np.concatenate(found)).astype(np.int32) if found else np.zeros(0, dtype=np.int32)


def find_rows_by_name(tables: RankTables, name: str) -> Rows:
    key = np.uint64(hash_term(name))
    left, right = np.searchsorted(tables.name_hash, key, "left"), np.searchsorted(tables.name_hash, key, "right")
    return tables.name_row[left:right]


def make_mask(rows: Rows | Places, size: int) -> Mask:
    out = np.zeros(size, dtype=bool)
    out[rows] = True
    return out


def _is_code_word(word: str) -> bool:
    """Whether a comment's word can be a function's name and is hardly a word of English: `add` is both."""
    return "_" in word or not (word.islower() or word.istitle()) or any(c.isdigit() for c in word)


def _find_word_number_or_minus_one(hashes: Hashes, text: str) -> int:
    found = find_word_numbers(hashes, [text] if text else [])
    return int(found[0]) if len(found) else -1
