"""Text search: BM25F with a target's name, signature and docstring as the query, or with anybody's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from index.arrays import find_positions_or_minus_one, keep_heaviest_rows_in_order
from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.values import Entry, Symbol, Target
from retrieval.protocol import RetrieverSettings
from retrieval.text.bm25 import FieldWeights, HiddenDocuments, Scores, score_documents
from retrieval.text.term_counts import CountMatrix, TextDocument, count_terms, count_terms_by_document
from retrieval.text.terms import split_terms, weigh_query_terms
from retrieval.values import Hit

BM25F_WEIGHTS = FieldWeights(fields=(8.0, 1.0, 1.0, 0.02), b=(0.2, 0.5, 0.3, 0.75), k1=4.0, common=0.15)
"""Of name, signature, docstring and body. Chosen on the development split (docs/explanation/recall.md), never on the
benchmark's targets. A callee is known by its name; that its body shares words with the caller is mostly chance, and
only breaks ties."""
BM25_WEIGHTS = FieldWeights(fields=(1.0,), b=(0.75,))
"""Plain BM25 with its usual values over one text per function: the control."""


class TextScheme(NamedTuple):
    """`name` is the retriever's and that of its arrays. `in_fields`: one text per field, or all as one."""

    name: str
    weights: FieldWeights
    in_fields: bool


BM25F = TextScheme("lexical", BM25F_WEIGHTS, True)
BM25 = TextScheme("bm25", BM25_WEIGHTS, False)


class LexicalRetriever:
    """BM25F over all functions of an index: name, signature, docstring, body.

    The counts are made once for each state of the index (LLVM's in 6 s) and kept in its folder; opening them maps
    files. Safe to share between threads.
    """

    def __init__(self, index: RepoIndex, scheme: TextScheme = BM25F) -> None:
        self.name = scheme.name
        self._scheme = scheme
        self._index = index
        self._counts = index.load_or_make_columns(f"terms-{scheme.name}", CountMatrix, self._count_terms)

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """See `Retriever`. Functions that share no term with the query are no hits; ties go by path and place."""
        # The control knows nothing of where a word stands, in the query neither.
        query = weigh_query_terms(target) if self._scheme.in_fields else dict.fromkeys(weigh_query_terms(target), 1.0)
        return self._rank_functions(view, query, limit, "shares words with the name, signature or docstring")

    def search(self, view: HiddenView, text: str, limit: int) -> list[Hit]:
        """The functions that a person's or a model's words find, best first."""
        return self._rank_functions(view, dict.fromkeys(split_terms(text), 1.0), limit, "shares words with the query")

    def score_symbols(self, view: HiddenView, target: Target, ids: npt.NDArray[np.integer[Any]]) -> Scores:
        """The score that `retrieve` would give each of these symbols, none of them hidden; 0 for what is no
        function's definition."""
        hidden = self._find_hidden_documents(view)
        every = score_documents(self._counts, weigh_query_terms(target), self._scheme.weights, hidden)
        rows = self._find_rows_or_minus_one(ids)
        out = np.zeros(len(ids), dtype=np.float32)
        out[rows >= 0] = every[rows[rows >= 0]]
        return out

    def _rank_functions(self, view: HiddenView, query: Mapping[str, float], limit: int, reason: str) -> list[Hit]:
        values = score_documents(self._counts, query, self._scheme.weights, self._find_hidden_documents(view))
        best = choose_best_positive_rows(values, limit)
        ids = self._counts.ids[best].tolist()
        seen = view.read_visible_symbols(ids)
        found = zip(ids, values[best].tolist(), strict=True)
        return [Hit(seen[number], score, reason) for number, score in found if number in seen]

    def _find_hidden_documents(self, view: HiddenView) -> HiddenDocuments:
        """The rows that a view touches, and the counts of those that can still be seen in part."""
        rows = np.sort(self._find_rows_or_minus_one(np.array(list(view.ids_overlapping_holes), dtype=np.int64)))
        rows = rows[rows >= 0]
        replaced: dict[int, tuple[Counter[str], ...]] = {}
        # Both by path and place.
        entries = self._index.read_entries_sorted_by_place(self._counts.ids[rows].tolist())
        for row, entry in zip(rows.tolist(), entries, strict=True):
            symbol = view.visible_symbol(entry)
            if symbol is not None:
                text = view.text(symbol).encode("utf-8", "replace")
                replaced[row] = count_terms(self._split_fields(symbol, entry, text))
        return HiddenDocuments(rows, replaced)

    @cached_property
    def _ids_and_rows(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The functions' ids, sorted, and the row of each; behind them -1, the row of what is no function."""
        order = np.argsort(self._counts.ids, kind="stable")
        return np.asarray(self._counts.ids)[order], np.append(order, -1)

    def _find_rows_or_minus_one(self, ids: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
        """The rows of functions by their ids, -1 for what is none."""
        known, rows = self._ids_and_rows
        return rows[find_positions_or_minus_one(known, ids)]

    def _count_terms(self, _: Path) -> CountMatrix:
        return count_terms_by_document(self._read_documents(), len(self._scheme.weights.fields))

    def _read_documents(self) -> Iterator[TextDocument]:
        """All functions, by path and place."""
        for entry in self._index.iterate_functions():
            text = self._index.read_symbol_text(entry.symbol)
            yield TextDocument(entry.id, self._split_fields(entry.symbol, entry, text))

    def _split_fields(self, symbol: Symbol, entry: Entry, text: bytes) -> tuple[bytes, ...]:
        body = text[max(entry.body - symbol.start_byte, 0) :]
        name, signature, docstring = (
            t.encode("utf-8", "replace") for t in (symbol.qualified_name, symbol.signature, symbol.docstring)
        )
        if self._scheme.in_fields:
            return name, signature, docstring, body
        return (b"\n".join((signature, docstring, body)),)


def make_lexical(index: RepoIndex, settings: RetrieverSettings) -> LexicalRetriever:
    return LexicalRetriever(index)


def make_bm25(index: RepoIndex, settings: RetrieverSettings) -> LexicalRetriever:
    return LexicalRetriever(index, BM25)


def choose_best_positive_rows(values: Scores, limit: int) -> npt.NDArray[np.int64]:
    """The rows of the best `limit` values above 0, best first, ties by row."""
    found = keep_heaviest_rows_in_order(np.flatnonzero(values > 0), values, max(limit, 1))
    return found[np.argsort(-values[found], kind="stable")][: max(limit, 0)]
