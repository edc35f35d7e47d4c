"""What the true body calls: the oracle's texts and the level, from the call graph."""

from __future__ import annotations

import posixpath
from collections.abc import Collection

from executor.tasks.task_row import choose_level_of_farthest_callee
from executor.values import Level, OracleItem
from index.callgraph.graph import EdgeKind
from index.repo_index import RepoIndex
from index.source_text import decode_source
from index.values import Entry, SymbolKind

# Below, the name fits other functions at least as well.
_LEAST_CONFIDENCE = 0.5


def list_callees_named_in_calls(number: int, index: RepoIndex) -> list[int]:
    """The numbers of the other functions that its text names in calls; macros and calls through pointers aren't."""
    edges = index.graph.edges_from(number)
    return [
        int(other)
        for other, confidence, kind in zip(edges.ids, edges.confidence, edges.kind, strict=True)
        if other != number
        and confidence >= _LEAST_CONFIDENCE
        and not kind & (EdgeKind.THROUGH_MACRO | EdgeKind.POINTER)
    ]


def find_called_functions_and_level(
    entry: Entry, index: RepoIndex, excluded_numbers: Collection[int] = ()
) -> tuple[tuple[OracleItem, ...], Level]:
    """The functions of the repository that a body calls, and how far it reaches for them; without the functions
    `excluded_numbers`, which are to be written too."""
    wanted = dict.fromkeys(list_callees_named_in_calls(entry.id, index))
    found = {e.id: e for e in index.read_entries_sorted_by_place(list(wanted)) if e.symbol.kind is SymbolKind.FUNCTION}
    own = {found[number].symbol.name for number in excluded_numbers if number in found}
    callees = [found[number] for number in wanted if number in found and number not in excluded_numbers]
    here, paths = entry.symbol.path, [callee.symbol.path for callee in callees]
    file = paths.count(here)
    package = sum(posixpath.dirname(path) == posixpath.dirname(here) for path in paths) - file
    project = len(callees) - file - package
    known = {callee.symbol.name for callee in callees}
    outside = {site.name for site in index.call_sites(entry.symbol)} - known - own - {entry.symbol.name}
    outside = {name for name in outside if not index.entries_named(name)}
    level = choose_level_of_farthest_callee(project=project, package=package, file=file, stdlib=len(outside))
    return tuple(_make_oracle_item_with_definition(callee, index) for callee in callees), level


def _make_oracle_item_with_definition(entry: Entry, index: RepoIndex) -> OracleItem:
    symbol = entry.symbol
    first = entry.doc if symbol.docstring else symbol.start_byte
    text = decode_source(index.read_file(symbol.path)[first : symbol.end_byte])
    return OracleItem(text, symbol.path, symbol.qualified_name)
