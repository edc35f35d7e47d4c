"""The embedded encoder: recall by its dimensions, and functions encoded per second.

    python -m benchmarks.retrieval.dense redis bullet3 openssl=DIR [--targets 100] [--json FILE]

Recall is micro over the true callees (by the call graph) of drawn functions, each hidden strictly and held out of
the fit, as are the benchmark's targets. Times are CPU time.
"""

from __future__ import annotations

import sys
import time

from benchmarks.retrieval.common import DevelopmentTree, ResultTable, development_trees, parser_of, publish
from experiments.consoles import log_to_stderr
from experiments.retrieval_eval.evaluate import ranks
from retrieval.vectors.dense import DenseRetriever
from retrieval.vectors.static_dense import excluded_functions, fitted_model
from retrieval.vectors.static_encoder import StaticEncoder

CUTS = (5, 10, 50)
DIMENSIONS = (64, 128, 256, 512)


def main() -> int:
    given = parser_of(__doc__, targets=100).parse_args()
    columns = ("repository", "functions", "dimensions", "fit CPU-s", "functions/s", *(f"@{cut}" for cut in CUTS))
    rows = [
        _measured(tree, dimensions)
        for tree in development_trees(given.trees, given.targets)
        for dimensions in DIMENSIONS
    ]
    publish([ResultTable("The embedded encoder", columns, tuple(rows))], given.json)
    return 0


def _measured(tree: DevelopmentTree, dimensions: int) -> tuple[str | float, ...]:
    index = tree.index
    excluded = excluded_functions(index, tree.held_out)
    began = time.process_time()
    encoder = StaticEncoder(fitted_model(index, excluded, dimensions))
    fitting = time.process_time() - began
    symbols = [entry.symbol for entry in index.functions]
    texts = [f"{s.path} {s.qualified_name} {s.signature} {s.docstring}" for s in symbols]
    began = time.process_time()
    encoder.encode(texts)
    rate = len(texts) / (time.process_time() - began)
    dense = DenseRetriever(index, encoder, f"benchmark-{dimensions}", reads="heads")
    found = dict.fromkeys(CUTS, 0)
    for asked in tree.targets:
        hits = dense.retrieve(index.hide(asked.target, "strict"), asked.target, max(CUTS))
        for rank in ranks(hits, asked.truth.callees):
            for cut in CUTS:
                found[cut] += 0 < rank <= cut
    total = sum(len(asked.truth.callees) for asked in tree.targets)
    recall = (count / total for count in found.values())
    return (tree.name, len(texts), dimensions, round(fitting, 1), round(rate), *recall)


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
