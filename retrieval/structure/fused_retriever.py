"""The `structural` and `hybrid` retrievers: fixed weights over the signals of each candidate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.protocol import RetrieverSettings
from retrieval.structure.candidate_set import divide_by_greatest
from retrieval.structure.fusion_weights import HYBRID_WEIGHTS, STRUCTURAL_WEIGHTS, TEXT_SIGNAL, SignalWeight
from retrieval.structure.signal_maker import Signaller, Signals
from retrieval.structure.tables.compressed_lists import Floats, Rows
from retrieval.text.lexical import LexicalRetriever
from retrieval.values import Hit


class FusedRetriever:
    """Ranks a repository's functions by a weighted sum of signals. The arrays behind it are made once per build of
    the index (seconds) and kept in its folder. Safe to share between threads."""

    def __init__(
        self,
        name: str,
        weights: Sequence[SignalWeight],
        index: RepoIndex,
        lexical: LexicalRetriever | None = None,
    ) -> None:
        """With `lexical` its scores are one more signal."""
        self.name = name
        self._lexical = lexical
        self._weights = tuple(weights)
        self._names = tuple(weight.signal for weight in weights if weight.signal != TEXT_SIGNAL)
        self._signaller = Signaller(index)

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """See `Retriever`. A hit's reason is the signal that adds most to its score; ties go by path and place."""
        signals = self._signaller.compute_signals(view, target, names=self._names)
        if self._lexical is not None:
            signals = add_text_signal(signals, self._signaller, self._lexical, view, target)
        parts = compute_weighted_signal_columns(signals, self._weights)
        scores = parts.sum(axis=1)
        best = choose_best_places(scores, limit)
        reasons = [self._weights[int(at)].reason for at in parts[best].argmax(axis=1)]
        return make_hits(view, self._signaller, signals.rows[best], scores[best], reasons)


def make_structural(index: RepoIndex, settings: RetrieverSettings) -> FusedRetriever:
    """The `structural` retriever: who calls what, types, names and places; no text search."""
    return FusedRetriever("structural", STRUCTURAL_WEIGHTS, index)


def make_hybrid(index: RepoIndex, settings: RetrieverSettings) -> FusedRetriever:
    """The `hybrid` retriever: the same, and text: similar docstrings, BM25F among the candidates."""
    return FusedRetriever("hybrid", HYBRID_WEIGHTS, index, lexical=LexicalRetriever(index))


def add_text_signal(
    signals: Signals, signaller: Signaller, lexical: LexicalRetriever, view: HiddenView, target: Target
) -> Signals:
    """The signals, and the candidates' text search scores as a share of the best one's."""
    found = lexical.score_symbols(view, target, signaller.tables.ids[signals.rows])
    column = divide_by_greatest(found)
    table = np.column_stack([signals.table, column.astype(np.float32)])
    return Signals(signals.rows, table, (*signals.names, TEXT_SIGNAL))


def compute_weighted_signal_columns(signals: Signals, weights: Sequence[SignalWeight]) -> Floats:
    """(candidates, weights): what each signal adds to each candidate's score."""
    return np.column_stack([signals.find_column(w.signal).astype(np.float64) * w.value for w in weights])


def choose_best_places(scores: Floats, limit: int) -> Rows:
    """The places of the `limit` greatest scores, best first; of equal scores the first."""
    return np.argsort(-scores, kind="stable")[: max(limit, 0)].astype(np.int32)


def make_hits(view: HiddenView, signaller: Signaller, rows: Rows, scores: Floats, reasons: Sequence[str]) -> list[Hit]:
    """The hits for `rows`, in their order. Only these few symbols are read from the index."""
    ids = signaller.tables.ids[rows].tolist()
    seen = view.read_visible_symbols(ids)
    found = zip(ids, scores.tolist(), reasons, strict=True)
    return [Hit(seen[number], score, reason) for number, score, reason in found if number in seen]
