"""What of the true callees a packed context shows, by budget, bodies and hits, on the development split.

    python -m benchmarks.retrieval.packing redis bullet3=DIR [--targets 120] [--retriever hybrid] [--json FILE]

`shown`: share of the callees (micro, by the call graph) that stand in the context whole or by signature; `whole`:
with their body. Strict hiding; types, macros, includes and examples are packed beside the functions as in a run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from typing import get_args

from benchmarks.retrieval.common import DevelopmentTree, ResultTable, development_trees, parser_of, publish
from experiments.arms.retrievers import make_retriever
from experiments.consoles import log_to_stderr
from retrieval.context.assemble import Packing, retrieved_context
from retrieval.protocol import Retriever, RetrieverSettings
from retrieval.values import Bodies

BUDGETS = (2000, 6000)
HITS = (30, 50, 80)


def main() -> int:
    parser = parser_of(__doc__, targets=120)
    parser.add_argument("--retriever", default="hybrid")
    given = parser.parse_args()
    rows: list[tuple[str | float, ...]] = []
    for tree in development_trees(given.trees, given.targets):
        retriever = make_retriever(given.retriever, tree.index, RetrieverSettings(tuple(tree.held_out)))
        rows += _packed(tree, retriever)
    columns = ("repository", "budget", "hits", "bodies", "shown", "whole", "tokens")
    publish([ResultTable(f"Packed contexts of `{given.retriever}`", columns, tuple(rows))], given.json)
    return 0


def _packed(tree: DevelopmentTree, retriever: Retriever) -> Iterator[tuple[str | float, ...]]:
    for budget, hits, bodies in product(BUDGETS, HITS, get_args(Bodies)):
        shown, whole, tokens = _shares(tree, retriever, Packing(budget, hits, bodies))
        yield tree.name, budget, hits, bodies, shown, whole, round(tokens)


def _shares(tree: DevelopmentTree, retriever: Retriever, packing: Packing) -> tuple[float, float, float]:
    """The share of the callees that are shown, the share with their body, and the mean number of tokens."""
    callees = shown = whole = tokens = 0
    for asked in tree.targets:
        view = tree.index.hide(asked.target, "strict")
        hits = retriever.retrieve(view, asked.target, packing.hits)
        context = retrieved_context(view, asked.target, hits, packing, retriever.name)
        tokens += context.tokens
        for callee in asked.truth.callees:
            places = {(symbol.path, symbol.span) for symbol in callee.symbols}
            found = [snippet for snippet in context.snippets if (snippet.path, snippet.span) in places]
            callees += 1
            shown += bool(found)
            whole += any(not snippet.is_brief for snippet in found)
    return shown / callees, whole / callees, tokens / len(tree.targets)


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
