"""An arm's source and a task -> the context, packed into the budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from executor.values import Task
from experiments.arms import RETRIEVED, Source
from index.values import Masking
from retrieval.pack import pack
from retrieval.protocol import Retriever
from retrieval.snippets import from_hits, from_oracle
from retrieval.values import Context

if TYPE_CHECKING:
    from index.repo_index import RepoIndex


def context_for(
    source: Source,
    task: Task,
    index: RepoIndex | None,
    retrievers: Mapping[Source, Retriever],
    masking: Masking,
    budget: int,
    hits: int,
) -> tuple[Context, tuple[str, ...]]:
    """The context, and the target's clones elsewhere in the tree, each as `qualified name (path)`."""
    if source == "oracle":
        items = [(item.text, item.path, item.name) for item in task.oracle]
        return pack(from_oracle(items), budget), ()
    if source in RETRIEVED:
        if index is None:
            raise ValueError("an arm that retrieves needs the repository's index")
        view = index.hide(task.target, masking)
        found = retrievers[source].retrieve(view, task.target, hits)
        clones = tuple(f"{clone.qualified_name} ({clone.path})" for clone in view.clones)
        return pack(from_hits(view, found, source), budget), clones
    return pack((), budget), ()
