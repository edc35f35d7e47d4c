"""Why a ranker misses callees, by rule, and what perfect orders of what can be seen would find.

    python -m benchmarks.retrieval.misses --repos redis,bullet3,openssl --split dev --limit 100 [--json FILE]
    python -m benchmarks.retrieval.misses --repos redis,bullet3,openssl                  # the benchmark's targets
    python -m benchmarks.retrieval.misses --repos llvm-prebuilt --source llvm-prebuilt=DIR --truth graph

Prints, pooled: the reason of every callee that isn't among the first 10 and 50 (the rules are in
`benchmarks/retrieval/miss_rules.py`), recall by what can be seen of a callee, ceilings, and what the wrong hits
among the first ten have for them. The gold is used to score alone.

With --taught N the local ranker of `learned` is queried about N of the functions that it was trained on in each
repository, hidden as they were then: what it can't order even there, its signals don't separate.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.retrieval.common import ResultTable, publish
from benchmarks.retrieval.miss_rules import RULES, Facts, Wrong, ceilings, facts_of, parts, reason
from experiments.arms.retrievers import make_retriever
from experiments.consoles import log_to_stderr, say
from experiments.retrieval_eval.callees import entry_of
from experiments.retrieval_eval.evaluate import RepoTargets
from experiments.retrieval_eval.run import Request, prepared
from index.values import Entry, Target
from retrieval.protocol import RetrieverSettings
from retrieval.ranker.learned import LearnedRetriever
from retrieval.ranker.ranker import Ranker
from retrieval.ranker.training import TRAINING_FUNCTIONS, held_out_rows, sure_callees, target_of, training_functions
from retrieval.structure.signaller import Signaller

CUTS = (10, 50)


def main() -> None:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repos", default="")
    parser.add_argument("--tree", type=Path, action="append", default=[])
    parser.add_argument("--source", action="append", default=[], metavar="NAME=DIR", help="a repository's sources")
    parser.add_argument("--truth", choices=("benchmark", "graph"), default="benchmark")
    parser.add_argument("--split", choices=("benchmark", "dev"), default="benchmark")
    parser.add_argument("--masking", choices=("strict", "realistic"), default="strict")
    parser.add_argument("--retriever", default="learned")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--taught", type=int, default=0)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables there too")
    parser.add_argument("--list", action="store_true", help="every miss, one line each")
    given = parser.parse_args()
    request = Request(
        dataset="yabloco",
        repos=tuple(word for word in given.repos.split(",") if word),
        trees=tuple(given.tree),
        sources=tuple((name, Path(folder)) for name, _, folder in (text.partition("=") for text in given.source)),
        names=(given.retriever,),
        masking=given.masking,
        split="dev" if given.tree else given.split,
        definition=given.truth,
        mirror=None,
        encoder=None,
        limit=given.limit,
        contexts=False,
    )
    facts: list[Facts] = []
    wrong: list[Wrong] = []
    again: list[Locals] = []
    for repo, barred in prepared(request):
        retriever = make_retriever(given.retriever, repo.index, RetrieverSettings(barred))
        signaller = Signaller(repo.index)
        for misses in facts_of(repo, retriever, signaller, given.masking):
            facts += misses.facts
            wrong += misses.wrong
        if given.taught and isinstance(retriever, LearnedRetriever) and retriever.local is not None:
            again.append(_locals(repo, signaller, barred, retriever.local, given.taught))
    title = f"{len(facts)} callees of {len({(f.repo, f.target) for f in facts})} targets, `{given.retriever}`"
    tables = [_reasons(title, facts), _parts(facts), _ceilings(facts), _wrong(wrong)]
    publish([*tables, _local_alone(again)] if again else tables, given.json)
    if given.list:
        for f in facts:
            if why := reason(f, CUTS[0]):
                say(f"{f.repo}; {f.target}; {f.callee}; rank {f.rank}; {f.called} callers; {why}")


class Locals(NamedTuple):
    """The local ranker's ranks, from 0, of the callees of each function that taught it, and of each target."""

    taught: list[tuple[int, ...]]
    asked: list[tuple[int, ...]]


