"""Right answers in run folders: whether they pass, whether a control run called one forged, and what controls cost.

    python -m benchmarks.record benchmarks/records/right.json --text -- \\
        python -m benchmarks.executor.verdict.right_answers --earlier benchmarks/records/right.json \\
        golds=RUN "golds by a cluster=RUN,RUN" "in other words=RUN"

Each argument is a name for the row and a run's folder, or several that share the work: golds (`graft run ...
model=gold`), or answers that `benchmarks.executor.verdict.equivalents` made. --earlier: the rows of that record come
first. `with a control run` leaves out the texts for which no sabotage is
known. The CPU seconds are medians over the answers that had one, of its check, build and tests, and of its control;
both are of the same run. A Markdown table goes to standard output.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.tables import read_tables, render_cells
from executor.values import Outcome
from experiments.run.manifest import read_manifest
from experiments.run.records import JOURNAL, SampleRecord, read_journal

HEAD = (
    "answers", "day", "commit", "sandbox", "texts", "passed", "to review", "failed", "with a control run",
    "called forged", "CPU-s, tests", "+ control",
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN[,RUN...]")
    parser.add_argument("--earlier", type=Path, metavar="FILE", help="keep the rows of this record")
    args = parser.parse_args()
    known = read_tables(json.loads(args.earlier.read_text(encoding="utf-8"))["result"])[0].rows if args.earlier else ()
    named = (words.split("=", 1) for words in args.runs)
    rows = [*known, *(describe_runs(name, [Path(folder) for folder in folders.split(",")]) for name, folders in named)]
    sys.stdout.write(render_cells(HEAD, rows, left=4) + "\n")
    return 0


def describe_runs(name: str, folders: Sequence[Path]) -> list[object]:
    manifest = read_manifest(folders[0])
    journals = [read_journal(folder / JOURNAL) for folder in folders]
    records = [record for journal in journals for record in journal.values() if record.is_scored]
    outcomes = Counter(record.graft.verdict.outcome for record in records)
    passed, open_ = outcomes[Outcome.PASSED], outcomes[Outcome.TO_REVIEW]
    audited = [record for record in records if record.audit.state in ("honest", "partly", "forged")]
    return [
        name,
        manifest.created[:10],
        manifest.graft_commit[:10],
        manifest.sandbox,
        *(len(records), passed, open_, len(records) - passed - open_, len(audited)),
        sum(record.audit.state == "forged" for record in records),
        *(f"{value:.2f}" for value in compute_median_costs(audited)),
    ]


def compute_median_costs(records: list[SampleRecord]) -> tuple[float, float]:
    if not records:
        return 0.0, 0.0
    tests = statistics.median(record.audit.tests_cpu_s for record in records)
    return tests, statistics.median(record.audit.cpu_s for record in records)


if __name__ == "__main__":
    sys.exit(main())
