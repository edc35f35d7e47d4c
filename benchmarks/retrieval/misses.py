"""What the misses of a ranker are made of, by rule, and what perfect orders of what can be seen would find.

    python benchmarks/retrieval/misses.py --repos redis,bullet3,openssl --split dev --limit 100
    python benchmarks/retrieval/misses.py --repos redis,bullet3,openssl                  # the benchmark's targets
    python benchmarks/retrieval/misses.py --repos llvm-prebuilt --source llvm-prebuilt=DIR --truth graph

Prints, pooled and as Markdown tables: the reason of every callee that isn't among the first 10 and 50
(`experiments/retrieval_eval/misses.py` has the rules), recall by what can be seen of a callee, ceilings, and what
the wrong hits among the first ten have for them. The gold is used to score alone.

With --taught N the local ranker of `learned` is asked about N of the functions that taught it in each repository,
hidden as they were then: what it can't order even there, its signals don't tell apart. They are the first that
taught it: functions that a benchmark would ask for, as the targets are.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from experiments.arms.retrievers import make_retriever
from experiments.consoles import log_to_stderr, say
from experiments.retrieval_eval.callees import entry_of
from experiments.retrieval_eval.evaluate import RepoTargets
from experiments.retrieval_eval.misses import REASONS, Facts, Wrong, ceilings, facts_of, parts, reason
from experiments.retrieval_eval.run import Request, prepared
from index.values import Entry, Target
from retrieval.protocol import RetrieverSettings
from retrieval.ranker.learned import LearnedRetriever
from retrieval.ranker.lessons import LESSONS, called_by, chosen, held_out_rows, target_of
from retrieval.ranker.ranker import Ranker
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
    parser.add_argument("--list", action="store_true", help="every miss, one line each")
    given = parser.parse_args()
    request = Request(
        dataset="yabloco",
        repos=tuple(word for word in given.repos.split(",") if word),
        trees=tuple(given.tree),
        sources=tuple((name, Path(folder)) for name, _, folder in (one.partition("=") for one in given.source)),
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
        for one in facts_of(repo, retriever, signaller, given.masking):
            facts += one.facts
            wrong += one.wrong
        if given.taught and isinstance(retriever, LearnedRetriever) and retriever.local is not None:
            again.append(_locals(repo, signaller, barred, retriever.local, given.taught))
    say(f"{len(facts)} callees of {len({(f.repo, f.target) for f in facts})} targets, `{given.retriever}`\n")
    _reasons(facts)
    _parts(facts)
    _ceilings(facts)
    _wrong(wrong)
    if again:
        _again(again)
    if given.list:
        for f in facts:
            if why := reason(f, CUTS[0]):
                say(f"{f.repo}; {f.target}; {f.callee}; rank {f.rank}; {f.called} callers; {why}")


class Locals(NamedTuple):
    """The local ranker's ranks, from 0, of the callees of each function that taught it, and of each target."""

    taught: list[tuple[int, ...]]
    asked: list[tuple[int, ...]]


def _locals(repo: RepoTargets, signaller: Signaller, held_out: Sequence[Target], ranker: Ranker, count: int) -> Locals:
    """Of some `count` lessons; each callee by the call graph."""
    barred = held_out_rows(repo.index, signaller, held_out)
    lessons = chosen(repo.index, signaller, barred, LESSONS)
    asked = [entry_of(one.target, repo.index) for one in repo.asked]

    def ranks(entries: Sequence[Entry]) -> Iterator[tuple[int, ...]]:
        for entry in entries:
            target = target_of(entry.symbol)
            signals = signaller.of(repo.index.hide(target, "strict"), target, barred)
            order = np.argsort(-ranker.scores(signals), kind="stable")
            rank = {int(row): at for at, row in enumerate(signals.rows[order])}
            callees = called_by(signaller, int(signaller.tables.row_of[entry.id]))
            if len(callees):
                yield tuple(rank.get(int(row), sys.maxsize) for row in callees)

    return Locals(list(ranks(lessons[:count])), list(ranks([e for e in asked if e is not None])))


def _again(found: Sequence[Locals]) -> None:
    _head("the local ranker alone, asked about", "callees", *(f"recall@{cut}" for cut in CUTS), "MRR")
    for label, ranks in (
        ("functions that taught it", [one for some in found for one in some.taught]),
        ("functions held out", [one for some in found for one in some.asked]),
    ):
        flat = np.array([rank for one in ranks for rank in one])
        mrr = np.mean([1 / (1 + min(one)) for one in ranks])
        shares = (f"{(flat < cut).mean():.3f}" for cut in CUTS)
        _row(f"{len(ranks)} {label}", len(flat), *shares, f"{mrr:.3f}")


def _row(*cells: object) -> None:
    say("| " + " | ".join(str(cell) for cell in cells) + " |")


def _head(*cells: str) -> None:
    say("")
    _row(*cells)
    say("| --- |" + " ---: |" * (len(cells) - 1))


def _reasons(facts: Sequence[Facts]) -> None:
    counts = {cut: Counter(reason(f, cut) for f in facts) for cut in CUTS}
    _head("why it isn't among the first k", *(f"{what}, k = {cut}" for cut in CUTS for what in ("callees", "share")))
    for why in REASONS:
        if any(counts[cut][why] for cut in CUTS):
            _row(why, *(f"{counts[cut][why]} | {counts[cut][why] / len(facts):.3f}" for cut in CUTS))
    missed = {cut: len(facts) - counts[cut][""] for cut in CUTS}
    _row("all misses", *(f"{missed[cut]} | {missed[cut] / len(facts):.3f}" for cut in CUTS))


def _parts(facts: Sequence[Facts]) -> None:
    _head("callees by what can be seen of them", "callees", "share", "@10", "@50")
    for part in parts(facts):
        _row(part.label, part.callees, f"{part.callees / len(facts):.2f}", f"{part.at_10:.2f}", f"{part.at_50:.2f}")


def _ceilings(facts: Sequence[Facts]) -> None:
    _head("a perfect order of", *(f"recall@{cut}" for cut in CUTS))
    both = [ceilings(facts, cut) for cut in CUTS]
    for row in zip(*both, strict=True):
        _row(row[0].holds, *(f"{one.share:.3f}" for one in row))


def _wrong(wrong: Sequence[Wrong]) -> None:
    _head("of the hits among the first ten that are no callees", "share")
    for name, label in (
        ("by_siblings", "functions like the target call it"),
        ("by_words", "a word of the target tells of it"),
        ("by_types", "a type of the target tells of it"),
        ("everybodys", "more than 20 functions call it"),
    ):
        _row(label, f"{sum(getattr(one, name) for one in wrong) / max(len(wrong), 1):.2f}")


if __name__ == "__main__":
    log_to_stderr()
    main()
