"""Gradient-boosted trees that order candidates: taught, kept as text, asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from retrieval.lessons import Lesson
from retrieval.lists import Floats
from retrieval.signals import Signals

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
    "force_row_wise": True,
    "seed": SEED,
    "num_threads": THREADS,
    "verbosity": -1,
}


_END = "end of trees\n"


class Ranker:
    """Trees over signals. Safe to share between threads."""

    def __init__(self, text: str) -> None:
        """ValueError when `text` isn't a whole ranker."""
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
        return np.asarray(self._booster.predict(signals.table, raw_score=True, num_threads=1), dtype=np.float64)

    @cached_property
    def _booster(self) -> Booster:
        import lightgbm

        try:
            return lightgbm.Booster(model_str=self.text)
        except lightgbm.basic.LightGBMError as error:
            raise ValueError(f"damaged ranker: {error}") from error


def load_ranker(path: Path) -> Ranker:
    """Raises OSError, and ValueError when the file isn't a ranker."""
    return Ranker(path.read_text(encoding="ascii"))


def teach(lessons: Sequence[Lesson], trees: int, leaves: int) -> Ranker:
    """A ranker of what these lessons teach. The same lessons make the same ranker, to the last byte. Raises
    ValueError when there are none."""
    if not lessons:
        raise ValueError("nothing to learn from")
    import lightgbm

    data = lightgbm.Dataset(
        np.concatenate([lesson.table for lesson in lessons]),
        np.concatenate([lesson.called for lesson in lessons]).astype(np.int32),
        group=[len(lesson.called) for lesson in lessons],
        feature_name=list(lessons[0].names),
    )
    booster = lightgbm.train({**_SETTINGS, "num_leaves": leaves}, data, trees)
    text: str = booster.model_to_string()
    # What follows the trees are settings, the machine's own among them.
    return Ranker(text[: text.index(_END)] + _END)
