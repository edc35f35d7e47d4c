"""The call graph of an index: made at its first use for each state of the index, then read from its arrays."""

from __future__ import annotations

from pathlib import Path

from index.callgraph.graph import CallGraph, load, save
from index.callgraph.halves import resolve_all
from index.callgraph.tree import graph_of_whole
from index.parallel import uncollected
from index.store.reader import IndexReader


def call_graph(reader: IndexReader) -> CallGraph:
    """Who calls whom, resolved by name over the whole tree."""

    def make(folder: Path) -> None:
        with uncollected():
            part = resolve_all(reader)
        save(graph_of_whole(part, reader.end_of_ids()), folder)

    return reader.derived_once("graph", make, load)
