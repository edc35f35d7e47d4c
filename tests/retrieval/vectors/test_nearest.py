"""Prevents: an approximate search that misses what an exact one finds, and a damaged file that answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from retrieval.vectors.encoder import Vectors
from retrieval.vectors.nearest import GRAPH, load, nearest, save


def clustered(count: int, dimensions: int = 24) -> Vectors:
    rng = np.random.default_rng(5)
    centres = rng.normal(size=(20, dimensions))
    found = centres[rng.integers(0, 20, count)] + 0.3 * rng.normal(size=(count, dimensions))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def test_the_graph_finds_what_an_exact_search_finds(tmp_path: Path) -> None:
    vectors = clustered(3000)
    for name, flat in (("exact", 10_000), ("graph", 100)):
        (tmp_path / name).mkdir()
        save(vectors, tmp_path / name, flat=flat)
    exact, graph = load(tmp_path / "exact"), load(tmp_path / "graph")
    assert exact.graph is None
    assert graph.graph is not None
    shared = 0
    for query in clustered(50):
        expected = nearest(exact, query[None], 50)[1]
        assert expected.tolist() == np.argsort(-(vectors @ query), kind="stable")[:50].tolist()
        shared += len(set(expected.tolist()) & set(nearest(graph, query[None], 50)[1].tolist()))
    assert shared / (50 * 50) >= 0.98


@pytest.mark.parametrize("flat", [0, 100])
def test_no_more_is_given_than_there_is(tmp_path: Path, flat: int) -> None:
    save(clustered(7), tmp_path, flat=flat)
    scores, rows = nearest(load(tmp_path), clustered(1), 20)
    assert sorted(rows.tolist()) == list(range(7))
    assert (np.diff(scores) <= 0).all()


def test_a_damaged_graph_is_told(tmp_path: Path) -> None:
    save(clustered(50), tmp_path, flat=10)
    whole = (tmp_path / GRAPH).read_bytes()
    (tmp_path / GRAPH).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="damaged"):
        load(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    save(clustered(40), other, flat=10)
    (tmp_path / GRAPH).write_bytes((other / GRAPH).read_bytes())
    with pytest.raises(ValueError, match="other vectors"):
        load(tmp_path)
