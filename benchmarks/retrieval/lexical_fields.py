"""Text search's field weights on the development split: what each field adds.

    python -m benchmarks.retrieval.lexical_fields redis bullet3 openssl=DIR [--targets 200] [--json FILE]

Recall is micro over the true callees by the call graph, the target hidden strictly. The row `lexical` is what
`retrieval.text.lexical` uses.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.retrieval.common import DevelopmentTree, ResultTable, development_trees, parser_of, publish
from experiments.consoles import log_to_stderr
from experiments.retrieval_eval.evaluate import ranks
from retrieval.text.lexical import BM25, BM25F, FIELDS, WEIGHTS, LexicalRetriever, Scheme

CUTS = (10, 50)


def main() -> int:
    given = parser_of(__doc__, targets=200).parse_args()
    trees = list(development_trees(given.trees, given.targets))
    rows: list[tuple[str | float, ...]] = [(title, *_recall(scheme, trees)) for title, scheme in _schemes()]
    asked = [asked for tree in trees for asked in tree.targets]
    title = f"{len(asked)} targets, {sum(len(a.truth.callees) for a in asked)} callees"
    publish([ResultTable(title, ("scheme", *(f"@{cut}" for cut in CUTS)), tuple(rows))], given.json)
    return 0


def _schemes() -> list[tuple[str, Scheme]]:
    out = [("bm25 (one text)", BM25), ("lexical", BM25F)]
    for place, field in enumerate(FIELDS):
        without = [0.0 if at == place else weight for at, weight in enumerate(WEIGHTS.fields)]
        out.append((f"without {field}", _weighted(without)))
    for place, field in enumerate(FIELDS):
        out.append((f"{field} alone", _weighted([float(at == place) for at in range(len(FIELDS))])))
    out.append(("all fields weigh 1", _weighted([1.0] * len(FIELDS))))
    return out


def _weighted(fields: Sequence[float]) -> Scheme:
    return BM25F._replace(weights=WEIGHTS._replace(fields=tuple(fields)))


def _recall(scheme: Scheme, trees: Sequence[DevelopmentTree]) -> list[float]:
    found: list[int] = []
    for tree in trees:
        lexical = LexicalRetriever(tree.index, scheme)
        for asked in tree.targets:
            hits = lexical.retrieve(tree.index.hide(asked.target, "strict"), asked.target, max(CUTS))
            found += ranks(hits, asked.truth.callees)
    return [sum(0 < rank <= cut for rank in found) / len(found) for cut in CUTS]


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
