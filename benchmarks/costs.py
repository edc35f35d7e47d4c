"""What a command costs: seconds by the clock, CPU-seconds and memory, its children's included."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

SAMPLED_S = 0.1
_TICKS = os.sysconf("SC_CLK_TCK")
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""For every library's own pool: the processes are those that the benchmark starts."""


class Cost(NamedTuple):
    """Seconds by the clock, CPU-seconds (user + system), and MB of memory at its peak; all with children. `stopped`:
    it was killed at a limit, and would have gone on."""

    wall: float
    cpu: float
    peak: float
    stopped: bool = False


class Limits(NamedTuple):
    """What a command may use, all its processes together, before they are killed."""

    cpu_s: float | None = None
    wall_s: float | None = None
    memory_mb: float | None = None

    def find_excess(self, cpu: float, wall: float, memory: float) -> str:
        """What was used up, in words; "" while nothing is."""
        if self.cpu_s is not None and cpu > self.cpu_s:
            return f"took more than {self.cpu_s:.0f} CPU-s"
        if self.wall_s is not None and wall > self.wall_s:
            return f"took more than {self.wall_s:.0f} s"
        if self.memory_mb is not None and memory > self.memory_mb:
            return f"held more than {self.memory_mb:.0f} MB"
        return ""


class Ended(NamedTuple):
    """A command that was run: its cost, what it printed, and how it ended: "" for a status of 0, else why not."""

    cost: Cost
    out: str
    errors: str
    failure: str


def run_measured(
    argv: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None, limits: Limits | None = None
) -> Ended:
    """Run a command to its end or to a limit. Memory is sampled every `SAMPLED_S`, pages that processes share divided
    among them."""
    began = time.perf_counter()
    env = {**os.environ, **_ONE_THREAD, **(env or {})}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=out, stderr=errors, cwd=cwd, env=env, start_new_session=True
        )
        peak, failure = 0.0, ""
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            processes = list(list_family(process.pid))
            memory = sum(map(read_memory_mb, processes))
            peak = max(peak, memory)
            if limits is not None and not failure:
                cpu = sum(map(read_cpu_seconds, processes))
                failure = limits.find_excess(cpu, time.perf_counter() - began, memory)
                if failure:
                    os.killpg(process.pid, signal.SIGKILL)
            time.sleep(SAMPLED_S)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        cost = Cost(wall, usage.ru_utime + usage.ru_stime, max(peak, usage.ru_maxrss / 1024), stopped=bool(failure))
        if process.returncode and not failure:
            failure = f"exit status {process.returncode}"
        out.seek(0)
        errors.seek(0)
        return Ended(cost, out.read(), errors.read(), failure)


def measure_cost(
    argv: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None, cpu_s: float | None = None
) -> Cost:
    """The cost of a command, or of `cpu_s` CPU-seconds of it. Raises SystemExit when it fails."""
    ended = run_measured(argv, cwd, env, Limits(cpu_s=cpu_s))
    if ended.failure and not ended.cost.stopped:
        raise SystemExit(f"{' '.join(map(str, argv[:4]))}: {ended.failure}; {ended.errors.strip()[-500:]}")
    return ended.cost


def read_children_cpu_seconds() -> float:
    """CPU-seconds of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_graft(*words: str, env: Mapping[str, str] | None = None) -> tuple[float, float]:
    """Run `graft` with these words; what it prints goes to standard error. Returns seconds by the clock and
    CPU-seconds. Raises CalledProcessError."""
    began, before = time.monotonic(), read_children_cpu_seconds()
    command = [sys.executable, "-m", "graft", *words]
    subprocess.run(command, stdout=sys.stderr, env={**os.environ, **(env or {})}, check=True)
    return time.monotonic() - began, read_children_cpu_seconds() - before


def list_family(pid: int) -> Iterator[int]:
    """A process, and the processes below it that still run."""
    yield pid
    # A child is its thread's.
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in path.read_text().split():
                yield from list_family(int(child))


def read_memory_mb(pid: int) -> float:
    """A process's memory, each page that it shares divided among those who share it."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def read_cpu_seconds(pid: int) -> float:
    """CPU-seconds of a process and of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(int(n) for n in fields[11:15]) / _TICKS
    except (OSError, IndexError, ValueError):
        return 0.0
