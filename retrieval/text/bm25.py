"""BM25F over documents of several fields, term by term: a query touches its own terms' columns and nothing else.

Robertson, Zaragoza and Taylor 2004 ("Simple BM25 extension to multiple weighted fields"): a term's counts in the
fields, each divided by its field's own length norm and weighted, are added up before they saturate. With one field
it is plain BM25.

Raw counts are stored, not weights: whichever documents are hidden, their number, the fields' mean lengths and each
term's document frequency are computed as if those had never been there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.text.terms import raw_words, term_hash, terms_of_raw

MOST = 255
"""A count's ceiling: by then the score has long saturated, and a byte a count keeps LLVM's matrix at 60 MB."""
COMMON_AT_LEAST = 200
"""Documents below which no term is too common: in a small tree a tenth is a handful."""
CHUNK = 8192
"""Documents that are counted at once: bounds the memory of a build."""


class Weights(NamedTuple):
    """One weight and one `b` (how much a long field is held against its document) for each field; `k1` says how
    soon repetition stops to count. Terms in more than `common` of all documents are passed over: they tell none
    apart."""

    fields: tuple[float, ...]
    b: tuple[float, ...]
    k1: float = 1.2
    common: float = 1.0


class Matrix(NamedTuple):
    """Counts by term. `terms`: hashes, sorted; `starts[i] .. starts[i + 1]` are term i's places in `documents`
    (ascending rows); `counts`: (fields, places); `lengths`: (fields, documents), sums of counts; `ids`: each
    document's symbol id."""

    terms: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint8]
    lengths: npt.NDArray[np.int32]
    ids: npt.NDArray[np.int64]


class Document(NamedTuple):
    """`fields`: UTF-8 text, in the order of the weights."""

    id: int
    fields: tuple[bytes, ...]


def count_terms(fields: Sequence[bytes]) -> tuple[Counter[str], ...]:
    """Each field's terms, uncut."""
    counted: tuple[Counter[str], ...] = tuple(Counter() for _ in fields)
    for counts, field in zip(counted, fields, strict=True):
        for word, times in Counter(raw_words(field)).items():
            for term in terms_of_raw(word):
                counts[term] += times
    return counted


def build(documents: Iterable[Document], fields: int) -> Matrix:
    """The matrix over documents of `fields` fields, rows in the order given."""
    vocabulary = _Vocabulary()
    ids: list[int] = []
    parts: list[_Part] = []
    waiting: list[tuple[bytes, ...]] = []
    for document in documents:
        ids.append(document.id)
        waiting.append(document.fields)
        if len(waiting) == CHUNK:
            parts.append(_count(waiting, len(ids) - len(waiting), fields, vocabulary))
            waiting = []
    parts.append(_count(waiting, len(ids) - len(waiting), fields, vocabulary))
    return _by_term(vocabulary, parts, fields, np.array(ids, np.int64))


class _Part(NamedTuple):
    """Counts of a chunk: (term number, row, field) packed into `keys`, sorted."""

    keys: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int32]


