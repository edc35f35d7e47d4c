"""BM25 over functions, term by term: a query touches the columns of its own terms and nothing else.

Raw counts are stored, not weights: whichever functions a target hides, the number of documents, their mean length
and each term's document frequency are computed as if those had never been there.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.terms import terms_of_word, words

K1 = 1.2
B = 0.75
"""The usual values; nothing here was tuned on the benchmark."""


class Field(NamedTuple):
    """A part of a document; its words count `weight` times."""

    text: str
    weight: int


class Matrix(NamedTuple):
    """Counts by term. `terms`: hashes, sorted; `starts[i] .. starts[i + 1]` are term i's places in `documents`
    (ascending) and `counts`; `lengths`: each document's sum of counts; `ids`: each document's symbol id."""

    terms: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint16]
    lengths: npt.NDArray[np.int32]
    ids: npt.NDArray[np.int64]


def term_hash(term: str) -> int:
    """64 bits, equal in every process."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def count_terms(fields: Iterable[Field]) -> Counter[str]:
    """Weighted counts of one document's terms."""
    counted: Counter[str] = Counter()
    for field in fields:
        for word, times in Counter(words(field.text)).items():
            for term in terms_of_word(word):
                counted[term] += times * field.weight
    return counted


def build(documents: Iterable[tuple[int, Sequence[Field]]]) -> Matrix:
    """The matrix over (symbol id, fields)."""
    numbers: dict[str, int] = {}
    expansions: dict[str, tuple[int, ...]] = {}
    rows, columns, values = array("i"), array("i"), array("H")
    ids, lengths = array("q"), array("i")
    for row, (symbol_id, fields) in enumerate(documents):
        counted: Counter[int] = Counter()
        for field in fields:
            for word, times in Counter(words(field.text)).items():
                for number in _numbers(word, expansions, numbers):
                    counted[number] += times * field.weight
        ids.append(symbol_id)
        lengths.append(sum(counted.values()))
        rows.extend([row] * len(counted))
        columns.extend(counted.keys())
        values.extend(min(n, 0xFFFF) for n in counted.values())
    return _by_term(numbers, rows, columns, values, lengths, ids)


def _numbers(word: str, expansions: dict[str, tuple[int, ...]], numbers: dict[str, int]) -> tuple[int, ...]:
    known = expansions.get(word)
    if known is None:
        known = expansions[word] = tuple(numbers.setdefault(t, len(numbers)) for t in terms_of_word(word))
    return known


def _by_term(
    numbers: Mapping[str, int],
    rows: array[int],
    columns: array[int],
    values: array[int],
    lengths: array[int],
    ids: array[int],
) -> Matrix:
    hashes = np.array([term_hash(t) for t in numbers], dtype=np.uint64)
    order = np.argsort(hashes)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    term_of = rank[np.array(columns, dtype=np.int64)]
    by_term = np.argsort(term_of, kind="stable")
    starts = np.zeros(len(order) + 1, dtype=np.int64)
    np.cumsum(np.bincount(term_of, minlength=len(order)), out=starts[1:])
    return Matrix(
        terms=hashes[order],
        starts=starts,
        documents=np.array(rows, dtype=np.int32)[by_term],
        counts=np.array(values, dtype=np.uint16)[by_term],
        lengths=np.array(lengths, dtype=np.int32),
        ids=np.array(ids, dtype=np.int64),
    )


def save(matrix: Matrix, folder: Path) -> None:
    """One file per array, so that a query maps what it needs."""
    for name, values in matrix._asdict().items():
        np.save(folder / f"{name}.npy", values)


def load(folder: Path) -> Matrix:
    """The arrays of `save`, mapped, not read."""
    return Matrix(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in Matrix._fields))


def scores(
    matrix: Matrix,
    query: Collection[str],
    without: npt.NDArray[np.int64],
    replaced: Mapping[int, Counter[str]],
) -> npt.NDArray[np.float64]:
    """Each document's score. The documents `without` (rows) don't exist: their score is 0, and no statistic counts
    them. Those in `replaced` (row -> counts) are taken with these counts instead; they are in `without` too."""
    lengths = matrix.lengths.astype(np.float64)
    lengths[without] = 0.0
    for row, counted in replaced.items():
        lengths[row] = sum(counted.values())
    total = len(matrix.ids) - len(without) + len(replaced)
    out = np.zeros(len(matrix.ids))
    if total == 0:
        return out
    mean = max(lengths.sum() / total, 1.0)
    for term in sorted(set(query)):
        documents, counts = _column(matrix, term, without, replaced)
        if len(documents) == 0:
            continue
        rarity = np.log(1.0 + (total - len(documents) + 0.5) / (len(documents) + 0.5))
        norm = K1 * (1.0 - B + B * lengths[documents] / mean)
        out[documents] += rarity * counts * (K1 + 1.0) / (counts + norm)
    return out


def _column(
    matrix: Matrix, term: str, without: npt.NDArray[np.int64], replaced: Mapping[int, Counter[str]]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    key = np.uint64(term_hash(term))
    at = int(np.searchsorted(matrix.terms, key))
    found = at < len(matrix.terms) and matrix.terms[at] == key
    place = slice(int(matrix.starts[at]), int(matrix.starts[at + 1])) if found else slice(0, 0)
    documents = matrix.documents[place].astype(np.int64)
    counts = matrix.counts[place].astype(np.float64)
    if len(without):
        keep = ~np.isin(documents, without)
        documents, counts = documents[keep], counts[keep]
    extra = [(row, counted[term]) for row, counted in replaced.items() if term in counted]
    if extra:
        documents = np.concatenate([documents, np.array([r for r, _ in extra], dtype=np.int64)])
        counts = np.concatenate([counts, np.array([c for _, c in extra], dtype=np.float64)])
    return documents, counts
