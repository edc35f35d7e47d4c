"""What text search adds to `hybrid`: BM25F, the static encoder's cosine, and both, by weight.

    python -m benchmarks.retrieval.text_in_hybrid freetype=DIR redis [--targets 120] [--json FILE]

On the development split, strict hiding; the encoder is fitted without the calls of these functions. Recall is micro
over callees by the call graph, pooled over the trees. The other weights stay as they ship.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.retrieval.ablations import RankingCase, Repo, callee_places, figures, fused
from benchmarks.retrieval.common import DevelopmentTree, ResultTable, development_trees, parser_of, publish
from experiments.consoles import log_to_stderr
from index.hiding.view import HiddenView
from index.values import Target
from retrieval.structure.fusion import HYBRID, TEXT, Weight
from retrieval.structure.signaller import Signaller, Signals
from retrieval.structure.structural import with_text
from retrieval.text.lexical import LexicalRetriever
from retrieval.vectors.static_dense import StaticDenseRetriever

DENSE = "dense"
WEIGHTS = (0.5, 1.0, 2.0, 3.0)
MOST_HITS = 5000


def cases_of(tree: DevelopmentTree) -> Repo:
    """The functions that are asked about, with BM25F's score and the cosine as their last two signals."""
    index, signaller = tree.index, Signaller(tree.index)
    lexical, dense = LexicalRetriever(index), StaticDenseRetriever(index, tree.held_out)
    names = tuple(weight.signal for weight in HYBRID if weight.signal != TEXT)
    cases = []
    for asked in tree.targets:
        view = index.hide(asked.target, "strict")
        signals = with_text(signaller.of(view, asked.target, names=names), signaller, lexical, view, asked.target)
        signals = with_cosine(tree, signals, signaller, dense, view, asked.target)
        cases.append(RankingCase(signals, callee_places(index, signaller, signals, asked.truth.callees)))
    return Repo(tree.name, cases, [])


def with_cosine(
    tree: DevelopmentTree,
    signals: Signals,
    signaller: Signaller,
    dense: StaticDenseRetriever,
    view: HiddenView,
    target: Target,
) -> Signals:
    """The signals, and each candidate's cosine; 0 for what isn't among the first hits."""
    scores = {(hit.symbol.path, hit.symbol.start_byte): hit.score for hit in dense.retrieve(view, target, MOST_HITS)}
    ids = signaller.tables.ids[signals.rows].tolist()
    symbols = {entry.id: entry.symbol for entry in tree.index.entries_by_id(ids)}
    places = ((symbols[i].path, symbols[i].start_byte) for i in ids)
    column = np.array([scores.get(place, 0.0) for place in places], dtype=np.float32)
    return Signals(signals.rows, np.column_stack([signals.table, column]), (*signals.names, DENSE))


def table(repos: list[Repo]) -> ResultTable:
    """What is printed."""
    without = tuple(weight for weight in HYBRID if weight.signal != TEXT)
    fusions = [("hybrid without text search", without), ("hybrid: BM25F", HYBRID)]
    for weight in WEIGHTS:
        cosine = Weight(DENSE, weight, "its meaning is like the target's")
        fusions.append((f"{weight} cosine in place of BM25F", (*without, cosine)))
        fusions.append((f"BM25F and {weight} cosine", (*HYBRID, cosine)))
    rows = [(label, *figures(repos, [fused(weights)] * len(repos))) for label, weights in fusions]
    cases = sum(len(repo.cases) for repo in repos)
    title = f"{cases} functions of {', '.join(repo.name for repo in repos)}"
    return ResultTable(title, ("ranker", "@10", "@50", "MRR"), tuple(rows))


def main() -> int:
    """See the module's text."""
    given = parser_of(__doc__, targets=120).parse_args()
    publish([table([cases_of(tree) for tree in development_trees(given.trees, given.targets)])], given.json)
    return 0


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
