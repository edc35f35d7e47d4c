"""Prevents: a ranker that orders by chance. Rankings follow the signals, ties don't follow the truth, an empty or
tiny repository is no error, and what was taught is taught again to the last byte.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from index.arrays import keep_heaviest_rows_in_order
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.protocol import Retriever, RetrieverSettings
from retrieval.ranker.forest_ranker import ForestRanker, load_ranker, train_ranker
from retrieval.ranker.learned_retriever import LearnedRetriever
from retrieval.ranker.training_groups import TrainingGroup
from retrieval.structure.fused_retriever import (
    HYBRID_WEIGHTS,
    STRUCTURAL_WEIGHTS,
    TEXT_SIGNAL,
    make_hybrid,
    make_structural,
)
from retrieval.structure.signal_maker import Signaller, Signals, SignalTable
from tests.support.indexes import Indexed
from tests.support.targets import find_target

SMALL = {
    "dict.h": "typedef struct dict dict;\nint dictAdd(dict *d, int key);\nint dictAddRaw(dict *d, int key);\n"
    "int dictResize(dict *d);\n",
    "dict.c": """\
#include "dict.h"
static int expand(dict *d) { return d != 0; }
int dictAddRaw(dict *d, int key) { return expand(d) + key; }
/* Add a key. */
int dictAdd(dict *d, int key) { return dictAddRaw(d, key) * 2; }
int dictReplace(dict *d, int key) { int old = dictAddRaw(d, key); return old; }
int dictResize(dict *d) { return expand(d); }
static int helper(dict *d) { return d == 0; }
""",
    "shape.h": """\
