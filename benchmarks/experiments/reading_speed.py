"""What it costs to read a run of full width: 200 tasks x 5 arms x 3 samples, made up (benchmarks.experiments.big_run).

    python -m benchmarks.record benchmarks/records/reading.json --text -- \\
        python -m benchmarks.experiments.reading_speed

Each command runs in a process of its own, its start included, and the best of several runs counts: on a busy machine
the wall clock says little, so CPU time stands beside it. A Markdown table goes to standard output.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.experiments.big_run import make_big_run

# What is read, and the seconds that it may take, where a limit was set.
COMMANDS: dict[str, float | None] = {
    "compare RUN": 5,
    "leaderboard RUN": None,
    "show RUN": None,
    "report RUN --html OUT/page.html": 10,
    "report RUN --figures OUT/figures": None,
    "report RUN --latex OUT/tables.tex": None,
    "export RUN --to csv --out OUT/s.csv": None,
    "export RUN --to jsonl --out OUT/s.jsonl": None,
    "export RUN --to parquet --out OUT/s.parquet": None,
    "export RUN --to lm-eval --out OUT/lm-eval": None,
    "export RUN --to inspect --out OUT/inspect": None,
}


class Cost(NamedTuple):
    wall_s: float
    cpu_s: float


def cost_of(words: list[str]) -> Cost:
    """One run of `graft`. Raises CalledProcessError when it fails."""
    began = time.monotonic()
    child = subprocess.Popen((sys.executable, "-m", "graft", *words), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    wall = time.monotonic() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, words)
    return Cost(wall, used.ru_utime + used.ru_stime)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    lines = ["| command | limit, s | wall, s | CPU, s |", "| --- | --- | --- | --- |"]
    with tempfile.TemporaryDirectory() as folder:
        run, out = Path(folder) / "run", Path(folder) / "out"
        out.mkdir()
        make_big_run(run, args.tasks)
        for command, limit in COMMANDS.items():
            words = [word.replace("RUN", str(run)).replace("OUT", str(out)) for word in command.split()]
            best = min(cost_of(words) for _ in range(args.repeat))
            shown = "-" if limit is None else f"{limit:g}"
            lines.append(f"| `graft {command.replace('OUT/', '')}` | {shown} | {best.wall_s:.1f} | {best.cpu_s:.1f} |")
    # More than one process a core: the wall clock is that of a machine with other work.
    lines += ["", f"Load of the machine at the end: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores."]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
