"""What each kind of newer signals adds to the generic ranker, on the trees of a training set that are held out.

    python -m benchmarks.record benchmarks/records/signals.json --text -- \\
        python -m benchmarks.retrieval.added_signals WORK [--trees 100] [--timed TREE]

WORK is the folder of `benchmarks.retrieval.training_set`, in which `benchmarks.retrieval.meanings` was run. A forest
of so many trees learns with the signals of the first generic ranker, one with these and each kind beside them, and one
with all, on all trees that aren't held out; the held-out ones are asked. Beside each difference stand its interval and
p (exact paired sign-flip test over functions). `--timed` names a source tree, whose queries are timed: the CPU time
that a kind adds, median.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.retrieval.common import ResultTable, publish
from benchmarks.retrieval.generic_ranker import Asked, grown, lessons_of, scored
from benchmarks.retrieval.meanings import asked
from benchmarks.retrieval.training.reading import Sample, folders_of
from benchmarks.retrieval.training.record import load_record
from experiments.consoles import log_to_stderr
from experiments.retrieval_eval.score import TargetScore, loss, summarise
from experiments.retrieval_eval.targets import drawn
from index.build import build_index
from index.repo_index import open_index
from retrieval.structure.cues.likely import LIKELY
from retrieval.structure.cues.meanings import MEANINGS
from retrieval.structure.signaller import Signaller
from retrieval.structure.signals import HOW, NAMES, USUAL

log = logging.getLogger(__name__)

KINDS: Mapping[str, tuple[str, ...]] = {
    "a second look at the likely": tuple(LIKELY),
    "learnt meanings of words": (*MEANINGS, *(f"meant_{how}" for how in HOW)),
}
CUTS = (10, 50)
TIMED = 40


def narrowed(taught: Sample, names: Sequence[str]) -> Sample:
    """The sample with these signals alone."""
    columns = [taught.names.index(name) for name in names]
    return taught._replace(names=tuple(names), tables=[np.asarray(table[:, columns]) for table in taught.tables])


def variants() -> dict[str, list[str]]:
    """What to learn with, by label."""
    base = list(USUAL)
    return {
        "before": base,
        **{f"with {kind}": [*base, *names] for kind, names in KINDS.items()},
        "with all": [*NAMES],
    }


def table_of(
    taught: Sample, folders: Sequence[Path], ask: Asked, trees: int, costs: Mapping[str, float]
) -> ResultTable:
    """What is printed."""
    found: dict[str, list[TargetScore]] = {}
    for label, names in variants().items():
        ranker = grown(narrowed(taught, names), trees)
        found |= scored(folders, ask, {label: ranker})
        log.info(f"{label}: {summarise(found[label]).figures['recall@10'].value:.3f}")
    rows: list[tuple[str | float, ...]] = []
    for label, scores in found.items():
        cells: list[str | float] = [label]
        for cut in CUTS:
            test = loss(found["before"], scores, cut)
            difference = f"{test.difference.value:+.4f} [{test.difference.low:+.4f}, {test.difference.high:+.4f}]"
            cells += [test.renamed, difference, f"{test.p:.3f}"]
        rows.append((*cells, summarise(scores).figures["mrr"].value, costs.get(label, "")))
    summary = summarise(found["before"])
    title = f"{summary.callees:,} callees of {summary.targets:,} functions in {len(folders)} held-out trees"
    parts = [cell for cut in CUTS for cell in (f"@{cut}", "difference", "p")]
    return ResultTable(title, ("signals", *parts, "MRR", "CPU-ms"), tuple(rows))


def costs_in(tree: Path) -> dict[str, float]:
    """The CPU-ms of a query of this source tree with the signals before, and what each label adds; medians."""
    with tempfile.TemporaryDirectory() as scratch:
        build_index(tree, Path(scratch), workers=1)
        index = open_index(Path(scratch), tree)
        signaller = Signaller(index)
        spent: dict[str, list[float]] = {label: [] for label in variants()}
        for target in drawn(index, tree.name, TIMED):
            view = index.hide(target.target, "strict")
            for label, names in variants().items():
                began = time.process_time()
                signaller.of(view, target.target, names=names)
                spent[label].append(1000 * (time.process_time() - began))
        index.close()
    medians = {label: float(np.median(times)) for label, times in spent.items()}
    return {label: ms if label == "before" else ms - medians["before"] for label, ms in medians.items()}


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("work", type=Path, metavar="WORK")
    parser.add_argument("--trees", type=int, default=100, help="of each forest")
    parser.add_argument("--timed", type=Path, metavar="TREE")
    given = parser.parse_args()
    log_to_stderr(logging.INFO)
    work: Path = given.work
    record = load_record(work / "trees.json")
    ask = partial(asked, work, record)
    taught = lessons_of(work, record)
    costs = costs_in(given.timed) if given.timed else {}
    publish([table_of(taught, folders_of(work, record, "held out", False), ask, given.trees, costs)], None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
