"""BM25F over documents of several fields, term by term: a query reads its own terms' columns and nothing else.

Robertson, Zaragoza and Taylor 2004 ("Simple BM25 extension to multiple weighted fields"): a term's counts in the
fields, each divided by its field's own length norm and weighted, are added up before they saturate. With one field
it is plain BM25.

Hidden documents are taken back exactly: the number of documents, the fields' mean lengths and each term's document
frequency are as if they had never been there. That is why this isn't a library (bm25s keeps finished weights).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.text.term_counts import MOST_COUNTED, CountMatrix
from retrieval.text.terms import hash_term

NEVER_COMMON_BELOW = 200
"""Documents below which no term is too common: in a small tree a tenth is a handful."""

Scores = npt.NDArray[np.float32]
DocumentRows = npt.NDArray[np.int64]


class FieldWeights(NamedTuple):
    """One weight and one `b` (how much a long field counts against its document) for each field. `k1` says how soon
    repetition stops to count. Terms in more than the share `common` of all documents are skipped."""

    fields: tuple[float, ...]
    b: tuple[float, ...]
    k1: float = 1.2
    common: float = 1.0


class HiddenDocuments(NamedTuple):
    """What a query must not see. The documents `rows` don't exist: they score 0 and no statistic counts them. Those in
    `replaced` (row -> counts by field) count with these counts instead; they are in `rows` too."""

    rows: DocumentRows
    replaced: Mapping[int, Sequence[Counter[str]]]

    def count_remaining_documents(self, matrix: CountMatrix) -> int:
        return len(matrix.ids) - len(self.rows) + len(self.replaced)


def score_documents(
    matrix: CountMatrix, query: Mapping[str, float], weights: FieldWeights, hidden: HiddenDocuments
) -> Scores:
    """Each document's score for a query of terms and their weights."""
    out = np.zeros(len(matrix.ids), dtype=np.float32)
    total = hidden.count_remaining_documents(matrix)
    if total == 0:
        return out
    scale = _compute_occurrence_weights(matrix, weights, hidden)
    for term in sorted(query):
        documents, counts = _read_documents_and_counts_of_term(matrix, term, hidden.rows)
        extra = [row for row, fields in hidden.replaced.items() if any(term in counted for counted in fields)]
        frequency = len(documents) + len(extra)
        if frequency == 0 or frequency > max(weights.common * total, NEVER_COMMON_BELOW):
            continue
        # The inverse document frequency (Robertson, Zaragoza 2009).
        rarity = np.float32(query[term] * np.log(1.0 + (total - frequency + 0.5) / (frequency + 0.5)))
        # Field after field in a fixed order: equal documents get equal sums wherever they stand.
        weight = np.zeros(len(documents), dtype=np.float32)
        for field, counted in enumerate(counts):
            having = np.flatnonzero(counted)  # a word of a body is rarely in a name
            weight[having] += counted[having] * scale[field][documents[having]]
        out[documents] += _saturate_term_weights(weight, rarity, weights)
        for row in extra:
            here = np.zeros(1, dtype=np.float32)
            for field, words in enumerate(hidden.replaced[row]):
                here += np.float32(min(words[term], MOST_COUNTED)) * scale[field][row]
            out[row] += _saturate_term_weights(here, rarity, weights)[0]
    return out


def _saturate_term_weights(weight: Scores, rarity: np.float32, weights: FieldWeights) -> Scores:
    return (rarity * (weights.k1 + 1.0) * weight) / (weight + weights.k1)


def _compute_occurrence_weights(matrix: CountMatrix, weights: FieldWeights, hidden: HiddenDocuments) -> list[Scores]:
    """For each field what one occurrence is worth, document by document. Single precision is enough to rank by, and
    half the memory to read; the means are exact."""
    scales = []
    for field, stored in enumerate(matrix.lengths):
        total = int(stored.sum(dtype=np.int64)) - int(stored[hidden.rows].sum(dtype=np.int64))
        lengths = np.array(stored)
        for row, fields in hidden.replaced.items():
            lengths[row] = fields[field].total()
            total += fields[field].total()
        mean = max(total / hidden.count_remaining_documents(matrix), 1e-9)
        b = weights.b[field]
        norm = np.float32(1.0 - b) + np.float32(b / mean) * lengths.astype(np.float32)
        scales.append(np.float32(weights.fields[field]) / norm)
    return scales


def _read_documents_and_counts_of_term(
    matrix: CountMatrix, term: str, without: DocumentRows
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """The documents that have a term, but for `without`, and their counts."""
    place = _find_document_range_of_term(matrix, term)
    documents = np.asarray(matrix.documents[place])
    counts = np.asarray(matrix.counts[:, place])
    # `without` is short: it is looked up in the column, not the column in it.
    gone = np.searchsorted(documents, without)
    gone = gone[gone < len(documents)]
    gone = gone[np.isin(documents[gone], without)]
    if len(gone):
        documents, counts = np.delete(documents, gone), np.delete(counts, gone, axis=1)
    return documents, counts


def _find_document_range_of_term(matrix: CountMatrix, term: str) -> slice:
    key = np.uint64(hash_term(term))
    at = int(np.searchsorted(matrix.terms, key))
    found = at < len(matrix.terms) and matrix.terms[at] == key
    return slice(int(matrix.starts[at]), int(matrix.starts[at + 1])) if found else slice(0, 0)
