"""An opened index: its stored symbols and sites, its call graph and token runs, and the hiding of a target."""

from __future__ import annotations

from pathlib import Path

from index.callgraph.graph import CallGraph
from index.callgraph.tree_resolution import open_or_make_call_graph
from index.hiding.hidden_view import HiddenView
from index.hiding.target_hiding import hide_target
from index.store.reader import IndexReader
from index.values import Masking, Target


class RepoIndex(IndexReader):
    """The index of one commit. Safe to share between threads."""

    @property
    def graph(self) -> CallGraph:
        """Who calls whom, resolved by name over the whole tree."""
        return open_or_make_call_graph(self)

    def hide(self, target: Target, masking: Masking) -> HiddenView:
        """The index without the target's body, and in "strict" masking without its twins' bodies.

        Raises TaskError when the target's file isn't indexed or its span lies outside the file.
        """
        return hide_target(self, target, masking)


def open_index(folder: Path, root: Path) -> RepoIndex:
    """The index in `folder` of the tree `root`, which must stand as it was indexed.

    Raises StaleIndexError when it is missing, damaged or of another format (the message says to rebuild it); so does
    every later use that meets a damaged page or a source file that has changed since.
    """
    return RepoIndex(folder, root)
