"""Prevents: a ranking that depends on chance or on hidden text, statistics that still count the hidden functions,
and a BM25 matrix of another build that answers for this one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from index.build import build_index
from index.repo_index import RepoIndex, open_index
from index.values import Span, Target
from retrieval import bm25
from retrieval.bm25 import K1, B, Field
from retrieval.lexical import LexicalRetriever, query_terms
from retrieval.protocol import Retriever
from retrieval.terms import terms

Open = Callable[[dict[str, str]], RepoIndex]

SOURCE = """\
/* Free every entry of the hash table. */
void table_free(struct table *t) {
    for (int i = 0; i < t->size; i++) entry_free(t->entries[i]);
}
/* Release one entry. */
void entry_free(struct entry *e) { heap_release(e); }
void draw_line(int x, int y) { plot(x, y); }
void draw_box(int x, int y) { plot(x, y); }
"""


def table_target() -> Target:
    signature = "void table_free(struct table *t)"
    return Target("t", "a.c", Span(2, 4), "table_free", signature, "/* Free every entry of the hash table. */", "c")


def test_the_callee_is_found_and_the_target_itself_is_not(opened: Open) -> None:
    index = opened({"a.c": SOURCE})
    lexical: Retriever = LexicalRetriever(index)
    hits = lexical.retrieve(index.hide(table_target(), "strict"), table_target(), 10)
    assert hits[0].symbol.name == "entry_free"
    assert "table_free" not in [h.symbol.name for h in hits]
    assert lexical.name == "lexical"
    assert lexical.retrieve(index.hide(table_target(), "strict"), table_target(), 1) == hits[:1]
    assert lexical.retrieve(index.hide(table_target(), "strict"), table_target(), 0) == []


def test_equal_scores_go_by_path_and_place(opened: Open) -> None:
    body = "void one(void) { plot(); }\nvoid two(void) { plot(); }\n"
    index = opened({"b.c": body, "a.c": body, "t.c": "void plot_all(void) {\n  secret();\n}\n"})
    target = Target("t", "t.c", Span(1, 3), "plot_all", "void plot_all(void)", "", "c")
    hits = LexicalRetriever(index).retrieve(index.hide(target, "strict"), target, 10)
    assert [(h.symbol.path, h.symbol.name) for h in hits] == [
        ("a.c", "one"),
        ("a.c", "two"),
        ("b.c", "one"),
        ("b.c", "two"),
    ]
    assert len({h.score for h in hits}) == 1


def test_scores_are_those_of_a_tree_without_the_target(opened: Open) -> None:
    whole = opened({"a.c": SOURCE})
    without = opened({"a.c": SOURCE.replace(SOURCE[SOURCE.index("void table") : SOURCE.index("/* Release")], "\n")})
    target = table_target()
    found = LexicalRetriever(whole).retrieve(whole.hide(target, "strict"), target, 10)
    expected = bm25.scores(LexicalRetriever(without)._matrix, query_terms(target), np.array([], dtype=np.int64), {})
    names = [e.symbol.name for e in without.functions]
    assert found
    assert {h.symbol.name: pytest.approx(h.score) for h in found} == {
        name: score for name, score in zip(names, expected, strict=True) if score > 0
    }


def test_a_matrix_is_kept_with_its_build_and_made_again_for_the_next(opened: Open, tmp_path: Path) -> None:
    index = opened({"a.c": SOURCE})
    LexicalRetriever(index)
    (kept,) = (index.folder / "derived").glob("bm25-*")
    stamp = (kept / "terms.npy").stat().st_mtime_ns
    LexicalRetriever(index)
    assert (kept / "terms.npy").stat().st_mtime_ns == stamp
    (index.root / "a.c").write_text(SOURCE + "void table_entry(void) { hash(); }\n")
    build_index(index.root, index.folder, workers=1)
    fresh = open_index(index.folder, index.root)
    hits = LexicalRetriever(fresh).retrieve(fresh.hide(table_target(), "strict"), table_target(), 10)
    assert "table_entry" in [h.symbol.name for h in hits]
    fresh.close()


DOCUMENTS = ["alpha beta beta", "beta gamma", "alpha alpha delta epsilon", "zeta"]


def by_hand(documents: list[str], query: list[str]) -> list[float]:
    counted = [Counter(d.split()) for d in documents]
    mean = sum(c.total() for c in counted) / len(counted)
    out = []
    for c in counted:
        score = 0.0
        for term in query:
            having = sum(term in other for other in counted)
            rarity = np.log(1 + (len(counted) - having + 0.5) / (having + 0.5))
            score += rarity * c[term] * (K1 + 1) / (c[term] + K1 * (1 - B + B * c.total() / mean))
        out.append(score)
    return out


def test_bm25_is_the_formula(tmp_path: Path) -> None:
    matrix = bm25.build((i, (Field(d, 1),)) for i, d in enumerate(DOCUMENTS))
    bm25.save(matrix, tmp_path)
    query = ["alpha", "beta", "unknown"]
    got = bm25.scores(bm25.load(tmp_path), query, np.array([], dtype=np.int64), {})
    assert got.tolist() == pytest.approx(by_hand(DOCUMENTS, query))


def test_hidden_documents_count_in_no_statistic_and_cut_ones_with_what_is_left() -> None:
    matrix = bm25.build((i, (Field(d, 1),)) for i, d in enumerate(DOCUMENTS))
    query = ["alpha", "beta"]
    got = bm25.scores(matrix, query, np.array([0, 2]), {2: Counter({"delta": 1, "beta": 1})})
    expected = by_hand([DOCUMENTS[1], "delta beta", DOCUMENTS[3]], query)
    assert got.tolist() == pytest.approx([0.0, *expected])
    everything = np.arange(len(DOCUMENTS))
    assert bm25.scores(matrix, query, everything, {}).tolist() == [0.0] * 4


def test_a_field_counts_by_its_weight_and_an_empty_index_answers() -> None:
    matrix = bm25.build([(7, (Field("alpha", 3), Field("alpha beta", 1)))])
    assert (matrix.ids.tolist(), matrix.lengths.tolist(), sorted(matrix.counts.tolist())) == ([7], [5], [1, 4])
    empty = bm25.build([])
    assert bm25.scores(empty, ["alpha"], np.array([], dtype=np.int64), {}).tolist() == []


def test_identifiers_count_whole_and_in_parts() -> None:
    assert list(terms("btVector3::setX(n)")) == ["btvector3", "bt", "vector", "setx", "set"]


@pytest.mark.real
def test_real_targets_get_hits_and_never_themselves(real: tuple[RepoIndex, list[Target]]) -> None:
    index, targets = real
    lexical = LexicalRetriever(index)
    for target in targets:
        hits = lexical.retrieve(index.hide(target, "strict"), target, 20)
        assert len(hits) == 20
        for hit in hits:
            symbol = hit.symbol
            apart = symbol.span.last < target.span.first or symbol.span.first > target.span.last
            assert symbol.path != target.path or apart
