"""How long real work takes from a bare machine, and how much of its cores is used meanwhile: two checkouts of Graft
beside each other, one after the other.

    python -m benchmarks.record benchmarks/records/idle_cores.json --text -- \\
        python -m benchmarks.executor.costs.idle_cores before=FOLDER after=FOLDER --rows redis,openssl

Each checkout gets an empty cache that holds the base alone, which is copied from GRAFT_CACHE; sources come from
GRAFT_MIRROR. Nothing else may run. A row's CPU seconds are those of all processes that it started; the share is of all
cores that this process may use. The load before each row is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.tables import render_cells
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.tasks.datasets import bind_row, load_rows
from executor.tasks.row_rebinding import rebind_rows
from executor.values import Outcome
from experiments.run.records import JOURNAL, read_journal

HEAD = ("code", "work", "s by the clock", "CPU-s", "share of the cores", "load before", "passed")
# openssl's first 16 tasks in the data set's order, four right answers of other texts to each.
_OPENSSL_TASKS, _ANSWERS = 16, 4


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of work: its wall and CPU seconds, the load before it, and how many answers passed of how many."""

    code: str
    work: str
    wall_s: float
    cpu_s: float
    load: float
    passed: str = ""

    def to_cells(self) -> list[str]:
        share = self.cpu_s / self.wall_s / len(os.sched_getaffinity(0))
        cells = [f"{self.wall_s:.0f}", f"{self.cpu_s:.0f}", f"{share:.0%}", f"{self.load:.1f}"]
        return [self.code, self.work, *cells, self.passed]


@dataclass(frozen=True, slots=True)
class Place:
    """A checkout under its name, and its own cache."""

    name: str
    checkout: Path
    cache: Path
    group: Path

    def run_graft(self, *words: str) -> subprocess.Popen[bytes]:
        env = {**os.environ, "GRAFT_CACHE": str(self.cache), "PYTHONPATH": str(self.checkout)}
        command = ["sh", "-c", 'echo $$ > "$0"; exec "$@"', str(self.group / "cgroup.procs")]
        command += [sys.executable, "-m", "graft", *words]
        return subprocess.Popen(command, stdout=sys.stderr, env=env, cwd=self.checkout)

    def read_cpu_s(self) -> float:
        return int((self.group / "cpuacct.usage").read_text()) / 1e9


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkouts", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--rows", default="redis,openssl")
    parser.add_argument("--work", type=Path, required=True, help="a folder for caches and runs")
    args = parser.parse_args()
    rows: list[Row] = []
    for repo in args.rows.split(","):
        for text in args.checkouts:
            name, _, folder = text.partition("=")
            place = _open_place(name, Path(folder), args.work)
            rows += _measure_openssl(place, args.work) if repo == "openssl" else _measure_redis(place, args.work)
            sys.stderr.write("\n".join(" | ".join(row.to_cells()) for row in rows) + "\n")
    sys.stdout.write(render_cells(HEAD, [row.to_cells() for row in rows], left=2) + "\n")
    return 0


def _open_place(name: str, checkout: Path, work: Path) -> Place:
    cache = work / f"cache-{name}"
    shutil.rmtree(cache, ignore_errors=True)
    cache.mkdir(parents=True)
    base = Path(os.environ["GRAFT_CACHE"]) / "base"
    subprocess.run(["cp", "-al", str(base), str(cache / "base")], check=True)
    group = Path("/sys/fs/cgroup/cpuacct/idle-cores")
    group.mkdir(exist_ok=True)
    return Place(name, checkout.resolve(), cache, group)


def _measure_redis(place: Place, work: Path) -> Iterator[Row]:
    out = work / f"redis-{place.name}"
    yield from _time_work(place, out, "redis, 67 golds", "run", "oracle", "arms=none", "repos=redis", "model=gold")


def _measure_openssl(place: Place, work: Path) -> Iterator[Row]:
    out, words = work / f"openssl-{place.name}", ("arms=none", "repos=openssl", "model=gold")
    rows = _time_work(place, out, "openssl, a gold", "run", "oracle", *words, "limit=1")
    yield next(rows)
    list(rows)
    tasks, answers = _write_answers(place, work / "answers.jsonl")
    # The suites that judge these tasks are measured before the clock starts. What they need isn't known then.
    golds = work / f"golds-{place.name}"
    list(_time_work(place, golds, "", "run", "oracle", *words, f"tasks={tasks}"))
    for path in place.cache.glob("images/*/*/confinement-*.json"):
        path.unlink()
    what = f"openssl, {_ANSWERS * _OPENSSL_TASKS} answers to {_OPENSSL_TASKS} tasks"
    yield list(_time_work(place, work / f"answers-{place.name}", what, "grade", str(answers)))[-1]


def _time_work(place: Place, out: Path, what: str, *words: str) -> Iterator[Row]:
    """Work into an empty folder of a run: up to its first verdict, and to its end."""
    shutil.rmtree(out, ignore_errors=True)
    load, before, began = os.getloadavg()[0], place.read_cpu_s(), time.monotonic()
    process = place.run_graft(*words, "sandbox=bwrap", f"out={out}")
    journal = out / JOURNAL
    while process.poll() is None and not (journal.is_file() and journal.stat().st_size):
        time.sleep(0.1)
    wall_s, cpu_s = time.monotonic() - began, place.read_cpu_s() - before
    yield Row(place.name, f"{what}: from a bare machine to the first verdict", wall_s, cpu_s, load)
    if process.wait():
        raise SystemExit(f"{place.name}: {' '.join(words)}: ended with status {process.returncode}")
    wall_s, cpu_s = time.monotonic() - began, place.read_cpu_s() - before
    records = list(read_journal(journal).values())
    passed = sum(record.graft.verdict.outcome is Outcome.PASSED for record in records)
    yield Row(place.name, f"{what}: to the last verdict", wall_s, cpu_s, load, f"{passed} of {len(records)}")


def _write_answers(place: Place, path: Path) -> tuple[str, Path]:
    """Right answers, each another text. Returns the tasks' ids and the file."""
    recipe = find_recipe("openssl")
    source = checkout_source(recipe, choose_mirror_folder(None), place.cache)
    rows = rebind_rows([row for row in load_rows("yabloco") if row.repository == "openssl"], recipe, source.root).rows
    golds = {row.id: bind_row(row, source.root).gold for row in rows[:_OPENSSL_TASKS]}
    lines = [
        {"task_id": name, "completion": f"```c\n{gold.replace('{', f'{{ /* {number} */', 1)}\n```", "sample": number}
        for name, gold in golds.items()
        for number in range(_ANSWERS)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return ",".join(golds), path


if __name__ == "__main__":
    sys.exit(main())
