"""Search by meaning: the functions whose vectors are nearest to that of a target's name, signature and docstring."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from index.errors import ConfigError
from index.hiding.hidden_view import HiddenView
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex
from index.store.derived_arrays import load_columns, save_columns
from index.values import Entry, Symbol, Target
from retrieval.text.terms import join_query_text
from retrieval.values import Hit
from retrieval.vectors.encoders import Encoder, Vectors, encode_query, normalise_rows

Reads = Literal["bodies", "heads"]

TEXT_FORMAT = "signature docstring body 2"
"""Changes with `_compose_document_text`, so that vectors of other texts aren't taken for these."""
TEXT_LIMIT = 40_000
"""Characters of a function that the encoder gets, so that a generated function of megabytes isn't tokenised in
vain."""
MOST_WINDOWS = 6
"""Windows of a function that are read: one giant would cost as much as a hundred other functions."""
PROBE = "int probe(void) { return 0; }"
"""Encoded whenever vectors are opened, to notice a model that was trained on under the same name or path."""
PROBE_TOLERANCE = 1e-3
"""Far above what another machine's rounding moves, far below what another model does."""
FUNCTIONS_PER_CHUNK = 256
"""Functions that are encoded before progress is shown."""
TIED_SCORE_DIFFERENCE = 1e-5
"""Scores that differ by less may be equal ones that FAISS rounded differently."""


class Embedded(NamedTuple):
    """`vectors`: (n, d), of length 1, mapped from disk; `ids`: the functions' ids, in the order of
    `RepoIndex.functions`; `probe`: PROBE's vector, (1, d)."""

    vectors: Vectors
    ids: npt.NDArray[np.int64]
    probe: Vectors


