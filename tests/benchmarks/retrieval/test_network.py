"""Prevents: a network that scores otherwise in Graft than where it was trained, that reads signals by their place,
that learns nothing, or whose products keep every core busy with waiting."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from benchmarks.retrieval.training.network import train_network
from benchmarks.retrieval.training.set_arrays import Sample
from retrieval.ranker.generic_ranker import GenericRanker, load_generic_ranker
from retrieval.ranker.network_ranker import (
    Array,
    NetworkRanker,
    compute_moments,
    load_network,
    save_network,
    squash_long_tails,
)
from retrieval.structure.signal_maker import Signals
from retrieval.structure.tables.compressed_lists import Floats, Rows

# One process alone imports torch.
pytestmark = pytest.mark.xdist_group("encoder")
NAMES = ("a", "b", "c", "d")


def tables(seed: int, functions: int) -> list[Array]:
    random = np.random.default_rng(seed)
    return [random.random((40, len(NAMES)), dtype=np.float32) * 9 for _ in range(functions)]


def called(table: Array) -> np.ndarray:
    """What has the greatest sum of two signals."""
    total = table[:, 1] + table[:, 2]
    return np.asarray(total >= np.sort(total)[-2])


def made_sample(seed: int, functions: int) -> Sample:
    found = tables(seed, functions)
    return Sample(
        NAMES,
        [np.concatenate(found[:3]), np.concatenate(found[3:])],
        np.concatenate([called(table) for table in found]),
        np.full(functions, 40, dtype=np.int64),
        np.array([compute_moments(squash_long_tails(table)) for table in found]),
    )


def signals(table: Array, names: tuple[str, ...] = NAMES) -> Signals:
    columns = [NAMES.index(name) for name in names]
    return Signals(np.arange(len(table), dtype=np.int32), table[:, columns], names)


def test_numpy_and_torch_agree_and_what_is_learnt_holds(tmp_path: Path) -> None:
    asked = made_sample(2, 20)
    weights, losses = train_network(made_sample(1, 300), 6, asked)
    assert losses[-1] < losses[0]
    save_network(weights, tmp_path / "network.npz")
    network = load_network(tmp_path / "network.npz")
    everyone = np.arange(40, dtype=np.int32)
    unlikely, right = [], 0
    for table in tables(2, 20):
        scores = network.score_candidates(signals(table), everyone)
        shares = scores - scores.max() - np.log(np.exp(scores - scores.max()).sum())
        unlikely += [-share for share in shares[called(table)]]
        right += int(called(table)[np.argsort(-scores)[:2]].sum())
        turned = network.score_candidates(signals(table, NAMES[::-1]), everyone)
        assert np.allclose(turned, scores, atol=1e-5), "signals are read by name"
    assert np.mean(unlikely) == pytest.approx(losses[-1], abs=1e-4)
    assert right >= 34


def test_the_shipped_network_stands_beside_the_shipped_forest() -> None:
    ranker = load_generic_ranker()
    random = np.random.default_rng(0)
    table = random.random((400, len(ranker.names)), dtype=np.float32)
    rows = np.arange(400, dtype=np.int32)
    scores = ranker.score_candidates(Signals(rows, table, ranker.names))
    assert scores.shape == (400,) and np.isfinite(scores).all()
    nobody = Signals(rows[:0], table[:0], ranker.names)
    assert ranker.score_candidates(nobody).shape == (0,)


def test_only_the_forest_s_best_are_looked_at_again() -> None:
    """The others keep the forest's order behind them."""

    class Forest:
        names = NAMES

        def score_candidates(self, given: Signals) -> np.ndarray:
            return np.asarray(given.find_column("a"), dtype=np.float64)

    weights, _ = train_network(made_sample(1, 30), 1)
    table = np.repeat(tables(3, 1)[0], 20, axis=0)
    both = GenericRanker(Forest(), NetworkRanker(weights))  # type: ignore[arg-type]
    order = np.argsort(-both.score_candidates(signals(table)), kind="stable")
    last = np.argsort(-table[:, 0], kind="stable")[300:]
    assert order[300:].tolist() == last.tolist()


def test_products_stay_on_one_thread_and_the_process_keeps_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    ranker = load_generic_ranker()
    table = np.random.default_rng(0).random((400, len(ranker.names)), dtype=np.float32)
    used: list[int] = []
    whole = NetworkRanker._run_network

    def seen(self: NetworkRanker, table: Array, chosen: Rows) -> Floats:
        used.extend(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")
        return whole(self, table, chosen)

    monkeypatch.setattr(NetworkRanker, "_run_network", seen)
    with threadpool_limits(2, "blas"):
        ranker.score_candidates(Signals(np.arange(400, dtype=np.int32), table, ranker.names))
        left = [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]
    assert set(used) == {1} and set(left) == {2}
