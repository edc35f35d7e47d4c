"""What the true body calls: the oracle's texts and the level, from the call graph."""

from __future__ import annotations

import posixpath
from collections.abc import Collection
from dataclasses import dataclass

from executor.tasks.task_row import choose_level
from executor.values import Level, OracleItem
from index.callgraph.graph import EdgeKind
from index.repo_index import RepoIndex
from index.source_text import decode_source
from index.values import Entry, SymbolKind

# Below, the name fits other functions at least as well.
_LEAST_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True)
class Calls:
    """The functions of the repository that a body calls, and how far it reaches for them."""

    items: tuple[OracleItem, ...]
    level: Level


def list_named_calls(number: int, index: RepoIndex) -> list[int]:
    """The functions that the function's text names in its calls, by their numbers, itself left out. Function-like
    macros and calls through pointers aren't."""
    edges = index.graph.edges_from(number)
    return [
        int(other)
        for other, confidence, kind in zip(edges.ids, edges.confidence, edges.kind, strict=True)
        if other != number
        and confidence >= _LEAST_CONFIDENCE
        and not kind & (EdgeKind.THROUGH_MACRO | EdgeKind.POINTER)
    ]


def find_direct_calls(entry: Entry, index: RepoIndex, besides: Collection[int] = ()) -> Calls:
    """The body's direct calls, without those of the functions `besides`, which are to be written too."""
    wanted = dict.fromkeys(list_named_calls(entry.id, index))
    found = {e.id: e for e in index.read_sorted_entries(list(wanted)) if e.symbol.kind is SymbolKind.FUNCTION}
    own = {found[number].symbol.name for number in besides if number in found}
    callees = [found[number] for number in wanted if number in found and number not in besides]
    here = entry.symbol.path
    file = sum(callee.symbol.path == here for callee in callees)
    package = sum(
        _find_package_folder(c.symbol.path) == _find_package_folder(here) and c.symbol.path != here for c in callees
    )
    project = len(callees) - file - package
    known = {callee.symbol.name for callee in callees}
    outside = {site.name for site in index.call_sites(entry.symbol)} - known - own - {entry.symbol.name}
    outside = {name for name in outside if not index.entries_named(name)}
    level = choose_level(project=project, package=package, file=file, stdlib=len(outside))
    return Calls(tuple(_make_oracle_item(callee, index) for callee in callees), level)


def _find_package_folder(path: str) -> str:
    return posixpath.dirname(path)


def _make_oracle_item(entry: Entry, index: RepoIndex) -> OracleItem:
    symbol = entry.symbol
    text = decode_source(
        index.read_file(symbol.path)[entry.doc if symbol.docstring else symbol.start_byte : symbol.end_byte]
    )
    return OracleItem(text, symbol.path, symbol.qualified_name)
