"""What each kind of signal adds to the generic ranker, on whole trees that the ranker never saw.

    python -m benchmarks.retrieval.added_signals WORK TREE... [--functions 300] [--targets 120]

The trees are taken in two halves, by turns in order of name; a ranker is trained on one half and asked about the
other, both ways, so that each tree is held out once. Before, the ranker has the signals of the shipped model; then
each kind of signals is added alone, then all; with --leave-out all but each. Recall is micro over the callees of
functions drawn by the benchmark's rules (the call graph's), strict hiding; differences are paired by function, with a
bootstrapped standard error and an exact sign-flip test.

The learnt associations of words are cross-fitted too: a tree's are learnt on other trees of its half where it
teaches, on the other half where it is asked about. Milliseconds are the CPU time that a kind adds to a query of the
largest tree, in the median. WORK keeps indexes and signals, so that a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import logging
import pickle
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.retrieval.ablations import RankingCase, callee_places
from benchmarks.retrieval.associations import WordCounts, associated, counts_of
from benchmarks.retrieval.common import ResultTable, publish
from experiments.consoles import log_to_stderr
from experiments.retrieval_eval.score import sign_flip_p
from experiments.retrieval_eval.targets import EvaluationTarget, drawn
from index.build import build_index
from index.hiding.view import HiddenView
from index.repo_index import RepoIndex, open_index
from index.values import Target
from retrieval.ranker.learned import GENERIC, GENERIC_LEAVES, GENERIC_TREES
from retrieval.ranker.ranker import Ranker, load_ranker, train_ranker
from retrieval.ranker.training import TrainingGroup, training_groups
from retrieval.structure.cues.associations import ASSOCIATIONS
from retrieval.structure.cues.flow import FLOW
from retrieval.structure.cues.likely import LIKELY
from retrieval.structure.cues.lone import LONE
from retrieval.structure.cues.order import ORDER
from retrieval.structure.cues.overloads import OVERLOADS
from retrieval.structure.cues.uses import IDIOMS, RESULTS
from retrieval.structure.evidence.associations import Associations, made_associations
from retrieval.structure.fusion import TEXT
from retrieval.structure.signaller import NO_ROWS, Signaller, Signals
from retrieval.structure.signals import NAMES
from retrieval.structure.structural import with_text
from retrieval.structure.tables.lists import Rows
from retrieval.text.lexical import LexicalRetriever

log = logging.getLogger(__name__)

KINDS: Mapping[str, tuple[str, ...]] = {
    "flow of parameters, chains of two": tuple(FLOW),
    "order of calls": tuple(ORDER),
    "how results are used": tuple(RESULTS),
    "idioms of the file": tuple(IDIOMS),
    "functions that nobody calls": tuple(LONE),
    "overloads": tuple(OVERLOADS),
    "a second look at the likely": tuple(LIKELY),
    "learnt association of words": tuple(ASSOCIATIONS),
    "BM25F": (TEXT,),
}
EVERY = (*NAMES, TEXT)
RESAMPLES = 2000
FEW_TREES = 2
"""Trees that must have a pair of words: a half may be of three trees, one of them left out."""
TIMED = 20


class Tree(NamedTuple):
    """What is kept of a tree: its functions that teach, and those that are asked about."""

    name: str
    functions: int
    groups: list[TrainingGroup]
    cases: list[RankingCase]
    ms: dict[str, float]


class TextSignaller(Signaller):
    """Adds BM25F's score, which `learned` doesn't read as it ships."""

    def __init__(self, index: RepoIndex, associations: Associations) -> None:
        super().__init__(index, associations)
        self._lexical = LexicalRetriever(index)

    def of(self, view: HiddenView, target: Target, held_out: Rows = NO_ROWS, names: Sequence[str] = EVERY) -> Signals:
        """See `Signaller.of`."""
        signals = super().of(view, target, held_out, tuple(name for name in names if name != TEXT))
        return with_text(signals, self, self._lexical, view, target) if TEXT in names else signals


class Opened(NamedTuple):
    name: str
    index: RepoIndex
    targets: list[EvaluationTarget]
    words: WordCounts


def opened(root: Path, work: Path, targets: int) -> Opened:
    """A tree's index, the functions to ask about, and its words."""
    folder = work / "indexes" / root.name
    build_index(root, folder, workers=1)
    index = open_index(folder, root)
    return Opened(root.name, index, drawn(index, root.name, targets), counts_of(index, Signaller(index)))


