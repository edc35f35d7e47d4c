"""What graft-suite costs on a bare machine, and whether it holds: its images, all golds, all golds again, all stubs.

    python -m benchmarks.record benchmarks/records/suite_runs.json -- \\
        python -m benchmarks.executor.making.suite_runs WORK

Everything is made under WORK, the base too. The second run of the golds is the one from warm images: the first learns
what each suite needs. A step that has ended isn't run again; one that was stopped goes on, and its seconds, which are
then those of its last part, say so (`resumed`). Nothing else may run. Prints JSON: `steps`, each with the day on which
it ended, seconds by the clock and CPU seconds of its processes, and `packages`, each with what passed and the median
cost of a gold's verdict in CPU seconds, without its control runs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.costs import run_graft
from executor.tasks.suite_members import SUITE, load_task_suite
from experiments.run.records import JOURNAL, Execution, SampleRecord, decode_json_value, read_journal
from experiments.run.sampling.executions import RECORD

WARM, STUBS = "golds-warm", "stubs"
_RUNS = {"golds-first": "gold", WARM: "gold", STUBS: "stub"}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("work", type=Path)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    cache = args.work / "cache"
    images = measure_step("images", ["images", "build", SUITE, "--sandbox", "bwrap"], args.work, cache)
    size = subprocess.run(["du", "-s", "--block-size=1M", str(cache)], capture_output=True, text=True, check=True)
    steps = [images | {"cache_mb": int(size.stdout.split()[0])}]
    records: dict[str, Sequence[SampleRecord]] = {}
    for name, model in _RUNS.items():
        out = args.work / name
        words = ["run", "experiments/oracle.yaml", f"dataset={SUITE}", f"model={model}", "arms=none"]
        step = measure_step(name, [*words, "sandbox=bwrap", f"out={out}"], args.work, cache)
        records[name] = list(read_journal(out / JOURNAL).values())
        passed = sum(record.passed for record in records[name])
        steps.append(step | {"samples": len(records[name]), "passed": passed})
    packages = list(describe_packages(records[WARM], records[STUBS], args.work / WARM))
    sys.stdout.write(json.dumps({"steps": steps, "packages": packages}, indent=1) + "\n")
    return 0


def measure_step(name: str, words: Sequence[str], work: Path, cache: Path) -> dict[str, Any]:
    """Run `graft` with these words, unless an earlier call did. Raises CalledProcessError."""
    path = work / f"{name}.json"
    if not path.is_file():
        begun = path.with_suffix(".begun")
        resumed = begun.exists()
        begun.touch()
        wall_s, cpu_s = run_graft(*words, env={"GRAFT_CACHE": str(cache)})
        step = {"step": name, "wall_s": round(wall_s), "cpu_s": round(cpu_s), "resumed": resumed}
        path.write_text(json.dumps(step))
    # Steps of one record can be days apart, since those that ended aren't run again.
    ended = date.fromtimestamp(path.stat().st_mtime).isoformat()
    found: dict[str, Any] = json.loads(path.read_text())
    return found | {"ended": ended}


def describe_packages(
    golds: Sequence[SampleRecord], stubs: Sequence[SampleRecord], run: Path
) -> Iterator[dict[str, Any]]:
    for member in load_task_suite().members:
        mine = [record for record in golds if record.repo == member.name]
        yield {
            "package": member.name,
            "golds": len(mine),
            "golds_passed": sum(record.passed for record in mine),
            "stubs_passed": sum(record.passed for record in stubs if record.repo == member.name),
            "cpu_s": round(median(measure_cpu(record, run) for record in mine), 2) if mine else None,
        }


def measure_cpu(record: SampleRecord, run: Path) -> float:
    """CPU seconds of the sample's check, build and suites."""
    path = run / record.graft.execution / RECORD
    ran = decode_json_value(Execution, path.read_bytes(), path).run
    return sum(step.cost_s for step in (*ran.check, *ran.build, *(suite.step for suite in ran.suites)))


if __name__ == "__main__":
    sys.exit(main())
