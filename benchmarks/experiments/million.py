"""What a journal of a million samples costs: to take the run up again, and to report on it.

    python -m benchmarks.record benchmarks/records/million.json --text -- python -m benchmarks.experiments.million

Each line is a process of its own on one core, its start included: CPU-seconds (user + system), the clock, and the most
memory that it held. The journal is that of a made-up run (benchmarks.experiments.big_run), 200 tasks x 5 arms, with as
many samples as make the number: read as a resume does, and as a report does. `files`: a folder that has every story
and execution, of fewer samples. `resume`: a real run of the example by the golds, whose journal holds all samples but
one; the folder of stories is gone, as where somebody saved the space.
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

from benchmarks.costs import Cost, cost_of
from benchmarks.experiments.big_run import ARMS, make_big_run, numbered
from executor.cache import cache_root
from experiments.report.finish import finish
from experiments.report.model import make_report
from experiments.report.render import keep_report
from experiments.run.config import RunConfig
from experiments.run.experiment import run_experiment
from experiments.run.manifest import read_manifest
from experiments.run.records import (
    JOURNAL,
    SAMPLES,
    UNFINISHED,
    dumps,
    finished_records,
    finished_samples,
    read_journal,
)
from experiments.run.sampling.executions import incomplete

TASKS = 200
RESUMED_ARMS = ("none", "oracle")
RESUME_LIMIT, REPORT_LIMIT = "30 s, 2 GB", "60 s"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--samples", type=int, default=1_000_000)
    parser.add_argument("--files", type=int, default=50_000, help="samples of the folder with every file")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--stage", choices=("make", "resume", "files", "report"), help="for the processes it starts")
    parser.add_argument("--folder", type=Path, help="the same")
    args = parser.parse_args()
    if args.stage:
        return _stage(args.stage, args.folder, args.samples)
    rows: list[Sequence[str]] = []
    for part in args.parts.split(","):
        with tempfile.TemporaryDirectory() as scratch:
            rows += PARTS[part](Path(scratch) / "run", args.files if part == "files" else args.samples)
    lines = ["| what | samples | limit | CPU, s | wall, s | memory, GB |", "| --- | ---: | --- | ---: | ---: | ---: |"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    sys.stdout.write("\n".join(lines) + f"\n\nLoad of the machine at the end: {os.getloadavg()[1]:.1f}.\n")
    return 0


def _journal(run: Path, samples: int) -> list[Sequence[str]]:
    _bare(run, samples)
    (found,) = _child("files", run, samples)
    return [_row("resume: the journal read", samples, RESUME_LIMIT, found)]


def _report(run: Path, samples: int) -> list[Sequence[str]]:
    _bare(run, samples)
    (kept,) = _child("report", run, samples)
    return [_row("report.md and report.json", samples, REPORT_LIMIT, kept)]


def _tables(run: Path, samples: int) -> list[Sequence[str]]:
    _bare(run, samples)
    found, _ = cost_of((sys.executable, "-m", "graft", "report", str(run), "--markdown", str(run / "tables.md")))
    return [_row("`graft report RUN --markdown FILE`", samples, REPORT_LIMIT, found)]


def _files(run: Path, samples: int) -> list[Sequence[str]]:
    make_big_run(run, TASKS, samples // (TASKS * len(ARMS)))
    (found,) = _child("files", run, samples)
    return [_row("resume: the journal and every file of the run", samples, "-", found)]


def _resume(run: Path, samples: int) -> list[Sequence[str]]:
    _child("make", run, samples)
    began, ended = _child("resume", run, samples)
    return [
        _row("`graft run` taken up again, until the first sample begins", samples, RESUME_LIMIT, began),
        _row("the same, with that sample and the run's report", samples, "-", ended),
    ]


def _bare(run: Path, samples: int) -> None:
    make_big_run(run, TASKS, samples // (TASKS * len(ARMS)), bare=True)


PARTS = {"journal": _journal, "report": _report, "tables": _tables, "files": _files, "resume": _resume}


def _row(what: str, samples: int, limit: str, cost: Cost) -> Sequence[str]:
    return (what, f"{samples:,}", limit, f"{cost.cpu:.1f}", f"{cost.wall:.1f}", f"{cost.peak / 1000:.2f}")


def _child(stage: str, folder: Path, samples: int) -> list[Cost]:
    """What it said of its own costs."""
    words = ("--stage", stage, "--folder", str(folder), "--samples", str(samples))
    command = (sys.executable, "-m", "benchmarks.experiments.million", *words)
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [Cost(*json.loads(line)) for line in output.splitlines() if line.startswith("[")]


def _stage(stage: str, folder: Path, samples: int) -> int:
    began = time.monotonic()

    def tell() -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        cost = Cost(time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000)
        sys.stdout.write(json.dumps(cost) + "\n")

    if stage == "make":
        _make_journal(folder, samples)
    elif stage == "resume":
        per_task = _samples_of_task(folder, samples)
        logging.getLogger("experiments.run.experiment").addFilter(
            lambda line: tell() if line.getMessage().startswith("resuming") else None
        )
        logging.getLogger("experiments.run.experiment").setLevel(logging.INFO)
        finish(run_experiment(_config(folder, per_task), cache_root(), trusted=True))
        tell()
    elif stage == "files":
        done = finished_samples(folder / JOURNAL, UNFINISHED)
        if incomplete(folder, done):
            raise SystemExit(f"{folder}: files are missing")
        tell()
    else:
        keep_report(folder, make_report(folder, read_manifest(folder), finished_records(folder)))
        tell()
    return 0


def _config(run: Path, samples: int) -> RunConfig:
    return RunConfig(dataset="example", sandbox="process", model="gold", arms=RESUMED_ARMS, samples=samples, out=run)


def _samples_of_task(run: Path, samples: int) -> int:
    return samples // (len(read_manifest(run).tasks) * len(RESUMED_ARMS))


def _make_journal(run: Path, samples: int) -> None:
    """A real run of one sample a task, and its records as often as it takes; the last sample is left to be done."""
    run_experiment(_config(run, 1), cache_root(), trusted=True)
    records = [(record, dumps(record) + b"\n") for record in read_journal(run / JOURNAL).values()]
    shutil.rmtree(run / SAMPLES)
    per_task = _samples_of_task(run, samples)
    with (run / JOURNAL).open("wb") as journal:
        for sample in range(per_task):
            known = records if sample < per_task - 1 else records[1:]
            journal.writelines(numbered(line, record, sample) for record, line in known)


if __name__ == "__main__":
    sys.exit(main())
