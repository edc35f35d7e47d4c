"""What a journal of a million samples costs: to take the run up again, and to report on it.

    python -m benchmarks.record benchmarks/records/million.json --text -- python -m benchmarks.experiments.million

Each line is a process of its own on one core, its start included: CPU-seconds (user + system), the clock, and the most
memory that it held. The journal is that of a made-up run (benchmarks.experiments.big_run), 200 tasks x 5 arms, with as
many samples as make the number: read as a resume does, and as a report does. Then a real run of the example by the
golds, whose journal holds all samples but one; the folder of stories is gone, as where somebody saved the space.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.costs import Cost
from benchmarks.experiments.big_run import ARMS, make_big_run, renumber_record
from benchmarks.tables import render_cells
from executor.cache import cache_root
from experiments.report.run_end import write_and_print_report, write_report_json_and_markdown
from experiments.report.run_report import make_report
from experiments.run.config import RunConfig
from experiments.run.experiment import run_experiment
from experiments.run.manifest import read_manifest
from experiments.run.pass_rule import WITH_PLUS
from experiments.run.records import (
    JOURNAL,
    SAMPLES,
    UNFINISHED,
    encode_json_value,
    read_finished_records,
    read_finished_samples_with_executions,
    read_journal,
)
from experiments.run.sampling.executions import find_incomplete_samples

TASKS, MILLION = 200, 1_000_000
RESUMED_ARMS = ("none", "oracle")
# A process, what it does, and its limit.
STAGES = (("read", "resume: the journal read", "30 s, 2 GB"), ("report", "report.md and report.json", "60 s"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--stage", choices=("make", "resume", "read", "report"), help="for the processes it starts")
    parser.add_argument("--folder", type=Path, help="the same")
    args = parser.parse_args()
    if args.stage:
        return _run_stage(args.stage, args.folder)
    rows: list[Sequence[str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        run, real = Path(scratch) / "run", Path(scratch) / "real"
        make_big_run(run, TASKS, MILLION // (TASKS * len(ARMS)), bare=True)
        for stage, what, limit in STAGES:
            rows += [_describe_cost(what, limit, cost) for cost in _run_stage_process(stage, run)]
        _run_stage_process("make", real)
        began, ended = _run_stage_process("resume", real)
        what = "`graft run` taken up again, until the first sample begins"
        rows.append(_describe_cost(what, STAGES[0][2], began))
        rows.append(_describe_cost("the same, with that sample and the run's report", "-", ended))
    table = render_cells(("what", "samples", "limit", "CPU, s", "wall, s", "memory, GB"), rows)
    sys.stdout.write(f"{table}\n\nLoad of the machine at the end: {os.getloadavg()[1]:.1f}.\n")
    return 0


def _describe_cost(what: str, limit: str, cost: Cost) -> Sequence[str]:
    return (what, f"{MILLION:,}", limit, f"{cost.cpu:.1f}", f"{cost.wall:.1f}", f"{cost.peak / 1000:.2f}")


def _run_stage_process(stage: str, folder: Path) -> list[Cost]:
    """What it said of its own costs."""
    command = (sys.executable, "-m", "benchmarks.experiments.million", "--stage", stage, "--folder", str(folder))
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [Cost(*json.loads(line)) for line in output.splitlines() if line.startswith("[")]


def _run_stage(stage: str, folder: Path) -> int:
    began = time.monotonic()

    def print_cost() -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        cost = Cost(time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000)
        sys.stdout.write(json.dumps(cost) + "\n")

    if stage == "make":
        _make_journal(folder)
    elif stage == "resume":
        running = logging.getLogger("experiments.run.experiment")
        running.addFilter(lambda line: print_cost() if line.getMessage().startswith("resuming") else None)
        running.setLevel(logging.INFO)
        config = _make_config(folder, _count_samples_per_task(folder))
        write_and_print_report(run_experiment(config, cache_root(), trusted=True))
        print_cost()
    elif stage == "read":
        done = read_finished_samples_with_executions(folder / JOURNAL, UNFINISHED, WITH_PLUS)
        if find_incomplete_samples(folder, done):
            raise SystemExit(f"{folder}: files are missing")
        print_cost()
    else:
        report = make_report(folder, read_manifest(folder), read_finished_records(folder))
        write_report_json_and_markdown(folder, report)
        print_cost()
    return 0


def _make_config(run: Path, samples: int) -> RunConfig:
    return RunConfig(dataset="example", sandbox="process", model="gold", arms=RESUMED_ARMS, samples=samples, out=run)


def _count_samples_per_task(run: Path) -> int:
    return MILLION // (len(read_manifest(run).tasks) * len(RESUMED_ARMS))


def _make_journal(run: Path) -> None:
    """A real run of one sample a task, and its records as often as it takes; the last sample is left to be done."""
    run_experiment(_make_config(run, 1), cache_root(), trusted=True)
    records = [(record, encode_json_value(record) + b"\n") for record in read_journal(run / JOURNAL).values()]
    shutil.rmtree(run / SAMPLES)
    per_task = _count_samples_per_task(run)
    with (run / JOURNAL).open("wb") as journal:
        for sample in range(per_task):
            known = records if sample < per_task - 1 else records[1:]
            journal.writelines(renumber_record(line, record, sample) for record, line in known)


if __name__ == "__main__":
    sys.exit(main())
