"""Compare a retriever before and after a change, by the ranks that two evaluations wrote.

    graft retrieval-eval ... --ranks BEFORE        # then the change, and again with --ranks AFTER
    python -m benchmarks.retrieval.rank_files learned BEFORE AFTER [BEFORE AFTER...]

Each pair of files makes a table: recall at several cuts by repository and pooled, the difference with its 95 %
interval over targets, and the exact paired sign-flip test. Both files must be of the same targets.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.retrieval.common import ResultTable, publish
from experiments.retrieval_eval.score import TargetScore, loss, summarise

CUTS = (5, 10, 20, 50)


def scores_in(file: Path, retriever: str) -> list[TargetScore]:
    """The retriever's ranks, by target."""
    ranks: dict[tuple[str, str], list[int]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        ranks.setdefault((row["repo"], row["target"]), []).append(row["ranks"][retriever])
    return [TargetScore(repo, name, retriever, tuple(of), 0, (), 0.0, 0.0) for (repo, name), of in ranks.items()]


def compared(before: Sequence[TargetScore], after: Sequence[TargetScore]) -> ResultTable:
    """The table of two evaluations. Raises ValueError when they aren't of the same targets."""
    repos = list(dict.fromkeys(score.repo for score in before))
    rows: list[tuple[str | float, ...]] = []
    for repo in ("", *repos):
        old, new = ([score for score in scores if repo in ("", score.repo)] for scores in (before, after))
        for cut in CUTS:
            test = loss(old, new, cut)
            difference = f"{test.difference.value:+.3f} [{test.difference.low:+.3f}, {test.difference.high:+.3f}]"
            rows.append((repo or "pooled", f"recall@{cut}", test.original, test.renamed, difference, f"{test.p:.2g}"))
        mrr = [summarise(scores).figures["mrr"].value for scores in (old, new)]
        rows.append((repo or "pooled", "mrr", *mrr, f"{mrr[1] - mrr[0]:+.3f}", ""))
    total = sum(len(score.ranks) for score in before)
    title = f"{total} callees of {len(before)} functions of {', '.join(repos)}"
    return ResultTable(title, ("repository", "figure", "before", "after", "difference", "p"), tuple(rows))


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("retriever")
    parser.add_argument("files", nargs="+", type=Path, metavar="BEFORE AFTER")
    given = parser.parse_args()
    if len(given.files) % 2:
        parser.error("give the files in pairs: BEFORE AFTER")
    pairs = zip(given.files[::2], given.files[1::2], strict=True)
    publish([compared(*(scores_in(file, given.retriever) for file in pair)) for pair in pairs], None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
