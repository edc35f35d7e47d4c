"""The generic ranker, which ships with Graft: trees, and a network that orders their best candidates once more.

Both were trained on repositories that no benchmark uses (benchmarks/retrieval/generic_ranker.py)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from retrieval.ranker.forest_ranker import ForestRanker, load_ranker
from retrieval.ranker.network_ranker import NetworkRanker, load_network
from retrieval.structure.fused_retriever import choose_best_places
from retrieval.structure.signal_maker import Signals
from retrieval.structure.tables.compressed_lists import Floats, Rows

FOREST_FILE = Path(__file__).with_name("generic_ranker.txt")
NETWORK_FILE = Path(__file__).with_name("network.npz")
MOST_SCORED_AGAIN = 150
"""Candidates that the network and then the local ranker order again: three times the fifty that a context shows. Trees
cost as much for a hopeless candidate as for a good one."""


class GenericRanker:
    """Safe to share between threads."""

    def __init__(self, forest: ForestRanker, network: NetworkRanker) -> None:
        self._forest = forest
        self._network = network
        self.names = tuple(dict.fromkeys((*forest.names, *network.names)))
        """The signals that it reads."""

    def score_candidates(self, signals: Signals) -> Floats:
        """One number per candidate; only their order means something. Raises ValueError when a signal is missing."""
        total = self._forest.score_candidates(signals)
        if not len(total):
            return total
        forest_share, network_share = self._network.shares
        again = rescore_best_and_floor_others(total, lambda best: self._network.score_candidates(signals, best))
        return forest_share * total + network_share * again


def rescore_best_and_floor_others(total: Floats, rescore: Callable[[Rows], Floats]) -> Floats:
    """The scores that `rescore` gives to the best candidates by `total`, which are at least one, by their places; the
    others get the least of these, and so stay in the order of `total` where both are added."""
    best = choose_best_places(total, MOST_SCORED_AGAIN)
    found = rescore(best)
    scores: Floats = np.full(len(total), found.min())
    scores[best] = found
    return scores


def load_generic_ranker() -> GenericRanker:
    """The shipped one. Raises OSError, ValueError or KeyError for a damaged file."""
    return GenericRanker(load_ranker(FOREST_FILE), load_network(NETWORK_FILE))
