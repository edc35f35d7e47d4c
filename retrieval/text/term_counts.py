"""How often each term stands in each field of each document, kept by term as arrays that are mapped from disk. Raw
counts are stored, not weights: `bm25` computes every statistic as if the hidden documents had never been there."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.text.terms import hash_term, split_raw_word_into_terms, split_raw_words

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix, csr_matrix

MOST_COUNTED = 255
"""A count's ceiling: by then the score has long saturated, and a byte a count keeps LLVM's matrix at 60 MB."""
DOCUMENTS_PER_CHUNK = 8192
"""Documents whose words are held at once."""


class CountMatrix(NamedTuple):
    """Counts by term; a term's places are a slice of `documents` and of the columns of `counts`."""

    terms: npt.NDArray[np.uint64]
    """Hashes, sorted."""
    starts: npt.NDArray[np.int64]
    """Term i's places are `starts[i]` to `starts[i + 1]`."""
    documents: npt.NDArray[np.int32]
    """Rows of the documents that have the term, ascending."""
    counts: npt.NDArray[np.uint8]
    """(fields, places)"""
    lengths: npt.NDArray[np.int32]
    """(fields, documents): the number of terms."""
    ids: npt.NDArray[np.int64]
    """Each document's symbol id."""


class TextDocument(NamedTuple):
    """`fields`: UTF-8 text, in the order of the weights."""

    id: int
    fields: tuple[bytes, ...]


def count_terms(fields: Sequence[bytes]) -> tuple[Counter[str], ...]:
    """Each field's terms, without a ceiling."""
    counted: tuple[Counter[str], ...] = tuple(Counter() for _ in fields)
    for counts, field in zip(counted, fields, strict=True):
        for word, times in Counter(split_raw_words(field)).items():
            for term in split_raw_word_into_terms(word):
                counts[term] += times
    return counted


def count_terms_by_document(documents: Iterable[TextDocument], fields: int) -> CountMatrix:
    """The matrix over documents of `fields` fields, rows in the order given."""
    from scipy.sparse import csr_matrix, vstack

    vocabulary = _Vocabulary()
    ids: list[int] = []
    lengths = [np.zeros((fields, 0), dtype=np.int32)]
    blocks = [csr_matrix((0, 0), dtype=np.uint8)]
    waiting = iter(documents)
    while chunk := list(islice(waiting, DOCUMENTS_PER_CHUNK)):
        counts = _count_terms_of_texts([text for document in chunk for text in document.fields], vocabulary)
        lengths.append(np.asarray(counts.sum(axis=1), dtype=np.int32).reshape(len(chunk), fields).T)
        counts.data = np.minimum(counts.data, MOST_COUNTED)
        blocks.append(counts.astype(np.uint8))
        ids += [document.id for document in chunk]
    for block in blocks:
        block.resize(block.shape[0], len(vocabulary.hashes))
    return _group_by_term(
        vstack(blocks, format="csc"),
        np.array(vocabulary.hashes, dtype=np.uint64),
        np.ascontiguousarray(np.concatenate(lengths, axis=1)),
        np.array(ids, dtype=np.int64),
    )


class _Vocabulary(dict[bytes, int]):
    """Word -> number, and the numbers of each word's terms. `hashes` are the terms', by number."""

    def __init__(self) -> None:
        super().__init__()
        self.hashes = array("Q")
        self._terms: dict[str, int] = {}
        self._flat = array("i")
        self._starts = array("q", [0])

    def __missing__(self, word: bytes) -> int:
        number = self[word] = len(self)
        self._flat.extend(map(self._number_term, split_raw_word_into_terms(word)))
        self._starts.append(len(self._flat))
        return number

    def _number_term(self, term: str) -> int:
        number = self._terms.setdefault(term, len(self._terms))
        if number == len(self.hashes):
            self.hashes.append(hash_term(term))
        return number

    def make_word_term_matrix(self) -> csr_matrix:
        """(words, terms): how often each word has each term."""
        return _make_sparse_rows_of_ones(self._flat, self._starts, len(self._terms))


def _count_terms_of_texts(texts: Sequence[bytes], vocabulary: _Vocabulary) -> csr_matrix:
    """(texts, terms)"""
    numbers = array("i")
    starts = array("q", [0])
    for text in texts:
        numbers.extend(map(vocabulary.__getitem__, split_raw_words(text)))
        starts.append(len(numbers))
    words = _make_sparse_rows_of_ones(numbers, starts, len(vocabulary))
    words.sum_duplicates()
    return words @ vocabulary.make_word_term_matrix()


def _make_sparse_rows_of_ones(columns: array[int], starts: array[int], width: int) -> csr_matrix:
    from scipy.sparse import csr_matrix

    ones = np.ones(len(columns), dtype=np.int32)
    return csr_matrix((ones, np.array(columns), np.array(starts)), shape=(len(starts) - 1, width))


def _group_by_term(
    counts: csc_matrix,
    hashes: npt.NDArray[np.uint64],
    lengths: npt.NDArray[np.int32],
    ids: npt.NDArray[np.int64],
) -> CountMatrix:
    """`counts`: (documents x fields, terms), terms in the order of `hashes`; each of them occurs."""
    fields = len(lengths)
    order = np.argsort(hashes)
    columns = counts[:, order]
    columns.sort_indices()
    document, field = np.divmod(columns.indices, fields)
    # The fields of one document and term share a place.
    is_first = np.ones(len(document), dtype=bool)
    is_first[1:] = document[1:] != document[:-1]
    is_first[columns.indptr[:-1]] = True
    place = np.cumsum(is_first) - 1
    table = np.zeros((fields, int(is_first.sum())), dtype=np.uint8)
    table[field, place] = columns.data
    starts = np.append(place[columns.indptr[:-1]], table.shape[1]).astype(np.int64)
    return CountMatrix(hashes[order], starts, document[is_first].astype(np.int32), table, lengths, ids)
