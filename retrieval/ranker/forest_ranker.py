"""Gradient-boosted trees that order candidates: how they are trained, stored as text and applied."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from retrieval.ranker.training_groups import TrainingGroup
from retrieval.structure.signal_maker import Signals
from retrieval.structure.tables.compressed_lists import Floats

if TYPE_CHECKING:
    from lightgbm import Booster

SEED = 20
THREADS = 1
"""Fixed, like the seed: sums in another order would be other trees. On a busy machine two threads wait for each
other."""

REPRODUCIBLE_SETTINGS = {
    "lambda_l2": 1.0,
    "bagging_freq": 1,
    "max_bin": 63,
    "deterministic": True,
    "force_col_wise": True,
    "seed": SEED,
    "num_threads": THREADS,
    "verbosity": -1,
}
LIGHTGBM_SETTINGS = {
    **REPRODUCIBLE_SETTINGS,
    "objective": "lambdarank",
    "label_gain": [0, 1],
    "lambdarank_truncation_level": 50,
    "learning_rate": 0.1,
    "min_data_in_leaf": 50,
    "feature_fraction": 0.35,
    "bagging_fraction": 0.6,
}

_END_OF_TREES = "end of trees\n"


class ForestRanker:
    """Trees over signals: one forest, or several that were trained on the same data and whose mean counts. Safe to
    share between threads."""

    def __init__(self, text: str) -> None:
        """`text`: the forests, concatenated. Raises ValueError when it isn't a whole ranker."""
        found = re.search(r"^feature_names=(.*)$", text, re.MULTILINE)
        if found is None or not text.endswith(_END_OF_TREES):
            raise ValueError("not a ranker, or a part of one")
        self.text = text
        self.names = tuple(found[1].split())

    def score_candidates(self, signals: Signals) -> Floats:
        """One number per candidate; only their order means something. A ranker reads the signals that it was trained
        on, by name: newer ones change nothing. Raises ValueError when one is missing."""
        if missing := [name for name in self.names if name not in signals.names]:
            raise ValueError(f"a ranker of other signals: {', '.join(missing)}")
        table = signals.select_columns(self.names)
        if not len(signals.rows):
            return np.zeros(0)
        total = np.zeros(len(signals.rows))
        for forest in self._forests:
            total += np.asarray(forest.predict(table, raw_score=True, num_threads=1))
        return total / len(self._forests)

    @cached_property
    def _forests(self) -> list[Booster]:
        import lightgbm

        try:
            return [lightgbm.Booster(model_str=trees + _END_OF_TREES) for trees in self.text.split(_END_OF_TREES)[:-1]]
        except lightgbm.basic.LightGBMError as error:
            raise ValueError(f"damaged ranker: {error}") from error


def load_ranker(path: Path) -> ForestRanker:
    """Raises OSError, and ValueError when the file isn't a ranker."""
    return ForestRanker(path.read_text(encoding="ascii"))


def train_ranker(groups: Sequence[TrainingGroup], trees: int, leaves: int, forests: int = 1) -> ForestRanker:
    """A ranker trained on these groups. Its forests differ only by their seed, so that the mean evens out chance.
    Equal groups make an equal ranker, to the last byte. Raises ValueError when there are none."""
    if not groups:
        raise ValueError("nothing to learn from")
    import lightgbm

    settings = {**LIGHTGBM_SETTINGS, "num_leaves": leaves}
    data = lightgbm.Dataset(
        np.concatenate([group.table for group in groups]),
        np.concatenate([group.called for group in groups]).astype(np.int32),
        group=[len(group.called) for group in groups],
        feature_name=list(groups[0].names),
        params=settings,
    ).construct()
    # These seeds differ by forest; the bins are drawn once for all, by the seed in the settings.
    seeds = ({"bagging_seed": seed, "feature_fraction_seed": seed} for seed in range(SEED, SEED + forests))
    boosters = [lightgbm.Booster({**settings, **drawn}, data) for drawn in seeds]
    # A thread for each forest: they don't depend on each other.
    with ThreadPoolExecutor(min(forests, len(os.sched_getaffinity(0)))) as threads:
        return ForestRanker("".join(threads.map(lambda booster: _grow_forest_as_text(booster, trees), boosters)))


def _grow_forest_as_text(booster: Booster, trees: int) -> str:
    for _ in range(trees):
        booster.update()
    return write_forest_as_text(booster)


def write_forest_as_text(booster: Booster) -> str:
    text: str = booster.model_to_string()
    # After the trees come settings, some of them the machine's own.
    return text[: text.index(_END_OF_TREES)] + _END_OF_TREES
