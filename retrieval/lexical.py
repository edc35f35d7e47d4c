"""The `lexical` arm: BM25 with the target's name, signature and docstring as the query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from index.repo_index import Entry, RepoIndex
from index.values import Symbol, Target
from index.view import HiddenView
from retrieval import bm25
from retrieval.bm25 import Field
from retrieval.terms import terms
from retrieval.values import Hit

NAME_WEIGHT = 3
"""A function's name says in a word what its body says in twenty lines; counted three times it isn't drowned."""
TEXT_WEIGHT = 1
_ARRAYS = "bm25"


class LexicalRetriever:
    """BM25 over all functions of an index: name, signature, docstring, body.

    The matrix is made once per build of the index (seconds) and kept in its folder; opening it maps files. Safe to
    share between threads.
    """

    name = "lexical"

    def __init__(self, index: RepoIndex) -> None:
        self._index = index
        self._matrix = index.derived(_ARRAYS, self._make, bm25.load)

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """See `Retriever`. Functions that share no term with the query are no hits; ties go by path and place."""
        touched = self._touched(view)
        replaced = {}
        for row in touched:
            symbol = view.seen(self._functions[row])
            if symbol is not None:
                replaced[row] = bm25.count_terms(_fields(symbol, view.text(symbol)))
        values = bm25.scores(self._matrix, query_terms(target), np.array(touched, dtype=np.int64), replaced)
        found = np.flatnonzero(values > 0)
        best = found[np.argsort(-values[found], kind="stable")][: max(limit, 0)]
        hits = []
        for row in best:
            symbol = view.seen(self._functions[int(row)])
            if symbol is not None:
                hits.append(Hit(symbol, float(values[row]), "shares words with the name, signature or docstring"))
        return hits

    @cached_property
    def _functions(self) -> tuple[Entry, ...]:
        return self._index.functions

    @cached_property
    def _rows(self) -> dict[int, int]:
        return {int(symbol_id): row for row, symbol_id in enumerate(self._matrix.ids)}

    def _touched(self, view: HiddenView) -> list[int]:
        return sorted(self._rows[i] for i in view.touched if i in self._rows)

    def _make(self, folder: Path) -> None:
        bm25.save(bm25.build(self._documents()), folder)

    def _documents(self) -> Iterator[tuple[int, Sequence[Field]]]:
        for entry in self._index.functions:
            symbol = entry.symbol
            data = self._index.read(symbol.path)
            text = data[symbol.start_byte : symbol.end_byte].decode("utf-8", "replace")
            yield entry.id, _fields(symbol, text)


def query_text(target: Target) -> str:
    """All that a target tells about itself."""
    return f"{target.name} {target.signature} {target.docstring}"


def query_terms(target: Target) -> list[str]:
    """The distinct terms of `query_text`."""
    return sorted(set(terms(query_text(target))))


def _fields(symbol: Symbol, text: str) -> tuple[Field, ...]:
    # The text begins with the signature.
    return (
        Field(symbol.qualified_name, NAME_WEIGHT),
        Field(symbol.docstring, TEXT_WEIGHT),
        Field(text, TEXT_WEIGHT),
    )
