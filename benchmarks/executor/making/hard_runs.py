"""Golds and stubs of hard data sets, by how many functions a task asks for.

    python -m benchmarks.executor.making.hard_runs WORK DATASET...

Runs experiments/hard.yaml without a model on each data set into WORK, or goes on with it: all golds of a task
together, all stubs together, and each stub alone beside the others' golds. The cost is a gold's time to check, build
and test it, by the clock and of CPU, the latter without its control run. Prints JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.costs import run_graft
from benchmarks.executor.making.suite_runs import measure_cpu
from experiments.run.records import JOURNAL, SampleRecord, read_journal


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("datasets", nargs="+")
    words = parser.parse_args()
    rows = [row for name in words.datasets for row in measure_data_set(name, words.work)]
    sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    return 0


def measure_data_set(name: str, work: Path) -> Iterator[dict[str, Any]]:
    """A row for each number of functions."""
    golds, stubs = (run_data_set(name, model, work) for model in ("gold", "stub"))
    sizes = sorted({max(1, len(record.holes)) for record in golds})
    for size in sizes:
        mine = [record for record in golds if max(1, len(record.holes)) == size]
        stubbed = [record for record in stubs if max(1, len(record.holes)) == size]
        alone = [passed for record in stubbed for passed in record.alone_results if passed is not None]
        yield {
            "data set": name,
            "functions": size,
            "tasks": len(mine),
            "golds passed": sum(record.passed for record in mine),
            "stubs passed": sum(record.passed for record in stubbed),
            "one stub tried": len(alone),
            "one stub passed": sum(alone),
            "wall_s": round(median(record.test_s for record in mine), 2),
            "cpu_s": round(median(measure_cpu(record, work / f"{name}-gold") for record in mine), 2),
        }


def run_data_set(name: str, model: str, work: Path) -> Sequence[SampleRecord]:
    out = work / f"{name}-{model}"
    keys = [f"dataset={name}", f"model={model}", "arms=none", "sandbox=bwrap", f"out={out}"]
    run_graft("run", "experiments/hard.yaml", *keys)
    return list(read_journal(out / JOURNAL).values())


if __name__ == "__main__":
    sys.exit(main())
