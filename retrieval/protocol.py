"""The seam of retrieval: anything that finds symbols for a target, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from index.progress import SILENT, Progress
from index.values import Target
from retrieval.values import Hit, NameChance

# The list of retrievers is read at every start of `graft`, an index only when there is work.
if TYPE_CHECKING:
    from index.hiding.hidden_view import HiddenView
    from index.repo_index import RepoIndex


class Retriever(Protocol):
    """`name` is the arm's name in configurations and reports."""

    @property
    def name(self) -> str: ...

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """At most `limit` hits, best first. Equal calls give equal answers, ties included. Only what `view` shows
        may count, in statistics too. Raises StaleIndexError when the sources changed under the index."""
        ...


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    """What a retriever may need beside the index.

    held_out  targets whose bodies, edges and clones no trained ranker may learn from: all that this run or
              evaluation asks about, the benchmark's and the development split's alike. A model that is kept on disk
              is kept under a name that depends on them.
    encoder   a sentence-transformers model by name or path; None: the embedded encoder
    progress  shows how far long work is
    """

    held_out: tuple[Target, ...] = ()
    encoder: str | None = None
    progress: Progress = SILENT


MakeRetriever = Callable[["RepoIndex", RetrieverSettings], Retriever]
"""Makes a retriever of a whole repository, nothing hidden. What it learns or counts from the index must be taken
back at query time (`view.touched`, `view.seen`), or never be learnt."""

FindNames = Callable[["HiddenView", Target, Sequence[Hit]], Sequence[NameChance]]
"""Finds the names that a body may need, given the functions that it likely calls, best first."""
