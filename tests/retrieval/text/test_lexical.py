"""Prevents: a ranking that depends on chance or on hidden text, statistics that still count the hidden functions,
and a BM25 matrix of another build that answers for this one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from index.build import build_index
from index.repo_index import open_index
from index.store.derived_arrays import load_columns, save_columns
from index.values import Span, Target
from retrieval.protocol import Retriever
from retrieval.text import bm25, term_counts
from retrieval.text.bm25 import FieldWeights, HiddenDocuments
from retrieval.text.lexical import BM25, BM25F, BM25F_WEIGHTS, LexicalRetriever
from retrieval.text.term_counts import (
    CountMatrix,
    TextDocument,
    count_terms,
    count_terms_by_document,
)
from retrieval.text.terms import split_terms, weigh_query_terms
from tests.support.indexes import Indexed
from tests.support.targets import TABLE_SOURCE, find_target, table_target

NOTHING_HIDDEN = HiddenDocuments(np.zeros(0, dtype=np.int64), {})


def test_the_callee_is_found_and_the_target_itself_is_not(indexed: Indexed) -> None:
    index = indexed({"a.c": TABLE_SOURCE})
    lexical: Retriever = LexicalRetriever(index)
    hits = lexical.retrieve(index.hide(table_target(), "strict"), table_target(), 10)
    assert hits[0].symbol.name == "entry_free"
    assert "table_free" not in [h.symbol.name for h in hits]
    assert lexical.name == "lexical"
    assert lexical.retrieve(index.hide(table_target(), "strict"), table_target(), 1) == hits[:1]
    assert lexical.retrieve(index.hide(table_target(), "strict"), table_target(), 0) == []


def test_equal_scores_go_by_path_and_place(indexed: Indexed) -> None:
    body = "void one(void) { plot(); }\nvoid two(void) { plot(); }\n"
    index = indexed({"b.c": body, "a.c": body, "t.c": "void plot_all(void) {\n  secret();\n}\n"})
    target = Target("t", "t.c", Span(1, 3), "plot_all", "void plot_all(void)", "", "c")
    lexical, view = LexicalRetriever(index), index.hide(target, "strict")
    hits = lexical.retrieve(view, target, 10)
    assert [(h.symbol.path, h.symbol.name) for h in hits] == [(p, n) for p in ("a.c", "b.c") for n in ("one", "two")]
    assert len({h.score for h in hits}) == 1
    assert lexical.retrieve(view, target, 3) == hits[:3]


def test_scores_are_those_of_a_tree_without_the_target(indexed: Indexed) -> None:
    whole = indexed({"a.c": TABLE_SOURCE})
    without = indexed(
        {
            "a.c": TABLE_SOURCE.replace(
                TABLE_SOURCE[TABLE_SOURCE.index("void table") : TABLE_SOURCE.index("/* Release")], "\n"
            )
        }
    )
    target = table_target()
    found = LexicalRetriever(whole).retrieve(whole.hide(target, "strict"), target, 10)
    expected = bm25.score_documents(
        LexicalRetriever(without)._counts, weigh_query_terms(target), BM25F_WEIGHTS, NOTHING_HIDDEN
    )
    names = [e.symbol.name for e in without.functions]
    assert found
    assert {h.symbol.name: pytest.approx(h.score) for h in found} == {
        name: score for name, score in zip(names, expected, strict=True) if score > 0
    }


def test_a_matrix_is_kept_with_its_build_and_made_again_for_the_next(indexed: Indexed, tmp_path: Path) -> None:
    index = indexed({"a.c": TABLE_SOURCE})
    LexicalRetriever(index)
    (kept,) = (index.folder / "derived").glob("terms-lexical-*")
    stamp = (kept / "terms.npy").stat().st_mtime_ns
    LexicalRetriever(index)
    assert (kept / "terms.npy").stat().st_mtime_ns == stamp
    (index.root / "a.c").write_text(TABLE_SOURCE + "void table_entry(void) { hash(); }\n")
    build_index(index.root, index.folder, workers=1)
    fresh = open_index(index.folder, index.root)
    hits = LexicalRetriever(fresh).retrieve(fresh.hide(table_target(), "strict"), table_target(), 10)
    assert "table_entry" in [h.symbol.name for h in hits]
    fresh.close()


DOCUMENTS = [
    ("alpha beta", "beta alpha beta delta"),
    ("gamma", "beta gamma beta"),
    ("alpha", "alpha delta epsilon"),
    ("", "zeta"),
]
"""Two fields each."""
FIELDED = FieldWeights(fields=(3.0, 1.0), b=(0.4, 0.75))


def matrix_of(documents: list[tuple[str, ...]]) -> CountMatrix:
    fields = len(documents[0]) if documents else 1
    return count_terms_by_document(
        (TextDocument(i, tuple(f.encode() for f in d)) for i, d in enumerate(documents)), fields
    )


def by_hand(documents: list[tuple[str, ...]], query: list[str], weights: FieldWeights) -> list[float]:
    """The formula, document by document, without arrays."""
    counted = [[Counter(field.split()) for field in d] for d in documents]
    means = [sum(d[f].total() for d in counted) / len(counted) for f in range(len(weights.fields))]
    out = []
    for document in counted:
        score = 0.0
        for term in query:
            having = sum(any(term in field for field in other) for other in counted)
            if not having:
                continue
            rarity = np.log(1 + (len(counted) - having + 0.5) / (having + 0.5))
            weight = sum(
                weights.fields[f]
                * document[f][term]
                / (1 - weights.b[f] + weights.b[f] * document[f].total() / means[f])
                for f in range(len(weights.fields))
            )
            score += rarity * weight * (weights.k1 + 1) / (weight + weights.k1)
        out.append(score)
    return out


def ones(terms_: list[str]) -> dict[str, float]:
    return dict.fromkeys(terms_, 1.0)


@pytest.mark.parametrize(
    ("documents", "weights"),
    [(DOCUMENTS, FIELDED), ([(" ".join(d),) for d in DOCUMENTS], FieldWeights(fields=(1.0,), b=(0.75,)))],
)
def test_scores_are_the_formula(documents: list[tuple[str, ...]], weights: FieldWeights, tmp_path: Path) -> None:
    """With one field it is plain BM25."""
    save_columns(matrix_of(documents), tmp_path)
    query = ["alpha", "beta", "delta", "unknown"]
    got = bm25.score_documents(load_columns(CountMatrix, tmp_path), ones(query), weights, NOTHING_HIDDEN)
    assert got.tolist() == pytest.approx(by_hand(documents, query, weights))
    other = weights._replace(fields=tuple(3 * weight for weight in weights.fields))
    assert got.tolist() != pytest.approx(by_hand(documents, query, other))


def test_hidden_documents_count_in_no_statistic_and_cut_ones_with_what_is_left() -> None:
    matrix = matrix_of(DOCUMENTS)
    query = ["alpha", "beta", "delta"]
    left = (Counter({"delta": 1}), Counter({"delta": 1, "beta": 1}))
    got = bm25.score_documents(matrix, ones(query), FIELDED, HiddenDocuments(np.array([0, 2]), {2: left}))
    expected = by_hand([DOCUMENTS[1], ("delta", "delta beta"), DOCUMENTS[3]], query, FIELDED)
    assert got.tolist() == pytest.approx([0.0, *expected])
    everything = np.arange(len(DOCUMENTS))
    assert bm25.score_documents(matrix, ones(query), FIELDED, HiddenDocuments(everything, {})).tolist() == [0.0] * 4


def test_chosen_symbols_score_as_they_do_among_all(indexed: Indexed) -> None:
    index = indexed({"a.c": TABLE_SOURCE})
    retriever, target = LexicalRetriever(index), table_target()
    view = index.hide(target, "strict")
    ids = {e.symbol.name: e.id for e in index.functions if e.id not in view.ids_overlapping_holes}
    found = retriever.score_symbols(view, target, np.array([*ids.values(), 10**6]))
    hits = {h.symbol.name: h.score for h in retriever.retrieve(view, target, 10)}
    assert dict(zip(ids, found.tolist(), strict=False)) == {name: hits.get(name, 0.0) for name in ids}
    assert found[-1] == 0.0


def test_a_term_of_too_many_documents_is_passed_over_by_what_is_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bm25, "NEVER_COMMON_BELOW", 1)
    matrix = matrix_of([("alpha",), ("alpha",), ("alpha beta",), ("beta",)])
    weights = FieldWeights(fields=(1.0,), b=(0.0,), common=0.6)
    assert bm25.score_documents(matrix, ones(["alpha"]), weights, NOTHING_HIDDEN).tolist() == [0.0] * 4
    hidden = bm25.score_documents(matrix, ones(["alpha"]), weights, HiddenDocuments(np.array([0, 1]), {}))
    assert (hidden > 0).tolist() == [False, False, True, False]


def test_the_matrix_holds_what_was_counted_and_an_empty_index_answers() -> None:
    matrix = matrix_of([("alpha", "alpha beta"), ("x" * 3, "beta " * 300)])
    assert matrix.ids.tolist() == [0, 1]
    assert matrix.lengths.tolist() == [[1, 1], [2, 300]]
    assert sorted(matrix.counts.max(axis=0).tolist()) == [1, 1, 1, term_counts.MOST_COUNTED]
    empty = count_terms_by_document([], 2)
    assert bm25.score_documents(empty, ones(["alpha"]), FIELDED, NOTHING_HIDDEN).tolist() == []


def test_many_documents_are_counted_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [(f"name{i % 7} part_{i % 3}", "same words " * (i % 5)) for i in range(50)]
    whole = matrix_of(documents)
    monkeypatch.setattr(term_counts, "DOCUMENTS_PER_CHUNK", 8)
    for array, other in zip(whole, matrix_of(documents), strict=True):
        assert np.array_equal(array, other)
        assert array.dtype == other.dtype


def test_words_of_other_scripts_count_as_the_text_says() -> None:
    text = "größe_max — naïve(9x) Zähler"
    (counted,) = count_terms((text.encode(),))
    assert counted == Counter(split_terms(text))


def test_the_control_knows_no_fields(indexed: Indexed) -> None:
    index = indexed({"a.c": TABLE_SOURCE})
    plain = LexicalRetriever(index, BM25)
    assert (plain.name, LexicalRetriever(index).name) == ("bm25", "lexical")
    assert plain._counts.counts.shape[0] == 1
    assert LexicalRetriever(index, BM25F)._counts.counts.shape[0] == len(BM25F_WEIGHTS.fields)
    hits = plain.retrieve(index.hide(table_target(), "strict"), table_target(), 10)
    assert "entry_free" in [h.symbol.name for h in hits]


def test_words_find_what_the_view_shows(indexed: Indexed) -> None:
    index = indexed({"a.c": TABLE_SOURCE})
    lexical = LexicalRetriever(index)
    other = index.hide(find_target(index, "draw_line"), "strict")
    assert "table_free" in [h.symbol.name for h in lexical.search(other, "free the hash table", 10)]
    view = index.hide(table_target(), "strict")
    assert "table_free" not in [h.symbol.name for h in lexical.search(view, "free the hash table", 10)]


def test_identifiers_count_whole_and_in_parts() -> None:
    assert list(split_terms("btVector3::setX(n)")) == ["btvector3", "bt", "vector", "setx", "set"]
