"""How long real work takes, and how much of the cores it uses meanwhile: in order (workers=1) and by default.

    python -m benchmarks.record benchmarks/records/idle_cores.json --text -- \\
        python -m benchmarks.executor.costs.idle_cores --work DIR

Each kind of work is done twice, one after the other, and nothing else may run. What has been measured is kept in DIR,
so that a run which was stopped goes on. Sources come from GRAFT_MIRROR, the base from GRAFT_CACHE: a bare machine is
an empty cache with the base alone. A row's CPU seconds are those of all processes that it started; the share is of all
cores that this process may use.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.tables import render_cells
from executor.tasks.datasets import load_rows
from executor.values import Outcome
from experiments.run.config import RunConfig
from experiments.run.records import JOURNAL, read_journal
from experiments.run.workspace import read_tasks

HEAD = ("work", "goal, s", "in order, s", "default, s", "CPU-s", "of the cores", "passed")
# In order, and as many as the cores and the memory bear.
MODES: dict[str, tuple[str, ...]] = {"in order": ("1",), "default": ()}
# openssl's first 16 tasks in the data set's order, four right answers of other texts to each.
_OPENSSL_TASKS, _ANSWERS = 16, 4


@dataclass(frozen=True, slots=True)
class Measure:
    """One piece of work in one mode: wall and CPU seconds, the load before it, and what passed of how much. `kind`: of
    work, which is measured whole."""

    work: str
    mode: str
    wall_s: float
    cpu_s: float
    load: float
    passed: str = ""
    goal_s: int | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder for one mode's caches and runs, and the control group that counts the CPU seconds."""

    mode: str
    folder: Path
    group: Path

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    def start_graft(self, *words: str, key: str = "workers={}") -> subprocess.Popen[bytes]:
        """`key` says how the command takes the number of workers."""
        env = {**os.environ, "GRAFT_CACHE": str(self.cache)}
        command = ["sh", "-c", 'echo $$ > "$0"; exec "$@"', str(self.group / "cgroup.procs")]
        command += [sys.executable, "-m", "graft", *words, *(key.format(number) for number in MODES[self.mode])]
        return subprocess.Popen(command, stdout=sys.stderr, env=env)

    def read_cpu_s(self) -> float:
        return int((self.group / "cpuacct.usage").read_text()) / 1e9


def main() -> int:
    kinds: dict[str, Callable[[Place], Iterator[Measure]]] = {
        "redis": _measure_redis,
        "openssl": _measure_openssl,
        "variant": _measure_variant,
        "doctor": _measure_doctor,
    }
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--work", type=Path, required=True, help="a folder for caches, runs and what was measured")
    args = parser.parse_args()
    kept = args.work / "measured.jsonl"
    args.work.mkdir(parents=True, exist_ok=True)
    for name, measure in kinds.items():
        for mode in MODES:
            if not any((row.kind, row.mode) == (name, mode) for row in _read_kept(kept)):
                rows = [asdict(row) | {"kind": name} for row in measure(_open_place(mode, args.work / name))]
                with kept.open("a", encoding="utf-8") as file:
                    file.write("".join(json.dumps(row) + "\n" for row in rows))
    sys.stdout.write(_render(_read_kept(kept)) + "\n")
    return 0


def _read_kept(path: Path) -> list[Measure]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else ()
    return [Measure(**json.loads(line)) for line in lines]


def _render(rows: list[Measure]) -> str:
    lines: list[list[str]] = []
    for work in dict.fromkeys(row.work for row in rows):
        modes = [next((row for row in rows if (row.work, row.mode) == (work, mode)), None) for mode in MODES]
        clocks = [f"{row.wall_s:.0f}" if row else "-" for row in modes]
        goal = next(str(row.goal_s or "-") for row in modes if row)
        cpu, share, passed = zip(*(_describe(row) for row in modes if row), strict=True)
        lines.append([work, goal, *clocks, ", ".join(cpu), ", ".join(share), passed[-1]])
    load = max(row.load for row in rows)
    return f"{render_cells(HEAD, lines)}\n\nLoad before each, that of the work before it among it: at most {load:.1f}."


def _describe(row: Measure) -> tuple[str, str, str]:
    share = row.cpu_s / row.wall_s / len(os.sched_getaffinity(0))
    return f"{row.cpu_s:.0f}", f"{share:.0%}", row.passed


def _open_place(mode: str, folder: Path) -> Place:
    """A bare machine: a cache that holds the base alone."""
    place = Place(mode, folder / mode.replace(" ", "-"), Path("/sys/fs/cgroup/cpuacct/idle-cores"))
    shutil.rmtree(place.folder, ignore_errors=True)
    place.cache.mkdir(parents=True)
    subprocess.run(["cp", "-al", f"{os.environ['GRAFT_CACHE']}/base", str(place.cache / "base")], check=True)
    place.group.mkdir(exist_ok=True)
    return place


