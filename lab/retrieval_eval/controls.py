"""Controls that keep the figures honest. They are no retrievers: one knows nothing, three read the gold.

popularity  by the number of visible callers: what is possible without reading the query
body        the true body as the query of `lexical`: the ceiling of "draft, then retrieve by similarity"
lookup      the names in the true body looked up exactly: the ceiling of "draft, then look up"
oracle      the true callees themselves; it has no contexts, since the arm of that name has
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.values import SymbolKind
from lab.retrieval_eval.targets import EvaluationTarget
from retrieval.text.draft_lookup import find_symbols_named_in_draft
from retrieval.text.lexical import LexicalRetriever
from retrieval.values import Hit

Query = Callable[[HiddenView, EvaluationTarget, int], list[Hit]]
"""Finds at most so many hits for a target in a view."""

ORACLE = "oracle"
CONTROLS = ("popularity", "body", "lookup", ORACLE)


def make_control_queries(index: RepoIndex) -> Mapping[str, Query]:
    """By name. Each makes what it needs at its first query."""

    @cache
    def map_functions_to_callers() -> dict[int, frozenset[int]]:
        return {entry.id: frozenset(map(int, index.graph.callers(entry.id))) for entry in index.functions}

    def rank_functions_by_callers(view: HiddenView, target: EvaluationTarget, limit: int) -> list[Hit]:
        hidden = view.ids_overlapping_holes
        callers = {
            number: len(found - hidden) for number, found in map_functions_to_callers().items() if number not in hidden
        }
        best = sorted(
            (entry for entry in index.functions if entry.id in callers), key=lambda entry: -callers[entry.id]
        )
        return [Hit(e.symbol, float(callers[e.id]), f"{callers[e.id]} callers") for e in best[:limit]]

    return {
        "popularity": rank_functions_by_callers,
        "body": lambda view, target, limit: LexicalRetriever(index).search(view, target.gold, limit),
        "lookup": lambda view, target, limit: find_symbols_named_in_draft(view, target.gold, target.target)[:limit],
        ORACLE: _find_true_callees,
    }


def _find_true_callees(view: HiddenView, target: EvaluationTarget, limit: int) -> list[Hit]:
    """The true callees that the view shows, by their definitions where there are any."""
    found = []
    for callee in target.truth.callees:
        seen = [s for s in callee.symbols if s in view.symbols_named(s.name)]
        seen.sort(key=lambda s: s.kind is not SymbolKind.FUNCTION)
        found += [Hit(symbol, 1.0, "the true body calls it") for symbol in seen[:1]]
    return found[:limit]
