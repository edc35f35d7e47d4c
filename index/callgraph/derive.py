"""The call graph of an index: made at its first use for each state of the index, then read from its arrays."""

from __future__ import annotations

from pathlib import Path

from index.callgraph.file_resolution import build_whole_graph
from index.callgraph.graph import CallGraph, load_graph, save_graph
from index.callgraph.tree_resolution import resolve_whole_tree
from index.store.reader import IndexReader
from index.worker_processes import pause_garbage_collection


def open_call_graph(reader: IndexReader) -> CallGraph:
    """Who calls whom, resolved by name over the whole tree."""

    def make(folder: Path) -> None:
        with pause_garbage_collection():
            part = resolve_whole_tree(reader)
        save_graph(build_whole_graph(part, reader.next_symbol_id()), folder)

    return reader.load_derived_once("graph", make, load_graph)
