"""The `dense` arm: the functions whose vectors lie nearest to that of what a target tells about itself."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from index.errors import ConfigError
from index.repo_index import Entry, RepoIndex
from index.values import Symbol, Target
from index.view import HiddenView
from retrieval.encoder import Encoder, Vectors
from retrieval.lexical import query_text
from retrieval.values import Hit

OnLine = Callable[[str], None]

TEXT_FORMAT = "signature docstring body 1"
"""Changes with `_document`, so that vectors of another text aren't taken for these."""
TEXT_LIMIT = 40_000
"""Characters of a function that the encoder is given: more than any window in use holds, so that a generated
function of megabytes isn't tokenised in vain."""
PROBE = "int probe(void) { return 0; }"
"""Encoded whenever vectors are opened: a model that was trained on under the same name or path shows by it."""
PROBE_TOLERANCE = 1e-3
"""Far above what another machine's rounding moves, far below what another model does."""
TIE = 1e-5
"""Two scores nearer than this may be one score that FAISS rounded differently."""
CHUNK = 256
LINE_EVERY_S = 15.0


class Embedded(NamedTuple):
    """`vectors`: (functions, d), rows in the order of `RepoIndex.functions`, length 1; `probe`: PROBE's, (1, d)."""

    vectors: Vectors
    probe: Vectors


class DenseRetriever:
    """Exact search by inner product over one vector per function of an index.

    A function's text is its signature, its docstring, then its body; the encoder clips it to its own window.
    Vectors are made once per build of the index and encoder (minutes with a large model) and kept in the index's
    folder under `encoder_name`; `on_line` is told how far that is. Safe to share between threads if the encoder is.
    """

    name = "dense"

    def __init__(
        self, index: RepoIndex, encoder: Encoder, encoder_name: str, on_line: OnLine | None = None
    ) -> None:
        self._index = index
        self._encoder = encoder
        self._encoder_name = encoder_name
        self._on_line = on_line
        key = hashlib.sha256(f"{TEXT_FORMAT}\n{encoder_name}".encode()).hexdigest()[:12]
        self._probe = self._encode([PROBE])
        self._vectors = index.derived(f"dense-{key}", self._make, self._load).vectors

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """See `Retriever`. Every visible function has a score, so there are `limit` hits when there are so many
        functions. The vector of a function that a hole takes something of is never used: a hidden function has
        none, one with a cut text is encoded from what is left."""
        if limit <= 0:
            return []
        query = self._encode([query_text(target)])
        touched = sorted(self._rows[i] for i in view.touched if i in self._rows)
        rows = np.setdiff1d(self._nearest(query, limit, len(touched)), touched)
        scored = dict(zip(rows.tolist(), _scores(self._vectors[rows], query), strict=True))
        cut = [row for row in touched if view.seen(self._functions[row]) is not None]
        if cut:
            again = self._encode([self._text_in(view, self._functions[row]) for row in cut])
            scored.update(zip(cut, _scores(again, query), strict=True))
        hits = []
        for row, score in sorted(scored.items(), key=lambda item: (-item[1], item[0]))[:limit]:
            symbol = view.seen(self._functions[row])
            if symbol is not None:
                hits.append(Hit(symbol, score, "its vector is near that of the name, signature and docstring"))
        return hits

    def _nearest(self, query: Vectors, limit: int, hidden: int) -> npt.NDArray[np.int64]:
        """Rows that hold the best `limit` whichever `hidden` of them fall away, and all that tie with the last."""
        total = len(self._vectors)
        wanted = limit + hidden
        asked = wanted + 1
        while True:
            asked = min(asked, total)
            if asked == 0:
                return np.zeros(0, dtype=np.int64)
            scores, rows = self._faiss.search(query, asked)
            if asked == total or scores[0, wanted - 1] - scores[0, -1] > TIE:
                found: npt.NDArray[np.int64] = rows[0]
                return found
            asked *= 2

    @cached_property
    def _faiss(self) -> Any:
        import faiss

        flat = faiss.IndexFlatIP(self._vectors.shape[1])
        flat.add(self._vectors)
        return flat

    @cached_property
    def _functions(self) -> tuple[Entry, ...]:
        return self._index.functions

    @cached_property
    def _rows(self) -> dict[int, int]:
        return {entry.id: row for row, entry in enumerate(self._functions)}

    def _make(self, folder: Path) -> None:
        texts = [self._text(entry) for entry in self._functions]
        parts = [np.zeros((0, self._probe.shape[1]), dtype=np.float32)]
        told = time.monotonic()
        for start in range(0, len(texts), CHUNK):
            parts.append(self._encode(texts[start : start + CHUNK]))
            if self._on_line is not None and time.monotonic() - told >= LINE_EVERY_S:
                told = time.monotonic()
                done = min(start + CHUNK, len(texts))
                self._on_line(f"encoder {self._encoder_name}: {done}/{len(texts)} functions")
        np.save(folder / "vectors.npy", np.concatenate(parts))
        np.save(folder / "probe.npy", self._probe)

    def _load(self, folder: Path) -> Embedded:
        """ValueError, upon which they are made again, when they aren't this index's and this encoder's."""
        found = Embedded(np.load(folder / "vectors.npy", mmap_mode="r"), np.load(folder / "probe.npy"))
        if found.vectors.shape != (len(self._functions), self._probe.shape[1]):
            raise ValueError("vectors of other functions or another encoder")
        if found.probe.shape != self._probe.shape or np.abs(found.probe - self._probe).max() > PROBE_TOLERANCE:
            raise ValueError("vectors of another encoder")
        return found

    def _encode(self, texts: Sequence[str]) -> Vectors:
        vectors = np.ascontiguousarray(self._encoder.encode(texts), dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise ConfigError(
                f"encoder {self._encoder_name}: encode gave {vectors.shape} for {len(texts)} texts, not one"
                " finite row per text"
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)

    def _text(self, entry: Entry) -> str:
        symbol = entry.symbol
        data = self._index.read(symbol.path)
        return self._document(entry, symbol, data[symbol.start_byte : symbol.end_byte].decode("utf-8", "replace"))

    def _text_in(self, view: HiddenView, entry: Entry) -> str:
        symbol = view.seen(entry)
        return "" if symbol is None else self._document(entry, symbol, view.text(symbol))

    def _document(self, entry: Entry, symbol: Symbol, text: str) -> str:
        # Where a function can be seen at all its signature is whole, so what stands before the body is as on disk.
        head = self._index.read(symbol.path)[symbol.start_byte : max(entry.body, symbol.start_byte)]
        body = text[len(head.decode("utf-8", "replace")) :]
        return f"{symbol.signature}\n{symbol.docstring}\n{body}"[:TEXT_LIMIT]


def _scores(vectors: Vectors, query: Vectors) -> list[float]:
    # Row by row and in doubles: equal vectors get equal scores wherever they stand, which no BLAS promises.
    products = np.einsum("ij,j->i", vectors.astype(np.float64), query[0].astype(np.float64))
    return [float(product) for product in products]