def signals_of(tree: Opened, teaching: Associations, asking: Associations, functions: int) -> Tree:
    """The signals of a tree, once with each of both tables of associations."""
    index = tree.index
    teacher, asked = TextSignaller(index, teaching), TextSignaller(index, asking)
    held_out = [target.target for target in tree.targets]
    groups = list(training_groups(index, teacher, held_out, functions, names=EVERY))
    cases = []
    for target in tree.targets:
        signals = asked.of(index.hide(target.target, "strict"), target.target)
        cases.append(RankingCase(signals, callee_places(index, asked, signals, target.truth.callees)))
    return Tree(tree.name, len(index.functions), groups, cases, _costs(tree, asked))


def _costs(tree: Opened, signaller: TextSignaller) -> dict[str, float]:
    """The CPU-ms of a query with the shipped model's signals, and with each kind beside them; medians."""
    base = load_ranker(GENERIC).names
    spent: dict[str, list[float]] = {kind: [] for kind in ("", *KINDS)}
    for target in tree.targets[:TIMED]:
        view = tree.index.hide(target.target, "strict")
        for kind, times in spent.items():
            began = time.process_time()
            signaller.of(view, target.target, names=(*base, *KINDS.get(kind, ())))
            times.append(1000 * (time.process_time() - began))
    return {kind: float(np.median(times)) for kind, times in spent.items() if times}


def trees_of(roots: Sequence[Path], work: Path, targets: int, functions: int) -> list[Tree]:
    """The signals of all trees, from WORK where they were made with the same signals."""
    kept = {root.name: work / f"{root.name}.pickle" for root in roots}
    found = {name: _loaded(path) for name, path in kept.items()}
    if not all(found.values()):
        every = [opened(root, work, targets) for root in roots]
        for number, tree in enumerate(every):
            own = [t.words for at, t in enumerate(every) if at % 2 == number % 2 and at != number]
            other = [t.words for at, t in enumerate(every) if at % 2 != number % 2]
            made = signals_of(tree, _learnt(own), _learnt(other), functions)
            log.info(f"{tree.name}: {made.functions} functions, {len(made.groups)} teach, {len(made.cases)} asked")
            kept[tree.name].write_bytes(pickle.dumps(made, protocol=5))
            found[tree.name] = made
            tree.index.close()
    return [tree for tree in found.values() if tree is not None]


def _learnt(words: Sequence[WordCounts]) -> Associations:
    return made_associations(associated(words, FEW_TREES))


def _loaded(path: Path) -> Tree | None:
    if not path.exists():
        return None
    tree: Tree = pickle.loads(path.read_bytes())
    return tree if tree.groups and tree.groups[0].names == EVERY else None


