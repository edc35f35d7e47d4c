"""How well the types, macros and variables that a body names are ranked, and the weights that rank them.

    python -m benchmarks.retrieval.named_symbols redis openssl tmux=DIR [--targets 300] [--retriever hybrid] [--fit]

Per tree, on functions drawn by the benchmark's rules that are none of its targets, hidden strictly: of what the bodies
name, the share that is among the candidates, among the first 10, 30 and 100 of `retrieval.context.related_symbols`,
and in contexts of 1,000 to 8,000 tokens. With `--fit` the weights of all trees together are printed, and beside each
tree's figures stand those by weights that were fitted on the other trees alone.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.retrieval.development_trees import (
    DevelopmentTree,
    ResultTable,
    make_parser,
    open_development_trees,
    publish_tables,
)
from experiments.arms.retrievers import make_retriever
from experiments.consoles import log_to_stderr, print_line
from index.values import Symbol
from lab.retrieval_eval.figures import CONTEXT_BUDGETS
from lab.retrieval_eval.things_used import UsedThing, count_shown_things, list_things_used
from retrieval.context.assembly import Packing, make_retrieved_context
from retrieval.context.related_candidates import gather_candidates
from retrieval.context.related_symbols import (
    ODDS_BIAS,
    ODDS_WEIGHTS,
    WEIGHT_COLUMN_OF_KIND,
    Kind,
    compute_features,
    find_related_symbols,
)
from retrieval.protocol import RetrieverSettings

CUTS = (10, 30, 100)
RIDGE = 1.0
"""Pulls weights of rare evidence to zero."""
Array = npt.NDArray[np.float64]
Fitted = Mapping[Kind, Array]


class Named(NamedTuple):
    """A target: its candidates by kind, features, which of the needed things each is (-1: none), how many things of
    each kind the body names."""

    kinds: list[Kind]
    features: Array
    things: list[int]
    needed: list[str]
    shown: Mapping[tuple[str, int], tuple[int, int]]


def collect_names(tree: DevelopmentTree, retriever_name: str) -> list[Named]:
    retriever = make_retriever(retriever_name, tree.index, RetrieverSettings(tuple(tree.held_out)))
    out = []
    for asked in tree.targets:
        view = tree.index.hide(asked.target, "strict")
        hits = retriever.retrieve(view, asked.target, 50)
        things = list_things_used(asked.gold, asked.target, asked.truth, tree.index)
        found = gather_candidates(view, asked.target, hits)
        beside = find_related_symbols(view, asked.target, hits)
        shown: dict[tuple[str, int], tuple[int, int]] = {}
        for budget in CONTEXT_BUDGETS:
            context = make_retrieved_context(view, asked.target, hits, Packing(budget), "x", lambda *_, b=beside: b)
            shown |= {(c.used, budget): (c.found, c.total) for c in count_shown_things(context, things)}
        rows = np.array([compute_features(candidate) for candidate in found]).reshape(len(found), len(ODDS_WEIGHTS))
        which = [_find_needed_thing(candidate.symbol, things) for candidate in found]
        kinds = [WEIGHT_COLUMN_OF_KIND[candidate.symbol.kind] for candidate in found]
        out.append(Named(kinds, rows, which, [thing.used for thing in things], shown))
    return out


def _find_needed_thing(symbol: Symbol, things: Sequence[UsedThing]) -> int:
    return next((n for n, thing in enumerate(things) if symbol in thing.symbols), -1)


def fit_weights(named: Sequence[Named]) -> Fitted:
    """Bias and weights of each kind."""
    out: dict[Kind, Array] = {}
    for kind in dict.fromkeys(WEIGHT_COLUMN_OF_KIND.values()):
        chosen = [np.array([k == kind for k in target.kinds], dtype=bool) for target in named]
        rows = np.concatenate([target.features[mask] for target, mask in zip(named, chosen, strict=True)])
        label = np.concatenate([np.array(t.things)[mask] >= 0 for t, mask in zip(named, chosen, strict=True)])
        out[kind] = fit_logistic_regression(rows, label.astype(np.float64))
    return out


def fit_logistic_regression(rows: Array, label: Array) -> Array:
    """Ridge logistic regression by Newton's method; the bias isn't pulled."""
    table = np.column_stack([np.ones(len(rows)), rows])
    ridge = np.diag([0.0, *[RIDGE] * rows.shape[1]]) + 1e-9 * np.eye(rows.shape[1] + 1)
    weights = np.zeros(table.shape[1])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-(table @ weights)))
        slope = table.T @ (label - chance) - ridge @ weights
        curve = (table * (chance * (1 - chance))[:, None]).T @ table + ridge
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def read_present_weights() -> Fitted:
    """The weights as they stand in `retrieval.context.related_symbols`."""
    return {
        kind: np.array([getattr(w, kind) for w in (ODDS_BIAS, *ODDS_WEIGHTS)])
        for kind in set(WEIGHT_COLUMN_OF_KIND.values())
    }


def compute_recall(named: Sequence[Named], weights: Fitted) -> dict[tuple[str, str], float]:
    """(kind, "pool" or a cut) -> share of what the bodies name among the candidates, or among the first ones."""
    found: dict[tuple[str, str], int] = {}
    total: dict[str, int] = {}
    for target in named:
        for used in target.needed:
            total[used] = total.get(used, 0) + 1
        table = np.column_stack([np.ones(len(target.kinds)), target.features])
        score = np.array([row @ weights[kind] for row, kind in zip(table, target.kinds, strict=True)])
        order = np.argsort(-score, kind="stable")
        for label, first in (("pool", len(order)), *((str(cut), cut) for cut in CUTS)):
            for thing in {target.things[n] for n in order[:first]} - {-1}:
                key = target.needed[thing], label
                found[key] = found.get(key, 0) + 1
    return {key: count / total[key[0]] for key, count in found.items()}


def build_rows(name: str, named: Sequence[Named], label: str, weights: Fitted) -> list[tuple[str | float, ...]]:
    shares = compute_recall(named, weights)
    out: list[tuple[str | float, ...]] = []
    for kind in ("callees", *dict.fromkeys(WEIGHT_COLUMN_OF_KIND.values())):
        total = sum(used == kind for target in named for used in target.needed)
        # Functions are no candidates here: a retriever ranks them.
        cuts: list[str | float] = [shares.get((kind, cut), 0.0) for cut in ("pool", *map(str, CUTS))]
        if kind == "callees":
            cuts = ["-"] * len(cuts)
        packed = [
            sum(t.shown.get((kind, budget), (0, 0))[0] for t in named) / max(total, 1) for budget in CONTEXT_BUDGETS
        ]
        out.append((name, label, kind, total, *cuts, *packed))
    return out


def main() -> int:
    parser = make_parser(__doc__, targets=300)
    parser.add_argument("--retriever", default="hybrid")
    parser.add_argument("--fit", action="store_true", help="fit the weights and print them")
    given = parser.parse_args()
    trees = {
        tree.name: collect_names(tree, given.retriever) for tree in open_development_trees(given.trees, given.targets)
    }
    rows = []
    for name, named in trees.items():
        rows += build_rows(name, named, "as they are", read_present_weights())
        others = [target for other, found in trees.items() if other != name for target in found]
        if given.fit and others:
            rows += build_rows(name, named, "of other trees", fit_weights(others))
    if given.fit:
        found = fit_weights([target for named in trees.values() for target in named])
        for number, weight in enumerate((ODDS_BIAS, *ODDS_WEIGHTS)):
            values = ", ".join(f"{found[kind][number]:.2f}" for kind in ("types", "macros", "globals"))
            print_line(f'    EvidenceWeight("{weight.evidence}", {values}, "{weight.reason}"),')
    packed = [f"in {budget} tokens" for budget in CONTEXT_BUDGETS]
    columns = ("tree", "weights", "kind", "named", "pool", *(f"@{cut}" for cut in CUTS), *packed)
    publish_tables([ResultTable("What the bodies name", columns, tuple(rows))], given.json)
    return 0


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
