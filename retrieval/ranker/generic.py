"""The generic ranker, which ships with Graft: trees, and a network that orders their best candidates once more.

Both were trained on repositories that no benchmark uses (benchmarks/retrieval/generic_ranker.py)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from retrieval.ranker.network import NetworkRanker, load_network
from retrieval.ranker.ranker import Ranker, load_ranker
from retrieval.structure.signaller import Signals
from retrieval.structure.structural import best_of
from retrieval.structure.tables.lists import Floats

FOREST = Path(__file__).with_name("generic_ranker.txt")
NETWORK = Path(__file__).with_name("network.npz")
LOOKED_AT = 300
"""Candidates that the network orders: what the forest has behind these is hopeless."""


class GenericRanker:
    """Safe to share between threads. Without a network the forest serves alone."""

    def __init__(self, forest: Ranker, network: NetworkRanker | None = None) -> None:
        self._forest = forest
        self._network = network
        more = network.names if network else ()
        self.names = tuple(dict.fromkeys((*forest.names, *more)))
        """The signals that it reads."""

    def scores(self, signals: Signals) -> Floats:
        """One number per candidate; only their order means something. Raises ValueError when a signal is missing."""
        total = self._forest.scores(signals)
        if self._network is None or not len(total):
            return total
        best = best_of(total, LOOKED_AT)
        found = self._network.scores(signals, best)
        added = np.full(len(total), found.min())
        added[best] = found
        forest_share, network_share = self._network.shares
        return forest_share * total + network_share * added


def load_generic(forest: Path = FOREST, network: Path = NETWORK) -> GenericRanker:
    """The shipped one, or the one in these files. Raises OSError, ValueError or KeyError for a damaged file."""
    return GenericRanker(load_ranker(forest), load_network(network) if network.exists() else None)