class Base { public: int area() const { return side() * side(); } virtual int side() const = 0; };
class Box : public Base { public: int half() const; int side() const { return 3; } };
""",
    "shape.cpp": '#include "shape.h"\nint Box::half() const { return area() / 2; }\n',
    "far.c": "int unrelated(void) { return 1; }\nint lonely(void) { return unrelated(); }\n",
}


def make_retrievers(index: RepoIndex, target: Target) -> list[Retriever]:
    settings = RetrieverSettings()
    return [make_structural(index, settings), make_hybrid(index, settings), LearnedRetriever(index, [target])]


def test_siblings_names_and_orphans_come_first(indexed: Indexed) -> None:
    index = indexed(SMALL)
    target = find_target(index, "dictAdd")
    hits = make_structural(index, RetrieverSettings()).retrieve(index.hide(target, "strict"), target, 50)
    found = [h.symbol.name for h in hits]
    assert set(found[:2]) == {"dictAddRaw", "expand"}
    # Nothing else calls `helper`, and no other file can.
    assert "helper" in found[:5]
    assert found.index("expand") < found.index("unrelated")
    assert "dictAdd" not in found


def test_a_base_class_and_its_pure_virtual_methods_are_candidates(indexed: Indexed) -> None:
    index = indexed(SMALL)
    target = find_target(index, "half")
    hits = make_hybrid(index, RetrieverSettings()).retrieve(index.hide(target, "strict"), target, 50)
    found = [h.symbol.qualified_name for h in hits]
    assert found.index("Base::area") < found.index("lonely")
    assert "Base::side" in found


def test_hits_are_sorted_say_why_and_are_repeated(indexed: Indexed) -> None:
    index = indexed(SMALL)
    target = find_target(index, "dictAdd")
    for retriever in make_retrievers(index, target):
        first = retriever.retrieve(index.hide(target, "strict"), target, 6)
        assert [h.score for h in first] == sorted((h.score for h in first), reverse=True)
        assert all(h.reason for h in first)
        assert len(first) == 6
        assert retriever.retrieve(index.hide(target, "strict"), target, 6) == first
        assert retriever.retrieve(index.hide(target, "strict"), target, 0) == []


def test_a_tree_too_small_to_teach_is_ranked_by_the_generic_ranker_and_taught_from_once(
    indexed: Indexed, caplog: pytest.LogCaptureFixture
) -> None:
    index = indexed(SMALL)
    target = find_target(index, "dictAdd")
    for _ in range(2):
        learned = LearnedRetriever(index, [target])
        assert learned.local_ranker is None
        hits = learned.retrieve(index.hide(target, "strict"), target, 3)
        assert "dictAddRaw" in [h.symbol.name for h in hits]
    assert len([line for line in caplog.messages if line.startswith("learned:")]) == 1


def test_a_tree_of_one_function_has_no_hits(indexed: Indexed) -> None:
    index = indexed({"a.c": "int alone(int n) { return n; }\n"})
    target = find_target(index, "alone")
    view = index.hide(target, "strict")
    for retriever in make_retrievers(index, target):
        assert retriever.retrieve(view, target, 5) == []


def test_every_weight_is_a_signal_and_the_generic_ranker_knows_these_signals(indexed: Indexed) -> None:
    index = indexed(SMALL)
    target = find_target(index, "dictAdd")
    signals = Signaller(index).compute_signals(index.hide(target, "strict"), target)
    assert {w.signal for w in (*STRUCTURAL_WEIGHTS, *HYBRID_WEIGHTS)} <= {*signals.names, TEXT_SIGNAL}
    assert len(set(signals.names)) == len(signals.names) == signals.table.shape[1]
    assert np.isfinite(signals.table).all()


def made_up(seed: int) -> list[TrainingGroup]:
    random = np.random.default_rng(seed)
    tables = [random.random((60, 4), dtype=np.float32) for _ in range(40)]
    return [TrainingGroup(t, t[:, 2] > 0.9, ("a", "b", "c", "d")) for t in tables]


def made_up_signals() -> tuple[SignalTable, Signals]:
    table = np.random.default_rng(9).random((50, 4), dtype=np.float32)
    return table, Signals(np.arange(50, dtype=np.int32), table, ("a", "b", "c", "d"))


def test_what_is_taught_is_learnt_and_equal_each_time(tmp_path: Path) -> None:
    ranker, other = train_ranker(made_up(1), 20, 7), train_ranker(made_up(1), 20, 7)
    assert ranker.text == other.text
    assert train_ranker(made_up(2), 20, 7).text != ranker.text
    (tmp_path / "ranker.txt").write_text(ranker.text)
    table, signals = made_up_signals()
    scores = load_ranker(tmp_path / "ranker.txt").score_candidates(signals)
    called = table[:, 2] > 0.9
    assert scores[called].min() > scores[~called & (table[:, 2] < 0.8)].max()


def test_forests_differ_by_their_draw_and_their_mean_counts() -> None:
    three = train_ranker(made_up(1), 20, 7, 3)
    parts = [ForestRanker(part + "end of trees\n") for part in three.text.split("end of trees\n")[:-1]]
    assert parts[0].text == train_ranker(made_up(1), 20, 7).text
    _, signals = made_up_signals()
    scores = [part.score_candidates(signals) for part in parts]
    assert len({row.tobytes() for row in scores}) == 3
    assert np.allclose(three.score_candidates(signals), np.mean(scores, axis=0))


def test_a_damaged_ranker_and_one_of_other_signals_are_refused() -> None:
    whole = train_ranker(made_up(1), 5, 7)
    with pytest.raises(ValueError, match="not a ranker"):
        ForestRanker(whole.text[: len(whole.text) // 2])
    other = Signals(np.zeros(0, dtype=np.int32), np.zeros((0, 2), dtype=np.float32), ("a", "b"))
    with pytest.raises(ValueError, match="other signals"):
        whole.score_candidates(other)


def test_of_equal_weights_the_first_rows_are_kept() -> None:
    weight = np.array([0.5, 0.5, 0.9, 0.5, 0.1, 0.5])
    assert keep_heaviest_rows_in_order(np.arange(6), weight, 3).tolist() == [0, 1, 2]
    assert keep_heaviest_rows_in_order(np.array([3, 4, 5]), weight, 2).tolist() == [3, 5]
