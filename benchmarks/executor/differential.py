"""What differential execution catches, and whom it accuses: sums over records of `graft differential`.

    .venv/bin/python benchmarks/executor/equivalents.py redis --each 3 > answers.jsonl
    graft differential --repo redis --answers answers.jsonl --wrong --out runs/differential-redis
    python -m benchmarks.record docs/measured/differential.json -- \
        python -m benchmarks.executor.differential runs/differential-*/differential.jsonl

The answers are golds in other words, so that each that differs is accused wrongly. Prints one JSON value.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from experiments.checks.differing import Compared, read_record


def summary(rows: Sequence[Compared]) -> dict[str, Any]:
    """The sums over one repository's records. `compared`: on at least one call."""
    golds = [row for row in rows if row.origin == "gold"]
    seen = [row for row in rows if row.found.compared]
    return {
        "tasks": len(golds),
        "compared": sum(bool(row.found.compared) for row in golds),
        "reasons": dict(Counter(row.found.line for row in golds if not row.found.compared).most_common()),
        "calls": median(row.found.compared for row in golds if row.found.compared) if seen else 0,
        "golds accused": sum(bool(row.found.differs) for row in golds),
        "equivalents": bodies([row for row in seen if row.origin == "answer"]),
        "wrong": bodies([row for row in seen if row.origin == "wrong" and row.only is None]),
        "held": bodies([row for row in seen if row.origin == "wrong" and row.only is None and row.held]),
        "wrong in all": sum(row.origin == "wrong" and row.only is None for row in rows),
    }


def bodies(rows: Sequence[Compared]) -> dict[str, int]:
    """How many bodies differ at the suites' calls, and how many on these or on changed states. `states`: changed
    states on which they were compared."""
    return {
        "bodies": len(rows),
        "differ": sum(bool(row.found.differs) for row in rows),
        "differ or broke": sum(bool(row.found.differs or row.found.broke) for row in rows),
        "broke": sum(bool(row.found.broke) for row in rows),
        "states": sum(row.found.probed + len(row.found.broke) for row in rows),
        "states broke": sum(len(row.found.broke) for row in rows),
    }


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs="+")
    rows = [row for path in parser.parse_args(argv).records for row in read_record(path)]
    repos = dict.fromkeys(row.repo for row in rows)
    json.dump({repo: summary([row for row in rows if row.repo == repo]) for repo in repos}, sys.stdout, indent=1)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
