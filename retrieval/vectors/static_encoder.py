"""The embedded encoder: fitted on the repository's own text and calls, with no download and no torch.

A query is a function's path, name, signature and docstring; a document is the same of a callee. The two term spaces
are aligned over all calls of the repository by the singular vectors of their cross-covariance (partial least squares
by SVD, Wold et al. 1984; randomised SVD, Halko et al. 2011, algorithm 4.4): the words of a caller come to lie near
the words of what it calls. No body is read, so a hidden body can only show through the calls that start in it, and
the caller of `fit` leaves those out.

The constants were chosen on the development split, on no target of a benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.text.terms import split_terms
from retrieval.vectors.encoders import Vectors, normalise_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

DIMENSIONS = 512
"""Recall rises steeply up to here (128, 256, 512), and hardly beyond."""
LARGE_TREE_FUNCTIONS = 60_000
LARGE_TREE_DIMENSIONS = 256
"""Above `LARGE` functions half of them, so that LLVM's vectors stay near a hundred megabytes."""
MOST_TERMS = 60_000
"""The most frequent ones; the maps of a larger vocabulary would weigh more than the vectors."""
COMMON_TERM_SHARE = 0.3
"""A term in a greater share of the functions (`int`, the project's prefix) separates none of them."""
FEWEST_COMMON_TERM_USES = 100
"""In a small repository a third of the functions is one module, whose words are useful."""
SPECTRUM_EXPONENT = -0.25
"""Exponent of the singular values: below 0 it lifts rare directions (single modules) against the few that all calls
share."""
POPULARITY_EXPONENT = 0.5
"""A callee's calls are divided by their number to this power: else the ten most called are all that is learnt."""
EXTRA_DIMENSIONS = 16
POWER_ROUNDS = 2
SEED = 20261121


class StaticModel(NamedTuple):
    """`terms`: the vocabulary, its order that of the rows; `idf`: (terms,); `query` and `document`: (terms, d)."""

    terms: tuple[str, ...]
    idf: Vectors
    query: Vectors
    document: Vectors