class _Vocabulary(dict[bytes, int]):
    """Word -> number, and the numbers of each word's terms."""

    def __init__(self) -> None:
        super().__init__()
        self.terms: dict[str, int] = {}
        self._flat: list[int] = []
        self._starts: list[int] = [0]

    def __missing__(self, word: bytes) -> int:
        number = self[word] = len(self)
        self._flat += [self.terms.setdefault(term, len(self.terms)) for term in terms_of_raw(word)]
        self._starts.append(len(self._flat))
        return number

    def expansions(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """(terms of all words one after the other, where each word's begin)."""
        return np.array(self._flat, np.int64), np.array(self._starts, np.int64)


_ROW_BITS = 28
_FIELD_BITS = 3


def _count(documents: Sequence[tuple[bytes, ...]], first: int, fields: int, vocabulary: _Vocabulary) -> _Part:
    numbers: list[int] = []
    sizes: list[int] = []
    look = vocabulary.__getitem__
    for document in documents:
        for text in document:
            before = len(numbers)
            numbers += map(look, raw_words(text))
            sizes.append(len(numbers) - before)
    places = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    width = max(len(sizes), 1)
    pairs, times = np.unique(np.array(numbers, np.int64) * width + places, return_counts=True)
    word, place = pairs // width, pairs % width
    flat, starts = vocabulary.expansions()
    each = starts[word + 1] - starts[word]
    within = np.arange(int(each.sum())) - np.repeat(np.cumsum(each) - each, each)
    terms = flat[np.repeat(starts[word], each) + within]
    place, times = np.repeat(place, each), np.repeat(times, each)
    row, field = place // fields + first, place % fields
    keys = ((terms << _ROW_BITS) | row) << _FIELD_BITS | field
    order = np.argsort(keys, kind="stable")
    keys, times = keys[order], times[order]
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    return _Part(
        keys[begins], np.add.reduceat(times, begins).astype(np.int32) if len(keys) else times.astype(np.int32)
    )


def _by_term(
    vocabulary: _Vocabulary,
    parts: Sequence[_Part],
    fields: int,
    ids: npt.NDArray[np.int64],
) -> Matrix:
    hashes = np.array([term_hash(t) for t in vocabulary.terms], dtype=np.uint64)
    order = np.argsort(hashes)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    keys = np.concatenate([p.keys for p in parts])
    counts = np.concatenate([p.counts for p in parts])
    field = (keys & ((1 << _FIELD_BITS) - 1)).astype(np.int8)
    row = (keys >> _FIELD_BITS) & ((1 << _ROW_BITS) - 1)
    lengths = np.zeros((fields, len(ids)), dtype=np.int32)
    for number in range(fields):
        mine = field == number
        lengths[number] = np.bincount(row[mine], weights=counts[mine], minlength=len(ids)).astype(np.int32)
    places = rank[keys >> (_ROW_BITS + _FIELD_BITS)] << _ROW_BITS | row
    by_term = np.argsort(places, kind="stable")
    places, counts, field = places[by_term], counts[by_term], field[by_term]
    begins = np.flatnonzero(np.diff(places, prepend=-1))
    columns = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(places))))
    table = np.zeros((fields, len(begins)), dtype=np.uint8)
    table[field, columns] = np.minimum(counts, MOST)
    term = places[begins] >> _ROW_BITS
    starts = np.zeros(len(order) + 1, dtype=np.int64)
    np.cumsum(np.bincount(term, minlength=len(order)), out=starts[1:])
    documents = (places[begins] & ((1 << _ROW_BITS) - 1)).astype(np.int32)
    return Matrix(hashes[order], starts, documents, table, lengths, ids)


def save(matrix: Matrix, folder: Path) -> None:
    """One file per array, so that a query maps what it needs."""
    for name, values in matrix._asdict().items():
        np.save(folder / f"{name}.npy", values)


def load(folder: Path) -> Matrix:
    """The arrays of `save`, mapped, not read. Raises OSError or ValueError when they are damaged."""
    matrix = Matrix(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in Matrix._fields))
    places, rows = len(matrix.documents), len(matrix.ids)
    whole = len(matrix.starts) == len(matrix.terms) + 1 and int(matrix.starts[-1]) == places
    if not whole or matrix.counts.shape[1] != places or matrix.lengths.shape[1] != rows:
        raise ValueError(f"{folder}: the arrays are of different matrices")
    return matrix


def scores(
    matrix: Matrix,
    query: Mapping[str, float],
    weights: Weights,
    without: npt.NDArray[np.int64],
    replaced: Mapping[int, Sequence[Counter[str]]],
) -> npt.NDArray[np.float32]:
    """Each document's score for terms of a weight each. The documents `without` (rows) don't exist: their score is
    0, and no statistic counts them. Those in `replaced` (row -> counts by field) are taken with these counts
    instead; they are in `without` too."""
    out = np.zeros(len(matrix.ids), dtype=np.float32)
    total = len(matrix.ids) - len(without) + len(replaced)
    if total == 0:
        return out
    scale = _scale(matrix, weights, without, replaced, total)
    for term in sorted(query):
        documents, counts = _column(matrix, term, without)
        extra = [row for row, fields in replaced.items() if any(term in counted for counted in fields)]
        frequency = len(documents) + len(extra)
        if _says_nothing(weights, frequency, total):
            continue
        rarity = _rarity(query[term], frequency, total)
        # Field after field in a fixed order: equal documents get equal sums wherever they stand.
        weight = np.zeros(len(documents), dtype=np.float32)
        for field, counted in enumerate(counts):
            having = np.flatnonzero(counted)  # a word of a body is rarely in a name
            weight[having] += counted[having] * scale[field][documents[having]]
        out[documents] += (rarity * (weights.k1 + 1.0) * weight) / (weight + weights.k1)
        for row in extra:
            here = np.zeros(1, dtype=np.float32)
            for field, words in enumerate(replaced[row]):
                here += np.float32(min(words[term], MOST)) * scale[field][row]
            out[row] += ((rarity * (weights.k1 + 1.0) * here) / (here + weights.k1))[0]
    return out


