"""An opened index: its stored symbols and sites, its call graph and token runs, and the hiding of a target."""

from __future__ import annotations

from pathlib import Path

from index.callgraph.derive import open_call_graph
from index.callgraph.graph import CallGraph
from index.hiding.clone_tables import open_run_table, open_shape_table
from index.hiding.hidden_view import HiddenView
from index.hiding.shape_clones import ShapeTable
from index.hiding.target_hiding import hide_target
from index.hiding.text_clones import RunTable
from index.store.reader import IndexReader
from index.values import Masking, Target


class RepoIndex(IndexReader):
    """The index of one commit. Safe to share between threads."""

    @property
    def graph(self) -> CallGraph:
        """Who calls whom, resolved by name over the whole tree."""
        return open_call_graph(self)

    @property
    def run_table(self) -> RunTable:
        """The hashed token runs of all bodies, by which a target's twins are found."""
        return open_run_table(self)

    @property
    def shape_table(self) -> ShapeTable:
        """The shapes of all bodies, by which a target's renamed twins are found."""
        return open_shape_table(self)

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
