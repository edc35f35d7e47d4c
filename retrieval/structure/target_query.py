"""What a target says about itself, in the numbers of the tables, and which rows it hides.

Nothing here comes from the body, not even its length: the target's place is that of its first line.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from index.cpp.declarators import last_name
from index.hiding.view import HiddenView
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.structure.signature import offered_words, parse_signature, scope_of
from retrieval.structure.tables.arrays import RankTables
from retrieval.structure.tables.lists import Mask, Places, Rows
from retrieval.structure.tables.vocabulary import Hashes, name_words, numbers, text_words
from retrieval.text.terms import term_hash, words

_CALLED = re.compile(r"([^\W\d]\w*)\s*\(")
FAR = 6
"""Includes away, or more."""
_DEPTH = 5
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


class QueryMaker:
    """Makes queries of one index. Safe to share between threads."""

    def __init__(self, index: RepoIndex, tables: RankTables) -> None:
        self._tables = tables
        self._file = {path: i for i, path in enumerate(p for p, f in index.files.items() if not f.reason)}
        self._reach = lru_cache(maxsize=_CACHED_FILES)(self._reached)

    def make(self, view: HiddenView, target: Target) -> TargetQuery:
        """The query for `target`; `view` says what is hidden."""
        tables = self._tables
        last = last_name(target.name)
        signature = parse_signature(target.signature, last)
        file = self._file[target.path]
        begin, end = int(tables.first_row[file]), int(tables.first_row[file + 1])
        hidden = self._rows(view.touched)
        same_name = rows_named(tables, last)
        lines = tables.line[begin:end]
        in_span = (lines >= target.span.first) & (lines <= target.span.last)
        own = np.intersect1d(np.flatnonzero(in_span) + begin, same_name)
        scope = _find(tables.scopes, scope_of(target.name))
        return TargetQuery(
            file=file,
            at=begin + int(np.count_nonzero(lines < target.span.first)),
            own=own.astype(np.int32),
            hidden=np.union1d(hidden, own).astype(np.int32),
            scope=scope if scope >= 0 or not len(own) else int(tables.scope[own[0]]),
            name=numbers(tables.words, name_words(last)),
            doc=numbers(tables.words, text_words(words(target.docstring))),
            offered=numbers(tables.words, text_words(offered_words(signature))),
            takes=numbers(tables.types, (w for p in signature.parameters for w in p.words)),
            gives=numbers(tables.types, signature.returns),
            kind=numbers(tables.kinds, (p.kind for p in signature.parameters)),
            argument=numbers(tables.words, (p.name for p in signature.parameters if p.name)),
            result=_find(tables.kinds, signature.result),
            returns_nothing=signature.result == "void",
            parameters=len(signature.parameters),
            static=re.search(r"\bstatic\b", target.signature) is not None,
            spelled=last.lower().encode()[:64],
            same_name=np.setdiff1d(same_name, own).astype(np.int32),
            mentioned=self._mentioned(target.docstring),
        )

    def reach(self, file: int) -> Rows:
        """Over files: includes from `file` to it, 0 for itself, FAR for what is further or unreachable."""
        return self._reach(file)

    def _reached(self, file: int) -> Rows:
        includes = self._tables.includes
        found = np.full(len(includes.starts) - 1, FAR, dtype=np.int32)
        found[file] = 0
        level = np.array([file], dtype=np.int64)
        for distance in range(1, _DEPTH + 1):
            reached = np.unique(includes.gather(level)[0])
            level = reached[found[reached] == FAR]
            found[level] = distance
        return found

    def _rows(self, ids: frozenset[int]) -> Rows:
        row_of = self._tables.row_of
        known = np.array(sorted(i for i in ids if i < len(row_of)), dtype=np.int64)
        rows = row_of[known]
        return rows[rows >= 0]

    def _mentioned(self, docstring: str) -> Rows:
        called = _CALLED.findall(docstring)
        names = dict.fromkeys([*called, *(word for word in words(docstring) if _is_code(word))])
        found = [rows_named(self._tables, name) for name in names]
        return np.unique(np.concatenate(found)).astype(np.int32) if found else np.zeros(0, dtype=np.int32)


def rows_named(tables: RankTables, name: str) -> Rows:
    """The rows of that unqualified name."""
    key = np.uint64(term_hash(name))
    left, right = np.searchsorted(tables.name_hash, key, "left"), np.searchsorted(tables.name_hash, key, "right")
    return tables.name_row[left:right]


def mask_of(rows: Rows | Places, size: int) -> Mask:
    """True at `rows`."""
    out = np.zeros(size, dtype=bool)
    out[rows] = True
    return out


def _is_code(word: str) -> bool:
    """Whether a comment's word can be a function's name and is hardly a word of English: `add` is both."""
    return "_" in word or not (word.islower() or word.istitle()) or any(c.isdigit() for c in word)


def _find(hashes: Hashes, text: str) -> int:
    found = numbers(hashes, [text] if text else [])
    return int(found[0]) if len(found) else -1
