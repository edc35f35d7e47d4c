"""How much faster golds are judged on more cores than this machine has: a simulation with a run's recorded times.

    python -m benchmarks.record benchmarks/records/simulated_cores.json --text -- \\
        python -m benchmarks.executor.costs.simulated_cores RUN --own-s 0.012

Real: the scheduler, its threads, and what each command took in RUN, a finished run of golds in order (workers=1).
Simulated: the commands (they sleep, longer where more cores are asked for than there are), the load of the machine,
and time, which runs SCALE times as fast. `--own-s`: seconds of Graft's own process a command, of which one thread
alone can spend any: a run's CPU seconds less those of its commands, by the number of commands.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.tables import render_cells
from executor.sandbox import scheduler as scheduling
from executor.sandbox.scheduler import Need, Scheduler
from executor.threads import map_in_threads_as_completed

SCALE = 20.0
GOLDS = 150
CORES = (1, 2, 4, 8, 16, 32)


@dataclass(frozen=True, slots=True)
class Work:
    """A recorded command: seconds by the clock beside other work, and CPU seconds."""

    wall_s: float
    cpu_s: float

    @property
    def cores(self) -> float:
        return min(self.cpu_s / self.wall_s, 1.0) if self.wall_s else 1.0


@dataclass(slots=True)
class Machine:
    """So many cores, and the cores that running commands ask for."""

    cores: int
    asked: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)
    own: threading.Lock = field(default_factory=threading.Lock)

    def run(self, work: Work, own_s: float) -> None:
        with self.own:
            time.sleep(own_s / SCALE)
        with self.lock:
            self.asked += work.cores
            slower = max(1.0, self.asked / self.cores)
        time.sleep(work.wall_s * slower / SCALE)
        with self.lock:
            self.asked -= work.cores


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("run", type=Path, help="a finished run of golds")
    parser.add_argument("--own-s", type=float, required=True)
    args = parser.parse_args()
    golds = [list(list_commands(path)) for path in sorted(args.run.glob("executions/*/*/execution.json"))]
    golds = [golds[number % len(golds)] for number in range(GOLDS)]
    # The scheduler's own times run as fast as all others.
    for name in ("_WINDOW_S", "_LOOK_S"):
        setattr(scheduling, name, getattr(scheduling, name) / SCALE)
    took = {cores: simulate(golds, cores, args.own_s) for cores in CORES}
    rows = [[str(c), f"{s:.0f}", f"{took[1] / s:.1f}"] for c, s in took.items()]
    sys.stdout.write(render_cells(("cores", f"{GOLDS} golds, s", "speed-up"), rows) + "\n")
    return 0


def list_commands(path: Path) -> Iterator[Work]:
    """The commands of an execution, in the order in which the record has them. Each waits for the one before."""

    def find_steps(value: Any) -> Iterator[Mapping[str, Any]]:
        if isinstance(value, dict):
            if "wall_s" in value and "argv" in value:
                yield value
            for part in value.values():
                yield from find_steps(part)
        elif isinstance(value, list):
            for part in value:
                yield from find_steps(part)

    for step in find_steps(json.loads(path.read_text(encoding="utf-8"))):
        yield Work(step["wall_s"], step["cpu_s"] or step["wall_s"])


def simulate(golds: Sequence[Sequence[Work]], cores: int, own_s: float) -> float:
    """Seconds by the clock for all golds; with one core one command runs after the other."""
    machine = Machine(cores)
    scheduler = Scheduler(1 if cores == 1 else None, cores, 10**9, lambda: min(machine.asked, cores))

    def judge(commands: Sequence[Work]) -> None:
        for work in commands:
            with scheduler.hold_turn(Need(work.cores)):
                machine.run(work, own_s)

    began = time.monotonic()
    for _ in map_in_threads_as_completed(judge, golds, scheduler.most):
        pass
    return (time.monotonic() - began) * SCALE


if __name__ == "__main__":
    sys.exit(main())