def ranks_of(cases: Sequence[RankingCase], ranker: Ranker) -> list[list[int]]:
    """For each case the ranks of its callees, from 0."""
    found = []
    for case in cases:
        order = np.argsort(-ranker.scores(case.signals), kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        found.append([min((int(rank[p]) for p in places), default=sys.maxsize) for places in case.callees])
    return found


def cross_fitted(trees: Sequence[Tree], names: Sequence[str], forests: int) -> list[list[int]]:
    """The ranks of all callees of all cases, each tree ranked by forests that the other half taught."""
    columns = [EVERY.index(name) for name in names]
    rankers = []
    for half in (0, 1):
        taught = [
            group._replace(table=group.table[:, columns], names=tuple(names))
            for tree in trees[half::2]
            for group in tree.groups
        ]
        rankers.append(train_ranker(taught, GENERIC_TREES, GENERIC_LEAVES, forests))
    return [ranks for at, tree in enumerate(trees) for ranks in ranks_of(tree.cases, rankers[1 - at % 2])]


class Scores(NamedTuple):
    """Over cases: callees found among the first 10 and 50, their number, and the first one's reciprocal rank."""

    at_10: np.ndarray  # type: ignore[type-arg]
    at_50: np.ndarray  # type: ignore[type-arg]
    callees: np.ndarray  # type: ignore[type-arg]
    first: np.ndarray  # type: ignore[type-arg]


def scores_of(ranks: Sequence[Sequence[int]]) -> Scores:
    return Scores(
        np.array([sum(rank < 10 for rank in of_case) for of_case in ranks], dtype=float),
        np.array([sum(rank < 50 for rank in of_case) for of_case in ranks], dtype=float),
        np.array([len(of_case) for of_case in ranks], dtype=float),
        np.array([1.0 / (1.0 + min(of_case)) for of_case in ranks]),
    )


def _row(label: str, new: Scores, old: Scores, ms: float | str) -> tuple[str | float, ...]:
    """The figures of a ranker, and its differences from the one before."""
    cells: list[str | float] = [label]
    random = np.random.default_rng(0)
    total = new.callees.sum()
    for found, before in ((new.at_10, old.at_10), (new.at_50, old.at_50)):
        change = found - before
        drawn_rows = random.integers(0, len(change), (RESAMPLES, len(change)))
        error = float((change[drawn_rows].sum(axis=1) / new.callees[drawn_rows].sum(axis=1)).std())
        p = sign_flip_p(change.astype(int).tolist()) if change.any() else 1.0
        cells += [float(found.sum() / total), f"{change.sum() / total:+.4f} +- {error:.4f}", f"{p:.3f}"]
    log.info(f"{label}: {cells[1:]}")
    return (*cells, float(new.first.mean()), ms)


def table(trees: Sequence[Tree], forests: int, leave_out: bool) -> ResultTable:
    """What is printed."""
    base = load_ranker(GENERIC).names
    largest = max(trees, key=lambda tree: tree.functions)
    ms = largest.ms

    def asked(names: Collection[str]) -> Scores:
        return scores_of(cross_fitted(trees, [name for name in EVERY if name in names], forests))

    old = asked(base)
    every = {*base, *(name for names in KINDS.values() for name in names)}
    rows = [_row("before", old, old, f"{ms['']:.1f}")]
    for kind, names in KINDS.items():
        rows.append(_row(f"with {kind}", asked({*base, *names}), old, f"{ms[kind] - ms['']:+.1f}"))
    whole = asked(every)
    rows.append(_row("with all", whole, old, ""))
    for kind, names in KINDS.items() if leave_out else ():
        rows.append(_row(f"all but {kind}", asked(every - set(names)), whole, ""))
    columns = ("signals", "@10", "difference", "p", "@50", "difference", "p", "MRR", f"CPU-ms, {largest.name}")
    cases, callees = len(old.callees), int(old.callees.sum())
    title = f"{callees} callees of {cases} functions in {len(trees)} trees: {', '.join(tree.name for tree in trees)}"
    return ResultTable(title, columns, tuple(rows))


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--functions", type=int, default=300)
    parser.add_argument("--targets", type=int, default=120)
    parser.add_argument("--forests", type=int, default=3, help="of each ranker (default: %(default)s)")
    parser.add_argument("--leave-out", action="store_true", help="all signals but each kind, too")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    roots = sorted(given.trees, key=lambda root: root.name)
    trees = trees_of(roots, given.work, given.targets, given.functions)
    publish([table(trees, given.forests, given.leave_out)], None)
    return 0


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
