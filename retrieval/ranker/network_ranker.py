"""A small neural network that orders candidates: it reads the signals that trees read, and looks at the likely
candidates as a set before it says the last word on each.

Trained by PyTorch (benchmarks/retrieval/training/network.py), applied by NumPy, in a millisecond or two on one core.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from retrieval.structure.signal_maker import Signals, SignalTable
from retrieval.structure.tables.compressed_lists import Floats, Rows

MOST_DEVIATIONS = 4.0
"""Standard deviations beyond which further ones say nothing more."""
_LEAST_DEVIATION = 1e-3

Array = npt.NDArray[np.float32]


def squash_long_tails(table: SignalTable) -> SignalTable:
    found: SignalTable = np.sign(table) * np.log1p(np.abs(table))
    return found


def compute_moments(table: SignalTable) -> SignalTable:
    """(2, signals): mean and standard deviation over a function's candidates; of a signal that is the same for all the
    latter is large, so that it says nothing."""
    deviation = table.std(axis=0)
    return np.stack([table.mean(axis=0), np.where(deviation < _LEAST_DEVIATION, 1e6, deviation)]).astype(np.float32)


def standardise_inputs(table: SignalTable, overall: SignalTable, own: SignalTable) -> SignalTable:
    """(candidates, 2 signals): each tamed signal against all functions' candidates, and against this function's.
    `overall` and `own`: (2, signals), moments."""
    parts = [
        np.clip((table - mean) / deviation, -MOST_DEVIATIONS, MOST_DEVIATIONS) for mean, deviation in (overall, own)
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32)


class NetworkWeights(NamedTuple):
    """The network. `overall`: (2, signals), moments over all candidates that it learnt from. `shares`: (2), by what to
    multiply the scores of the forest beside it, and its own, before they are added."""

    names: tuple[str, ...]
    shares: Array
    overall: Array
    first: Array
    first_bias: Array
    second: Array
    second_bias: Array
    glance: Array
    third: Array
    third_bias: Array
    last: Array


class NetworkRanker:
    """Applies a network. Safe to share between threads."""

    def __init__(self, weights: NetworkWeights) -> None:
        self._weights = weights
        self.names = weights.names
        self.shares = (float(weights.shares[0]), float(weights.shares[1]))
        """Of the forest's score, and of this one's."""

    def score_candidates(self, signals: Signals, chosen: Rows) -> Floats:
        """One number for each of the candidates at the places `chosen`, which are at least one; only their order means
        something. Raises ValueError when a signal is missing."""
        table = squash_long_tails(signals.select_columns(self.names))
        # For products this small a second thread only waits, and keeps its core busy with that.
        with self._blas_libraries.limit(limits=1):
            return self._run_network(table, chosen)

    @cached_property
    def _blas_libraries(self) -> ThreadpoolController:
        return ThreadpoolController().select(user_api="blas")

    def _run_network(self, table: SignalTable, chosen: Rows) -> Floats:
        w = self._weights
        inputs = standardise_inputs(table[chosen], w.overall, compute_moments(table))
        hidden = np.maximum(inputs @ w.first + w.first_bias, 0)
        hidden = np.maximum(hidden @ w.second + w.second_bias, 0)
        at_first = hidden @ w.glance
        share = np.exp(at_first - at_first.max())
        seen = (share / share.sum()) @ hidden
        size = len(seen)
        beside = hidden @ w.third[:size] + (hidden * seen) @ w.third[size : 2 * size] + seen @ w.third[2 * size :]
        again = np.maximum(beside + w.third_bias, 0)
        return np.asarray(at_first + again @ w.last, dtype=np.float64)


def save_network(weights: NetworkWeights, path: Path) -> None:
    arrays: dict[str, Any] = {**weights._asdict(), "names": np.array(weights.names)}
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def load_network(path: Path) -> NetworkRanker:
    """Raises OSError; ValueError or KeyError when the file is no network."""
    with np.load(path, allow_pickle=False) as arrays:
        rest = (arrays[name] for name in NetworkWeights._fields[1:])
        return NetworkRanker(NetworkWeights(tuple(str(name) for name in arrays["names"]), *rest))