def _measure_redis(place: Place) -> Iterator[Measure]:
    words = ("run", "oracle", "arms=none", "repos=redis", "model=gold", "sandbox=bwrap")
    return _time_run(place, "redis, 67 golds", (120, 300), "golds", *words)


def _measure_openssl(place: Place) -> Iterator[Measure]:
    words = ("run", "oracle", "arms=none", "repos=openssl", "model=gold", "sandbox=bwrap")
    yield next(rows := _time_run(place, "openssl, a gold", (240, None), "gold", *words, "limit=1"))
    list(rows)
    tasks, answers = _write_answers(place)
    # The suites that judge these tasks are measured before the clock starts. What they need isn't known then.
    list(_time_run(place, "", (None, None), "golds", *words, f"tasks={tasks}"))
    for path in place.cache.glob("images/**/confinement-*.json"):
        path.unlink()
    what = f"openssl, {_ANSWERS * _OPENSSL_TASKS} answers to {_OPENSSL_TASKS} tasks"
    yield list(_time_run(place, what, (None, 240), "answers", "grade", str(answers), "sandbox=bwrap"))[-1]


def _measure_variant(place: Place) -> Iterator[Measure]:
    """The proof alone: the tree is renamed, built and its suites have run when the clock starts."""
    words = ("variants", "make", "redis", "--dataset", "yabloco", "--sandbox", "bwrap", "--reruns", "0")
    _wait_for(place.start_graft(*words, "--golds", "1", "--gold-runs", "1", key="--workers={}"))
    once = ("--golds", "all", "--gold-runs", "1")
    yield _time_command(place, "redis renamed: golds, stubs, plus tests once", 300, *words, *once, key="--workers={}")
    if place.mode == "default":
        thrice = ("--golds", "all", "--gold-runs", "3")
        yield _time_command(place, "the same, three times each", 720, *words, *thrice, key="--workers={}")


def _measure_doctor(place: Place) -> Iterator[Measure]:
    words = ("doctor", "--repos", "redis", "--sandbox", "bwrap", "--out", str(place.folder / "manifests"))
    rows = [row.id for row in load_rows("yabloco") if row.repository == "redis"][:2]
    _wait_for(place.start_graft(*words, "--tasks", rows[0], key="--workers={}"))
    what = "redis, the doctor on one task, from a warm image"
    yield _time_command(place, what, None, *words, "--tasks", rows[1], key="--workers={}")


def _time_command(place: Place, what: str, goal_s: int | None, *words: str, key: str) -> Measure:
    load, before, began = os.getloadavg()[0], place.read_cpu_s(), time.monotonic()
    _wait_for(place.start_graft(*words, key=key))
    return Measure(what, place.mode, time.monotonic() - began, place.read_cpu_s() - before, load, goal_s=goal_s)


def _wait_for(process: subprocess.Popen[bytes]) -> None:
    if process.wait():
        raise SystemExit(f"{process.args}: ended with status {process.returncode}")


def _time_run(
    place: Place, what: str, goals: tuple[int | None, int | None], out: str, *words: str
) -> Iterator[Measure]:
    """A run into an empty folder: up to its first verdict, and to its end. `goals`: seconds for both."""
    load, before, began = os.getloadavg()[0], place.read_cpu_s(), time.monotonic()
    process = place.start_graft(*words, f"out={place.folder / out}")
    journal = place.folder / out / JOURNAL
    while process.poll() is None and not (journal.is_file() and journal.stat().st_size):
        time.sleep(0.1)
    wall_s, cpu_s = time.monotonic() - began, place.read_cpu_s() - before
    first = f"{what}: from a bare machine to the first verdict"
    yield Measure(first, place.mode, wall_s, cpu_s, load, goal_s=goals[0])
    _wait_for(process)
    wall_s, cpu_s = time.monotonic() - began, place.read_cpu_s() - before
    records = list(read_journal(journal).values())
    passed = f"{sum(record.graft.verdict.outcome is Outcome.PASSED for record in records)} of {len(records)}"
    yield Measure(f"{what}: to the last verdict", place.mode, wall_s, cpu_s, load, passed, goals[1])


def _write_answers(place: Place) -> tuple[str, Path]:
    """Right answers, each another text. Returns the tasks' ids and the file."""
    config = RunConfig(dataset="yabloco", repos=("openssl",), model="gold", arms=("none",))
    golds = {task.id: task.gold for task in read_tasks(config, place.cache).tasks[:_OPENSSL_TASKS]}
    lines = [
        {"task_id": name, "completion": f"```c\n{gold.replace('{', f'{{ /* {number} */', 1)}\n```", "sample": number}
        for name, gold in golds.items()
        for number in range(_ANSWERS)
    ]
    path = place.folder / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return ",".join(golds), path


if __name__ == "__main__":
    sys.exit(main())
