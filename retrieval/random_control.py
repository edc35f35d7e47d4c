"""The `random` control: functions of the repository drawn by chance, the same for a target in every run."""

from __future__ import annotations

import hashlib
import random

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

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """See `Retriever`."""
        seed = f"{SEED}\n{target.repo}\n{target.path}\n{target.name}\n{target.span.first}"
        draw = random.Random(hashlib.sha256(seed.encode()).digest())
        functions = self._index.functions
        wanted = min(max(limit, 0) + len(view.ids_overlapping_holes), len(functions))
        drawn: dict[int, None] = {}
        # Drawn singly, so that the number of hidden functions changes how far the draw goes but never its order.
        while len(drawn) < wanted:
            drawn.setdefault(draw.randrange(len(functions)))
        seen = [view.visible_symbol(functions[row]) for row in drawn]
        symbols = [symbol for symbol in seen if symbol is not None][: max(limit, 0)]
        return [Hit(symbol, 1.0 / (1 + place), "drawn by chance") for place, symbol in enumerate(symbols)]


def make_random(index: RepoIndex, settings: RetrieverSettings) -> RandomRetriever:
    return RandomRetriever(index)
