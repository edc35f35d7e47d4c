"""`graft make` on source packages of Debian that nobody chose for it.

    python -m benchmarks.executor.making.made_packages WORK --pick N       # draw packages by package_drawing.py's rule
    python -m benchmarks.executor.making.made_packages WORK    # make a benchmark of each that isn't recorded yet

Each gets one command, `graft make debian:NAME --limit 24 --minutes 26`, no line by hand, and at most 30 minutes by the
clock. Every task's figures come from the manifest that the doctor wrote. The record is written after each package, so
a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.costs import read_children_cpu_seconds
from benchmarks.executor.making.package_drawing import draw_packages
from benchmarks.record import load_result_or_empty, save_result
from executor.cache import cache_root
from executor.manifest.health import Fate
from executor.manifest.manifest import load_manifest
from executor.tasks.task_folders import read_task_folders
from experiments.consoles import set_up_stderr_logging
from lab.doctor.stubs_and_mutants import is_plain_zero_stub
from lab.making.settings import MAKE_FILE, read_settings

log = logging.getLogger(__name__)

RECORD = "made_tested"
COMMAND = "python -m benchmarks.executor.making.made_packages WORK"
WANTED = 20
SECONDS = 1800
MINUTES = 26  # the table of calls and the files are written after that
TASKS = 24


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--pick", type=int, metavar="N", help=f"{WANTED} in the end")
    options = parser.parse_args()
    set_up_stderr_logging(logging.INFO)
    result = load_result_or_empty(RECORD)
    if options.pick:
        for _ in draw_packages(result, options.pick):
            save_result(RECORD, COMMAND, result)
        return 0
    for name in result["picked"]:
        if name in result["packages"]:
            continue
        made = make_package(name, options.work)
        log.info(f"{name}: {json.dumps(made)}")
        # Another package may have been recorded since.
        result = load_result_or_empty(RECORD)
        result["packages"][name] = made
        save_result(RECORD, COMMAND, result)
    return 0


def make_package(name: str, work: Path) -> dict[str, Any]:
    """The row."""
    out = work / name
    started, spent = time.monotonic(), read_children_cpu_seconds()
    argv = [sys.executable, "-m", "graft", "make", f"debian:{name}", "--out", str(out), "--limit", str(TASKS)]
    argv += ["--minutes", str(MINUTES)]
    work.mkdir(parents=True, exist_ok=True)
    with (work / f"{name}.log").open("w") as output:
        # Behind a shell's & the signal that stops it would be ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        making = subprocess.Popen([*argv, "--sandbox", "bwrap"], stdout=output, stderr=output)
        try:
            ended = "" if making.wait(SECONDS) == 0 else "failed"
        except subprocess.TimeoutExpired:
            ended = f"{SECONDS // 60} minutes were over"
            stop_making(making)
    said = (work / f"{name}.log").read_text(errors="replace")
    said = said.replace(str(work.absolute()), "WORK").replace(str(cache_root()), "CACHE")
    error = re.findall(r"(?m)^graft: (.*)$", said)
    facts: dict[str, Any] = {
        "minutes": round((time.monotonic() - started) / 60, 1),
        "cpu_minutes": round((read_children_cpu_seconds() - spent) / 60, 1),
        "load": round(os.getloadavg()[2], 1),
        "why": error[-1][:300] if error and ended else ended,
    }
    if (out / MAKE_FILE).is_file():
        facts["system"] = read_settings(out / MAKE_FILE).build.system
    return {**facts, **read_manifest_facts(out)}


def stop_making(making: subprocess.Popen[bytes]) -> None:
    """By a signal that lets it end its own processes: the CPU time of those that are killed with it isn't counted."""
    making.send_signal(signal.SIGINT)
    try:
        making.wait(60)
    except subprocess.TimeoutExpired:
        making.kill()
        making.wait()


def read_manifest_facts(out: Path) -> Mapping[str, Any]:
    """What the manifest says of the tasks that were written."""
    manifest = load_manifest(next(out.glob("recipes/*/manifest.json"), out))
    if manifest is None:
        return {}
    facts: dict[str, Any] = {"health": dict(Counter(entry.health.value for entry in manifest.tasks.values()))}
    if not (out / "tasks").is_dir():
        return facts
    entries = [manifest.tasks[row.id] for row in read_task_folders(out)]
    return {
        **facts,
        "tasks": len(entries),
        "gold_runs": sum(entry.gold_runs for entry in entries),
        "gold_passed": sum(entry.gold_passed for entry in entries),
        "plain_stubs_passed": sum(
            any(is_plain_zero_stub(f.kind, f.name) and f.fate is not Fate.KILLED for f in entry.findings)
            for entry in entries
        ),
        "forgeries_passed": sum(len(entry.forgeries_passed) for entry in entries),
    }


if __name__ == "__main__":
    sys.exit(main())