def scores_of(
    matrix: Matrix,
    query: Mapping[str, float],
    weights: Weights,
    without: npt.NDArray[np.int64],
    replaced: Mapping[int, Sequence[Counter[str]]],
    rows: npt.NDArray[np.int64],
) -> npt.NDArray[np.float32]:
    """What `scores` has for a few documents, to the last bit; none of `rows` is in `without`. They are looked up in
    each term's documents: a thousand of LLVM's 130,000 cost 2 ms instead of 6."""
    out = np.zeros(len(rows), dtype=np.float32)
    total = len(matrix.ids) - len(without) + len(replaced)
    if total == 0 or not len(rows):
        return out
    scale = [
        np.float32(weight) / (np.float32(1.0 - b) + np.float32(b / mean) * lengths[rows].astype(np.float32))
        for weight, b, mean, lengths in zip(
            weights.fields, weights.b, _means(matrix, without, replaced, total), matrix.lengths, strict=True
        )
    ]
    for term in sorted(query):
        place = _place(matrix, term)
        documents = np.asarray(matrix.documents[place])
        frequency = len(documents) - int(np.isin(without, documents[_near(documents, without)]).sum())
        frequency += sum(any(term in counted for counted in fields) for fields in replaced.values())
        if not len(documents) or _says_nothing(weights, frequency, total):
            continue
        at = _near(documents, rows)
        having = np.flatnonzero(documents[at] == rows)
        rarity = _rarity(query[term], frequency, total)
        weight = np.zeros(len(having), dtype=np.float32)
        for field, counted in enumerate(matrix.counts[:, place.start + at[having]]):
            weight += counted * scale[field][having]
        out[having] += (rarity * (weights.k1 + 1.0) * weight) / (weight + weights.k1)
    return out


def _says_nothing(weights: Weights, frequency: int, total: int) -> bool:
    """Whether a term is in none of the documents, or in too many to be worth the time."""
    return frequency == 0 or frequency > max(weights.common * total, COMMON_AT_LEAST)


def _rarity(weight: float, frequency: int, total: int) -> np.float32:
    """The query's weight of a term by its inverse document frequency (Robertson, Zaragoza 2009)."""
    return np.float32(weight * np.log(1.0 + (total - frequency + 0.5) / (frequency + 0.5)))


def _near(documents: npt.NDArray[np.int32], rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Where each of `rows` is among `documents`, if it is there at all; nowhere in none."""
    if not len(documents):
        return np.zeros(0, dtype=np.int64)
    return np.minimum(np.searchsorted(documents, rows), len(documents) - 1)


def _means(
    matrix: Matrix, without: npt.NDArray[np.int64], replaced: Mapping[int, Sequence[Counter[str]]], total: int
) -> list[float]:
    """The mean length of each field."""
    means = []
    for field, lengths in enumerate(matrix.lengths):
        length = int(lengths.sum(dtype=np.int64)) - int(lengths[without].sum(dtype=np.int64))
        length += sum(fields[field].total() for fields in replaced.values())
        means.append(max(length / total, 1e-9))
    return means


def _scale(
    matrix: Matrix,
    weights: Weights,
    without: npt.NDArray[np.int64],
    replaced: Mapping[int, Sequence[Counter[str]]],
    total: int,
) -> list[npt.NDArray[np.float32]]:
    """What one occurrence in a field is worth, document by document. Single precision is enough to rank by, and
    half the memory to pass through; the means are exact."""
    scale = []
    means = _means(matrix, without, replaced, total)
    for field, (weight, b, mean) in enumerate(zip(weights.fields, weights.b, means, strict=True)):
        lengths = np.array(matrix.lengths[field])
        for row, fields in replaced.items():
            lengths[row] = fields[field].total()
        scale.append(np.float32(weight) / (np.float32(1.0 - b) + np.float32(b / mean) * lengths.astype(np.float32)))
    return scale


def _column(
    matrix: Matrix, term: str, without: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    place = _place(matrix, term)
    documents = np.asarray(matrix.documents[place])
    counts = np.asarray(matrix.counts[:, place])
    # `without` is short: it is looked up in the column, not the column in it.
    gone = np.searchsorted(documents, without)
    gone = gone[gone < len(documents)]
    gone = gone[np.isin(documents[gone], without)]
    if len(gone):
        documents, counts = np.delete(documents, gone), np.delete(counts, gone, axis=1)
    return documents, counts


def _place(matrix: Matrix, term: str) -> slice:
    """Where a term's documents are."""
    key = np.uint64(term_hash(term))
    at = int(np.searchsorted(matrix.terms, key))
    found = at < len(matrix.terms) and matrix.terms[at] == key
    return slice(int(matrix.starts[at]), int(matrix.starts[at + 1])) if found else slice(0, 0)
