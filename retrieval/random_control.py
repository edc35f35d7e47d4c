"""The `random` control: functions of the repository drawn by chance, the same for a target in every run."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import numpy as np
import numpy.typing as npt

from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.protocol import RetrieverSettings
from retrieval.values import Hit

SEED = "graft random 1"


class RandomRetriever:
    """Every visible function is equally likely. Scores fall with the place in the draw."""

    name = "random"

    def __init__(self, index: RepoIndex) -> None:
        self._index = index
        self._ids = index.load_derived("function-ids", self._save_function_ids, _load_function_ids)

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """See `Retriever`."""
        seed = f"{SEED}\n{target.repo}\n{target.path}\n{target.name}\n{target.span.first}"
        draw = random.Random(hashlib.sha256(seed.encode()).digest())
        total = len(self._ids)
        wanted = min(max(limit, 0) + len(view.touched_ids), total)
        drawn: dict[int, None] = {}
        # Drawn singly, so that the number of hidden functions changes how far the draw goes but never its order.
        while len(drawn) < wanted:
            drawn.setdefault(draw.randrange(total))
        rows = list(drawn)
        by_id = {e.id: e for e in self._index.entries_by_id([int(self._ids[row]) for row in rows])}
        seen = [view.visible_symbol(by_id[int(self._ids[row])]) for row in rows]
        symbols = [symbol for symbol in seen if symbol is not None][: max(limit, 0)]
        return [Hit(symbol, 1.0 / (1 + place), "drawn by chance") for place, symbol in enumerate(symbols)]

    def _save_function_ids(self, folder: Path) -> None:
        np.save(folder / "ids.npy", np.array([entry.id for entry in self._index.functions], dtype=np.int64))


def make_random(index: RepoIndex, settings: RetrieverSettings) -> RandomRetriever:
    """The `random` retriever."""
    return RandomRetriever(index)


def _load_function_ids(folder: Path) -> npt.NDArray[np.int64]:
    ids: npt.NDArray[np.int64] = np.load(folder / "ids.npy", mmap_mode="r")
    return ids
