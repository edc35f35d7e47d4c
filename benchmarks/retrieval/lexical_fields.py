"""Text search's field weights on the development split: what each field adds.

    .venv/bin/python benchmarks/retrieval/lexical_fields.py redis bullet3 openssl=DIR [--targets 200]

Names of repositories of the data set, with their sources from GRAFT_MIRROR, or NAME=DIR. Recall is micro over the
true callees by the call graph, the target hidden strictly; the benchmark's targets and their clones are never among
those asked. The row `lexical` is what `retrieval.text.lexical` uses.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from executor.tasks.load import bind, load_rows
from experiments.consoles import log_to_stderr, say
from experiments.retrieval_eval.callees import Truth
from experiments.retrieval_eval.evaluate import ranks
from experiments.retrieval_eval.run import indexed, root_of
from experiments.retrieval_eval.targets import drawn
from index.hiding.view import HiddenView
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.text.bm25 import Weights
from retrieval.text.lexical import BM25, BM25F, FIELDS, WEIGHTS, LexicalRetriever, Scheme

CUTS = (10, 50)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("repos", nargs="+")
    parser.add_argument("--targets", type=int, default=200)
    args = parser.parse_args()
    rows = load_rows("yabloco")
    asked = []
    for word in args.repos:
        name, _, folder = word.partition("=")
        root = Path(folder) if folder else root_of(name, None)
        index = indexed(root)
        benchmark = [bind(row, root).target for row in rows if row.repository == name]
        for one in drawn(index, name, args.targets, benchmark):
            asked.append((index, index.hide(one.target, "strict"), one.target, one.truth))
    say(f"{len(asked)} targets, {sum(len(truth.callees) for *_, truth in asked)} callees\n")
    say("| scheme | " + " | ".join(f"@{cut}" for cut in CUTS) + " |\n| --- |" + " --- |" * len(CUTS))
    for title, scheme in _schemes():
        _row(title, scheme, asked)
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
    return BM25F._replace(weights=Weights(tuple(fields), WEIGHTS.b, WEIGHTS.k1, WEIGHTS.common))


def _row(title: str, scheme: Scheme, asked: Sequence[tuple[RepoIndex, HiddenView, Target, Truth]]) -> None:
    made: dict[int, LexicalRetriever] = {}
    found = [0] * len(CUTS)
    for index, view, target, truth in asked:
        lexical = made.setdefault(id(index), LexicalRetriever(index, scheme))
        places = ranks(lexical.retrieve(view, target, max(CUTS)), truth.callees)
        for number, cut in enumerate(CUTS):
            found[number] += sum(0 < place <= cut for place in places)
    total = sum(len(truth.callees) for *_, truth in asked)
    say(f"| {title} | " + " | ".join(f"{one / total:.3f}" for one in found) + " |")


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
