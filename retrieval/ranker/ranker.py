"""Gradient-boosted trees that order candidates: taught, kept as text, asked."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from retrieval.ranker.lessons import Lesson
from retrieval.structure.signaller import Signals
from retrieval.structure.tables.lists import Floats

if TYPE_CHECKING:
    from lightgbm import Booster

SEED = 20
THREADS = 1
"""Fixed, like the seed: sums in another order would be other trees. On a busy machine two threads wait for each
other."""

_SETTINGS = {
    "objective": "lambdarank",
    "label_gain": [0, 1],
    "lambdarank_truncation_level": 50,
    "learning_rate": 0.1,
    "min_data_in_leaf": 50,
    "lambda_l2": 1.0,
    "feature_fraction": 0.35,
    "bagging_fraction": 0.6,
    "bagging_freq": 1,
    "max_bin": 63,
    "deterministic": True,
    "force_col_wise": True,
    "seed": SEED,
    "num_threads": THREADS,
    "verbosity": -1,
}


_END = "end of trees\n"


class Ranker:
    """Trees over signals: one forest, or several that were taught the same and whose mean counts. Safe to share
    between threads."""

    def __init__(self, text: str) -> None:
        """`text`: forests one behind another. ValueError when it isn't a whole ranker."""
        found = re.search(r"^feature_names=(.*)$", text, re.MULTILINE)
        if found is None or not text.endswith(_END):
            raise ValueError("not a ranker, or a part of one")
        self.text = text
        self.names = tuple(found[1].split())

    def scores(self, signals: Signals) -> Floats:
        """One number per candidate; only their order means something. ValueError when the ranker was taught other
        signals than these."""
        if signals.names != self.names:
            raise ValueError("a ranker of other signals")
        if not len(signals.rows):
            return np.zeros(0)
        total = np.zeros(len(signals.rows))
        for forest in self._forests:
            total += np.asarray(forest.predict(signals.table, raw_score=True, num_threads=1))
        return total / len(self._forests)

    @cached_property
    def _forests(self) -> list[Booster]:
        import lightgbm

        try:
            return [lightgbm.Booster(model_str=one + _END) for one in self.text.split(_END)[:-1]]
        except lightgbm.basic.LightGBMError as error:
            raise ValueError(f"damaged ranker: {error}") from error


def load_ranker(path: Path) -> Ranker:
    """Raises OSError, and ValueError when the file isn't a ranker."""
    return Ranker(path.read_text(encoding="ascii"))


def teach(lessons: Sequence[Lesson], trees: int, leaves: int, forests: int = 1) -> Ranker:
    """A ranker of what these lessons teach. Its `forests` differ by their seed alone: what one of them makes of
    chance, the others don't. The same lessons make the same ranker, to the last byte. Raises ValueError when there
    are none."""
    if not lessons:
        raise ValueError("nothing to learn from")
    import lightgbm

    settings = {**_SETTINGS, "num_leaves": leaves}
    data = lightgbm.Dataset(
        np.concatenate([lesson.table for lesson in lessons]),
        np.concatenate([lesson.called for lesson in lessons]).astype(np.int32),
        group=[len(lesson.called) for lesson in lessons],
        feature_name=list(lessons[0].names),
        params=settings,
    ).construct()
    # What the trees draw by; the bins, drawn once for all forests, go by the other seed.
    seeds = ({"bagging_seed": seed, "feature_fraction_seed": seed} for seed in range(SEED, SEED + forests))
    boosters = [lightgbm.Booster({**settings, **drawn}, data) for drawn in seeds]
    # A forest to a thread: nothing of it depends on the others, so they may grow side by side.
    with ThreadPoolExecutor(min(forests, len(os.sched_getaffinity(0)))) as threads:
        return Ranker("".join(threads.map(lambda booster: _grown(booster, trees), boosters)))


def _grown(booster: Booster, trees: int) -> str:
    for _ in range(trees):
        booster.update()
    text: str = booster.model_to_string()
    # What follows the trees are settings, the machine's own among them.
    return text[: text.index(_END)] + _END