def _locals(repo: RepoTargets, signaller: Signaller, held_out: Sequence[Target], ranker: Ranker, count: int) -> Locals:
    """Of some `count` functions that it was trained on; each callee by the call graph."""
    barred = held_out_rows(repo.index, signaller, held_out)
    functions = training_functions(repo.index, signaller, barred, TRAINING_FUNCTIONS)
    asked = [entry_of(evaluated.target, repo.index) for evaluated in repo.targets]

    def ranks(entries: Sequence[Entry]) -> Iterator[tuple[int, ...]]:
        for entry in entries:
            target = target_of(entry.symbol)
            signals = signaller.of(repo.index.hide(target, "strict"), target, barred)
            order = np.argsort(-ranker.scores(signals), kind="stable")
            rank = {int(row): at for at, row in enumerate(signals.rows[order])}
            callees = sure_callees(signaller, int(signaller.tables.row_of[entry.id]))
            if len(callees):
                yield tuple(rank.get(int(row), sys.maxsize) for row in callees)

    return Locals(list(ranks(functions[:count])), list(ranks([e for e in asked if e is not None])))


def _local_alone(found: Sequence[Locals]) -> ResultTable:
    rows: list[tuple[str | float, ...]] = []
    for label, ranks in (
        ("functions that it was trained on", [ranks for local in found for ranks in local.taught]),
        ("functions held out", [ranks for local in found for ranks in local.asked]),
    ):
        flat = np.array([rank for of_function in ranks for rank in of_function])
        mrr = float(np.mean([1 / (1 + min(of_function)) for of_function in ranks]))
        recall = (float((flat < cut).mean()) for cut in CUTS)
        rows.append((f"{len(ranks)} {label}", len(flat), *recall, mrr))
    columns = ("queried about", "callees", *(f"recall@{cut}" for cut in CUTS), "MRR")
    return ResultTable("The local ranker alone", columns, tuple(rows))


def _reasons(title: str, facts: Sequence[Facts]) -> ResultTable:
    counts = {cut: Counter(reason(f, cut) for f in facts) for cut in CUTS}
    rows: list[tuple[str | float, ...]] = []
    for why in RULES:
        if any(counts[cut][why] for cut in CUTS):
            rows.append((why, *(cell for cut in CUTS for cell in (counts[cut][why], counts[cut][why] / len(facts)))))
    missed = {cut: len(facts) - counts[cut][""] for cut in CUTS}
    rows.append(("all misses", *(cell for cut in CUTS for cell in (missed[cut], missed[cut] / len(facts)))))
    columns = ("why it isn't among the first k", *(f"{what}, k = {k}" for k in CUTS for what in ("callees", "share")))
    return ResultTable(title, columns, tuple(rows))


def _parts(facts: Sequence[Facts]) -> ResultTable:
    rows = [(part.label, part.callees, part.callees / len(facts), part.at_10, part.at_50) for part in parts(facts)]
    columns = ("callees by what can be seen of them", "callees", "share", "@10", "@50")
    return ResultTable("What can be seen", columns, tuple(rows))


def _ceilings(facts: Sequence[Facts]) -> ResultTable:
    by_cut = [ceilings(facts, cut) for cut in CUTS]
    rows = [(row[0].holds, *(ceiling.share for ceiling in row)) for row in zip(*by_cut, strict=True)]
    return ResultTable("Ceilings", ("a perfect order of", *(f"recall@{cut}" for cut in CUTS)), tuple(rows))


def _wrong(wrong: Sequence[Wrong]) -> ResultTable:
    labels = {
        "by_siblings": "functions similar to the target call it",
        "by_words": "a word of the target points to it",
        "by_types": "a type of the target points to it",
        "everybodys": "more than 20 functions call it",
    }
    rows = [(text, sum(getattr(w, name) for w in wrong) / max(len(wrong), 1)) for name, text in labels.items()]
    return ResultTable("Wrong hits among the first ten", ("what they have for them", "share"), tuple(rows))


if __name__ == "__main__":
    log_to_stderr()
    main()
