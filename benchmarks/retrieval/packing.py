"""What of the true callees a packed context shows, by budget, bodies and hits, on the development split.

    python benchmarks/retrieval/packing.py redis=TREE bullet3=TREE [--indexes FOLDER] [--targets 120] [--retriever
    hybrid]

`shown`: share of the callees (micro, `graph` definition) that stand in the context whole or by signature; `whole`:
with their body. Strict hiding; types, macros, includes and examples are packed beside the functions as in a run.
The targets are those of `experiments.retrieval_eval.targets.drawn`, never the benchmark's. Trees are the
benchmark's commits.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, get_args

from executor.tasks.load import bind, load_rows
from experiments.arms.retrievers import make_retriever
from experiments.retrieval_eval.targets import Asked, drawn
from index.build import build_index
from index.errors import UserError
from index.repo_index import RepoIndex, open_index
from retrieval.context.assemble import Packing, retrieved_context
from retrieval.protocol import Retriever, RetrieverSettings
from retrieval.values import Bodies

BUDGETS = (2000, 6000)
HITS = (30, 50, 80)


class Score(NamedTuple):
    """Callees in all, those shown, those with their body; tokens used in all."""

    callees: int
    shown: int
    whole: int
    tokens: int


def score(index: RepoIndex, asked: Sequence[Asked], retriever: Retriever, packing: Packing) -> Score:
    callees = shown = whole = tokens = 0
    for one in asked:
        view = index.hide(one.target, "strict")
        hits = retriever.retrieve(view, one.target, packing.hits)
        context = retrieved_context(view, one.target, hits, packing, retriever.name)
        tokens += context.tokens
        for callee in one.truth.callees:
            places = {(symbol.path, symbol.span) for symbol in callee.symbols}
            found = [s for s in context.snippets if (s.path, s.span) in places]
            callees += 1
            shown += bool(found)
            whole += any(not snippet.is_brief for snippet in found)
    return Score(callees, shown, whole, tokens)


def rows(repo: str, index: RepoIndex, asked: Sequence[Asked], retriever: Retriever) -> Iterator[str]:
    bodies: tuple[Bodies, ...] = get_args(Bodies)
    for budget in BUDGETS:
        for hits in HITS:
            for form in bodies:
                got = score(index, asked, retriever, Packing(budget, hits, form))
                shown, whole = got.shown / got.callees, got.whole / got.callees
                tokens = got.tokens / len(asked)
                yield f"| {repo} | {budget} | {hits} | {form} | {shown:.2f} | {whole:.2f} | {tokens:.0f} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", metavar="REPO=TREE")
    parser.add_argument("--indexes", type=Path)
    parser.add_argument("--targets", type=int, default=120)
    parser.add_argument("--retriever", default="hybrid")
    given = parser.parse_args()
    sys.stdout.write("| repository | budget | hits | bodies | shown | whole | tokens |\n")
    sys.stdout.write("|---|---|---|---|---|---|---|\n")
    with tempfile.TemporaryDirectory() as scratch:
        for word in given.trees:
            repo, _, tree = word.partition("=")
            root, folder = Path(tree), (given.indexes or Path(scratch)) / repo
            build_index(root, folder, workers=1)
            index = open_index(folder, root)
            benchmark = [bind(row, root).target for row in load_rows("yabloco") if row.repository == repo]
            asked = drawn(index, repo, given.targets, benchmark)
            held_out = (*benchmark, *(one.target for one in asked))
            retriever = make_retriever(given.retriever, index, RetrieverSettings(held_out))
            for line in rows(repo, index, asked, retriever):
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
            index.close()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"packing: {error}")
