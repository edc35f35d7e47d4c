"""The `structural` and `hybrid` retrievers: fixed weights over the signals of each candidate.

The weights were fitted once (a softmax over each function's candidates, on functions of twelve repositories that no
benchmark uses), reduced to those that matter, and moved one at a time in steps of 0.1 while that helped on the
development split of redis and bullet3 (docs/decisions/retrieval.md). Signals lie in 0..1, except `called`, which is a
logarithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.protocol import RetrieverSettings
from retrieval.structure.candidate_set import divide_by_greatest
from retrieval.structure.signal_maker import Signaller, Signals
from retrieval.structure.tables.compressed_lists import Floats, Rows
from retrieval.text.lexical import LexicalRetriever
from retrieval.values import Hit


class SignalWeight(NamedTuple):
    """`reason` becomes a hit's reason when this signal adds most to its score. The comment beside it explains the
    weight."""

    signal: str
    value: float
    reason: str


TEXT_SIGNAL = "text_part"
"""The signal from text search: see `add_text_signal`."""

STRUCTURAL_WEIGHTS = (
    # The sum by which candidates are chosen has a little of everything, place and includes too.
    SignalWeight("pool_part", 1.2, "many signs speak for it, none loudly"),
    # A static function that nothing visible calls is called by something hidden: rare, but nearly certain.
    SignalWeight("orphan", 1.3, "static in this file, and nothing else that is visible calls it"),
    # `dictAdd` calls `dictAddRaw`: the plainest relation of two functions.
    SignalWeight("name_cosine", 1.1, "its name has the target's words"),
    # What else the target's caller calls is the next step of the same job; its callees are the job's tools.
    SignalWeight("cousins", 1.5, "what the target's callers call besides calls it"),
    # The nearest caller in the file counts, not how many there are: files are long, jobs are short.
    SignalWeight("near_best", 1.4, "a function right beside the target calls it"),
    SignalWeight("scope_share", 1.0, "methods of the same class call it"),
    # Votes of similar functions, once by all of a hundred, once by the best: each corrects the other.
    SignalWeight("more_alike_part", 0.9, "functions like the target call it"),
    SignalWeight("alike_best", 0.5, "the function most like the target calls it"),
    SignalWeight("alike_part", 0.3, "functions like the target call it"),
    # A first or last word in common within the file: `clusterLoad`, `clusterSave`.
    SignalWeight("file_words", 1.3, "functions of this file with the same first or last word call it"),
    SignalWeight("first_word_votes", 0.3, "functions whose name begins alike call it"),
    # Each word of the name has its own callees: `free` in `clientFree`, `client` in it too.
    SignalWeight("by_name_words_part", 0.8, "functions with a word of the target's name call it"),
    # What the whole folder calls this function calls too, but the votes above have counted that already.
    SignalWeight("folder_share", -0.8, ""),
    # A comment mostly names a function because the body calls it or resembles it.
    SignalWeight("mentioned", 1.0, "the docstring names it"),
    # Methods of what is at hand: parameters and results, the own class, its bases, their fields.
    SignalWeight("of_types", 1.2, "a method of a type in the signature"),
    SignalWeight("own", 1.1, "of the same class or namespace"),
    SignalWeight("of_fields", 0.2, "a method of a field's type"),
    SignalWeight("inherited", 0.8, "of a base class"),
    # Its arguments must be at hand, and a wrapper returns what it gets.
    SignalWeight("kinds_covered", 0.5, "it takes what the target has"),
    SignalWeight("same_result", 0.5, "it returns what the target returns"),
    SignalWeight("types_part", 0.3, "functions with the target's types call it"),
    # Everybody's tools. A logarithm, so that the allocator doesn't beat everything.
    SignalWeight("called", 0.1, "it is called often"),
    # What calls the target is rarely called by it.
    SignalWeight("calls_target", -0.7, ""),
    # A definition is more surely the repository's own than a declaration; the same part of a tree is more related.
    SignalWeight("defined", 0.2, "it is defined here"),
    SignalWeight("in_area", 0.2, "it stands in the same part of the tree"),
)

HYBRID_WEIGHTS = (
    *STRUCTURAL_WEIGHTS,
    # Functions with a similar comment do similar things, whatever their names.
    SignalWeight("docs", 2.1, "functions with a like docstring call it"),
    # The comment says in words what the callee's name says.
    SignalWeight("in_doc_covered", 0.6, "the docstring holds its name's words"),
    SignalWeight("in_all_covered", 0.2, "docstring and parameters hold its name's words"),
    # The target's words in the callee's name, signature and comment. Rare words count for more, unlike in the shares
    # above. Of 0.3 to 3 the best on 1,200 functions of redis, bullet3 and openssl.
    SignalWeight(TEXT_SIGNAL, 2.0, "its name, signature or docstring has the target's words"),
)


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
