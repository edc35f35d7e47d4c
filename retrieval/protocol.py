"""The seam of retrieval: whatever finds symbols for a target."""

from __future__ import annotations

from typing import Protocol

from index.hiding.view import HiddenView
from index.values import Target
from retrieval.values import Hit


class Retriever(Protocol):
    """`name` is the arm's name in configurations and reports."""

    @property
    def name(self) -> str: ...

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """At most `limit` hits, best first; equal calls give equal answers, ties included. Only what `view` shows
        may count, statistics included. Raises StaleIndexError when the sources changed under the index."""
        ...