class StaticEncoder:
    """An `Encoder` whose queries and documents go by different maps."""

    def __init__(self, model: StaticModel) -> None:
        self._model = model
        self._places = {term: place for place, term in enumerate(model.terms)}

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Documents; see `Encoder`."""
        return self._project_texts(texts, self._model.document)

    def encode_query(self, texts: Sequence[str], /) -> Vectors:
        """Queries: (n, d)."""
        return self._project_texts(texts, self._model.query)

    def _project_texts(self, texts: Sequence[str], projection: Vectors) -> Vectors:
        # A sparse product adds up term by term: a row depends on its own text alone, to the last bit.
        weights = _make_term_matrix([Counter(split_terms(text)) for text in texts], self._places, self._model.idf)
        product: Vectors = np.asarray(weights @ projection, dtype=np.float32)
        return normalise_rows(product)


def fit_static_model(
    texts: Iterable[str], callers: npt.NDArray[np.int64], callees: npt.NDArray[np.int64], dimensions: int
) -> StaticModel:
    """The model of functions with these `texts`, of which `callers[n]` calls `callees[n]`.

    Equal input gives an equal model on one machine. A repository without a call gives one without a dimension that
    means anything: every vector is 0, which is no error.
    """
    counted = [Counter(split_terms(text)) for text in texts]
    frequency = Counter(term for counts in counted for term in counts)
    most = max(FEWEST_COMMON_TERM_USES, int(COMMON_TERM_SHARE * len(counted)))
    usable = [(-count, term) for term, count in frequency.items() if 2 <= count <= most]
    vocabulary = tuple(sorted(term for _, term in sorted(usable)[:MOST_TERMS]))
    idf = np.array([np.log(len(counted) / frequency[term]) for term in vocabulary], dtype=np.float32)
    places = {term: place for place, term in enumerate(vocabulary)}
    query, document = _align_term_spaces(_make_term_matrix(counted, places, idf), callers, callees, dimensions)
    return StaticModel(vocabulary, idf, query, document)


def save_static_model(model: StaticModel, folder: Path) -> None:
    (folder / "terms.txt").write_text("\n".join(model.terms), encoding="utf-8")
    for name in ("idf", "query", "document"):
        np.save(folder / f"{name}.npy", getattr(model, name))


def load_static_model(folder: Path) -> StaticModel:
    """What `save_static_model` wrote, the maps mapped into memory. Raises OSError or ValueError when it is damaged."""
    text = (folder / "terms.txt").read_text(encoding="utf-8")
    vocabulary = tuple(text.split("\n")) if text else ()
    idf = np.load(folder / "idf.npy")
    query, document = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("query", "document"))
    if not len(vocabulary) == len(idf) == len(query) == len(document):
        raise ValueError(f"{folder}: the files are of different models")
    return StaticModel(vocabulary, idf, query, document)


def choose_dimensions(function_count: int) -> int:
    return DIMENSIONS if function_count <= LARGE_TREE_FUNCTIONS else LARGE_TREE_DIMENSIONS


def _make_term_matrix(counted: Sequence[Counter[str]], places: dict[str, int], idf: Vectors) -> csr_matrix:
    """Rows of length 1: (1 + log count) x idf."""
    from scipy.sparse import csr_matrix

    starts = [0]
    columns: list[int] = []
    counts: list[int] = []
    for terms_of_text in counted:
        for term, count in terms_of_text.items():
            place = places.get(term)
            if place is not None:
                columns.append(place)
                counts.append(count)
        starts.append(len(columns))
    where = np.array(columns, dtype=np.int32)
    values = (1 + np.log(np.array(counts, dtype=np.float32))) * idf[where]
    squares = np.concatenate(([0.0], np.cumsum(values.astype(np.float64) ** 2)))
    lengths = np.sqrt(np.maximum(squares[starts[1:]] - squares[starts[:-1]], 0))
    each = np.repeat(np.where(lengths > 0, lengths, 1), np.diff(starts))
    return csr_matrix(((values / each).astype(np.float32), where, starts), shape=(len(counted), len(idf)))


def _align_term_spaces(
    weights: csr_matrix, callers: npt.NDArray[np.int64], callees: npt.NDArray[np.int64], dimensions: int
) -> tuple[Vectors, Vectors]:
    """The two maps, (terms, d): singular vectors of W'CW (W the weights, C the calls), which is never built."""
    size = weights.shape[1]
    width = min(dimensions + EXTRA_DIMENSIONS, size)
    kept = min(dimensions, width)
    if kept == 0 or len(callers) == 0:
        return np.zeros((size, kept), dtype=np.float32), np.zeros((size, kept), dtype=np.float32)
    calls = _make_weighted_call_matrix(weights.shape[0], callers, callees)
    turned, back = weights.T.tocsr(), calls.T.tocsr()
    rng = np.random.default_rng(SEED)
    sample = rng.standard_normal((size, width), dtype=np.float32)
    basis, _ = np.linalg.qr(turned @ (calls @ (weights @ sample)))
    for _ in range(POWER_ROUNDS):
        other, _ = np.linalg.qr(turned @ (back @ (weights @ basis)))
        basis, _ = np.linalg.qr(turned @ (calls @ (weights @ other)))
    small = (turned @ (back @ (weights @ basis))).T
    left, spectrum, right = np.linalg.svd(small, full_matrices=False)
    use = spectrum[:kept] > 1e-6 * max(float(spectrum[0]), 1e-30)
    scale = np.where(use, (spectrum[:kept] / max(float(spectrum[0]), 1e-30)).clip(1e-6) ** SPECTRUM_EXPONENT, 0)
    query = (basis @ left[:, :kept]) * scale
    return query.astype(np.float32), (right[:kept].T * scale).astype(np.float32)


def _make_weighted_call_matrix(
    functions: int, callers: npt.NDArray[np.int64], callees: npt.NDArray[np.int64]
) -> csr_matrix:
    """A caller's calls share its weight (by the root of their number); `POPULARITY_EXPONENT` damps a callee's."""
    from scipy.sparse import csr_matrix

    outgoing = np.bincount(callers, minlength=functions)
    weight = (1 / np.sqrt(outgoing[callers])).astype(np.float64)
    incoming = np.bincount(callees, weights=weight, minlength=functions)
    values = (weight / incoming[callees] ** POPULARITY_EXPONENT).astype(np.float32)
    return csr_matrix((values, (callers, callees)), shape=(functions, functions))
