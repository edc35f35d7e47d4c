"""What all golds of redis, bullet3 and openssl cost on this machine: by their suites alone, and with plus tests.

    python -m benchmarks.record benchmarks/records/golds_cost.json --text -- \\
        python -m benchmarks.executor.costs.gold_costs

Each way is one `graft run` into an empty folder, one after the other. Needs warm images in GRAFT_CACHE and sources in
GRAFT_MIRROR. Golds have no control run here, as an answer that equals the gold has none. The clock holds the start of
the command and its report; CPU seconds are those of all its processes. A Markdown table goes to standard output. Exit
status 1 when a gold doesn't pass.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.costs import run_graft
from benchmarks.tables import render_cells
from experiments.run.records import read_finished_records

WAYS = {"suites alone": "plus=false", "suites and plus tests": "plus=true"}
_JOBS = 5
HEAD = ("judged by", "golds", "passed", "s by the clock", "CPU-s", "CPU-s per gold")


def main() -> int:
    rows = []
    with tempfile.TemporaryDirectory(prefix="graft-golds-") as folder:
        for name, setting in WAYS.items():
            out = Path(folder, setting)
            words = ["repos=redis,bullet3,openssl", "sandbox=bwrap", f"concurrency={_JOBS}", f"workers={_JOBS}"]
            words += ["arms=none", "model=gold", "audit=none", setting, f"out={out}"]
            clock, cpu = run_graft("run", "oracle", *words)
            records = read_finished_records(out)
            passed = sum(record.passed for record in records)
            rows.append([name, len(records), passed, round(clock), round(cpu), f"{cpu / len(records):.1f}"])
    sys.stdout.write(render_cells(HEAD, rows, left=1) + "\n")
    return 0 if all(row[1] == row[2] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