class DenseRetriever:
    """Exact search by inner product over one vector per function of an index.

    With `reads` "bodies" a function's text is its signature, docstring and body. Where the encoder says how many
    characters it reads (`window`), a longer body is split into windows of whole lines, each under the signature, and
    their vectors are averaged. With "heads" every text, the query's too, is path, name, signature and docstring.

    Vectors are made once per build of the index and encoder, and kept in the index's folder under `encoder_name`.
    `progress` shows how far that is. Safe to share between threads if the encoder is.
    """

    name = "dense"

    def __init__(
        self,
        index: RepoIndex,
        encoder: Encoder,
        encoder_name: str,
        progress: Progress = SILENT,
        reads: Reads = "bodies",
    ) -> None:
        self._reads = reads
        self._index = index
        self._encoder = encoder
        self._encoder_name = encoder_name
        self._progress = progress
        self._key = hashlib.sha256(f"{TEXT_FORMAT}\n{reads}\n{encoder_name}".encode()).hexdigest()[:12]
        self._probe = self._encode_texts([PROBE])
        self._embedded = index.load_or_make_arrays(
            f"dense-{self._key}", self._encode_and_save_functions, self._load_vectors_of_same_encoder
        )

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """See `Retriever`. Every visible function has a score, so there are `limit` hits when there are so many
        functions. The stored vector of a function that the hole touches is never used: a hidden function has none,
        and one with a part cut out is encoded from what is left."""
        if limit <= 0:
            return []
        query = self._check_and_normalise_vectors(encode_query(self._encoder, [self._compose_query_text(target)]), 1)
        touched = sorted(self._row_of_id[i] for i in view.ids_overlapping_holes if i in self._row_of_id)
        rows = np.setdiff1d(self._find_nearest_rows_and_ties(query, limit, len(touched)), touched)
        scored = dict(zip(rows.tolist(), _compute_scores(self._embedded.vectors[rows], query), strict=True))
        ids = self._embedded.ids
        cut = [
            (entry, symbol)
            for entry in self._index.read_entries_sorted_by_place(ids[touched].tolist())
            if (symbol := view.visible_symbol(entry)) is not None
        ]
        if cut:
            texts = [self._compose_document_text(entry, symbol, view.text) for entry, symbol in cut]
            again = _compute_scores(self._encode_documents(texts), query)
            scored.update(zip((self._row_of_id[entry.id] for entry, _ in cut), again, strict=True))
        best = sorted(scored.items(), key=lambda item: (-item[1], item[0]))[:limit]
        found = [(int(ids[row]), score) for row, score in best]
        seen = view.read_visible_symbols([number for number, _ in found])
        reason = "its vector is near that of the name, signature and docstring"
        return [Hit(seen[number], score, reason) for number, score in found if number in seen]

    def _find_nearest_rows_and_ties(self, query: Vectors, limit: int, hidden_count: int) -> npt.NDArray[np.int64]:
        """Rows that include the best `limit` whichever `hidden_count` of them fall away, and all that tie with the
        last."""
        # numpy's product and partition take 15 CPU-ms for 116,000 vectors of 256 dimensions, FAISS 5.
        import faiss

        vectors = self._embedded.vectors
        total = len(vectors)
        wanted = limit + hidden_count
        count = wanted + 1
        while True:
            count = min(count, total)
            if count == 0 or vectors.shape[1] == 0:
                # No functions, or an encoder fitted on so few words that it knows none: all are equally near.
                return np.arange(total)
            scores, rows = faiss.knn(query, vectors, count, metric=faiss.METRIC_INNER_PRODUCT)
            if count == total or scores[0, wanted - 1] - scores[0, -1] > TIED_SCORE_DIFFERENCE:
                return np.asarray(rows[0], dtype=np.int64)
            count *= 2

    @cached_property
    def _row_of_id(self) -> dict[int, int]:
        return {int(number): row for row, number in enumerate(self._embedded.ids)}

    def _encode_and_save_functions(self, folder: Path) -> None:
        functions = self._index.functions
        found = [np.zeros((0, self._probe.shape[1]), dtype=np.float32)]
        with self._progress.open_count("functions encoded", len(functions)) as advance:
            for start in range(0, len(functions), FUNCTIONS_PER_CHUNK):
                some = functions[start : start + FUNCTIONS_PER_CHUNK]
                texts = [self._compose_document_text(entry, entry.symbol, self._read_whole_text) for entry in some]
                found.append(self._encode_documents(texts))
                advance(len(some))
        ids = np.array([e.id for e in functions], dtype=np.int64)
        save_columns(Embedded(np.concatenate(found), ids, self._probe), folder)

    def _load_vectors_of_same_encoder(self, folder: Path) -> Embedded:
        """Raises ValueError, upon which they are made again, when they aren't this encoder's."""
        found = load_columns(Embedded, folder)
        if found.vectors.shape != (len(found.ids), self._probe.shape[1]):
            raise ValueError("vectors of other functions or another encoder")
        differs = found.probe.shape != self._probe.shape
        if differs or np.abs(found.probe - self._probe).max(initial=0) > PROBE_TOLERANCE:
            raise ValueError("vectors of another encoder")
        return found

    def _encode_documents(self, texts: Sequence[str]) -> Vectors:
        """One vector per text, the mean of its windows'. A row depends on its own text alone."""
        size = int(getattr(self._encoder, "window", 0))
        parts = [split_into_windows_repeating_head(text, size) for text in texts]
        vectors = self._encode_texts([part for some in parts for part in some])
        ends = np.cumsum([len(some) for some in parts])
        means = [vectors[end - len(some) : end].mean(axis=0) for end, some in zip(ends, parts, strict=True)]
        rows = np.array(means, dtype=np.float32).reshape(len(texts), self._probe.shape[1])
        return self._check_and_normalise_vectors(rows, len(texts))

    def _encode_texts(self, texts: Sequence[str]) -> Vectors:
        return self._check_and_normalise_vectors(self._encoder.encode(texts), len(texts))

    def _check_and_normalise_vectors(self, given: Vectors, count: int) -> Vectors:
        vectors = np.ascontiguousarray(given, dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != count or not np.isfinite(vectors).all():
            raise ConfigError(
                f"encoder {self._encoder_name}: encode gave {vectors.shape} for {count} texts, not one"
                " finite row per text"
            )
        return normalise_rows(vectors)

    def _read_whole_text(self, symbol: Symbol) -> str:
        return self._index.read_symbol_text(symbol).decode("utf-8", "replace")

    def _compose_query_text(self, target: Target) -> str:
        return f"{target.path} {join_query_text(target)}" if self._reads == "heads" else join_query_text(target)

    def _compose_document_text(self, entry: Entry, symbol: Symbol, read_text: Callable[[Symbol], str]) -> str:
        if self._reads == "heads":
            return f"{symbol.path} {symbol.qualified_name} {symbol.signature} {symbol.docstring}"
        # Where a function can be seen at all its signature is whole, so what stands before the body is as on disk.
        head = self._index.read_file(symbol.path)[symbol.start_byte : max(entry.body, symbol.start_byte)]
        body = read_text(symbol)[len(head.decode("utf-8", "replace")) :]
        return f"{symbol.signature}\n{symbol.docstring}\n{body}"[:TEXT_LIMIT]


def split_into_windows_repeating_head(text: str, size: int) -> list[str]:
    """`text` in pieces of about `size` characters (0: one piece) of whole lines. Each piece begins with the first
    line, the signature."""
    if size <= 0 or len(text) <= size:
        return [text]
    head, _, rest = text.partition("\n")
    head = head[: size // 2]
    room = size - len(head) - 1
    found: list[str] = []
    held: list[str] = []
    used = 0
    for line in rest.split("\n"):
        if held and used + len(line) + 1 > room:
            found.append("\n".join((head, *held)))
            held, used = [], 0
            if len(found) == MOST_WINDOWS:
                return found
        held.append(line[:room])
        used += len(line) + 1
    return [*found, "\n".join((head, *held))]


def _compute_scores(vectors: Vectors, query: Vectors) -> list[float]:
    # Row by row and in doubles: equal vectors get equal scores wherever they stand, which no BLAS promises.
    products = np.einsum("ij,j->i", vectors.astype(np.float64), query[0].astype(np.float64))
    return [float(product) for product in products]
