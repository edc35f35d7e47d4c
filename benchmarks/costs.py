"""What a command costs: seconds by the clock, CPU-seconds and memory, its children's included."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

SAMPLED_S = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""For every library's own pool: the processes are those that the benchmark starts."""


class Cost(NamedTuple):
    """Seconds by the clock, CPU-seconds (user + system), and MB of resident memory at its peak; all with children.
    `stopped`: it had used up its limit of CPU-seconds, and would have gone on."""

    wall: float
    cpu: float
    peak: float
    stopped: bool = False


def cost_of(
    argv: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None, limit: float | None = None
) -> tuple[Cost, str]:
    """Run a command to its end, or until it has used `limit` CPU-seconds; its cost and output. The peak is sampled
    every `SAMPLED_S`, shared pages counted once per process. Raises SystemExit when it fails."""
    began = time.perf_counter()
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        surroundings = {**os.environ, **_ONE_THREAD, **(env or {})}
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            cwd=cwd,
            env=surroundings,
            start_new_session=True,
        )
        peak = 0
        stopped = False
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            processes = list(family(process.pid))
            peak = max(peak, sum(_resident(p) for p in processes))
            if limit is not None and not stopped and sum(_used(p) for p in processes) > limit:
                stopped = True
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(SAMPLED_S)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        if process.returncode and not stopped:
            errors.seek(0)
            last = errors.read().strip()[-500:]
            raise SystemExit(f"{' '.join(map(str, argv[:4]))}: exit status {process.returncode}; {last}")
        wall = time.perf_counter() - began
        mb = max(peak, 1024 * usage.ru_maxrss) / 2**20
        return Cost(wall, usage.ru_utime + usage.ru_stime, mb, stopped), out.read()


def family(pid: int) -> Iterator[int]:
    """A process, and the processes below it that still run."""
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from family(int(child))


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _used(pid: int) -> float:
    """CPU-seconds of a process and of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(int(n) for n in fields[11:15]) / _TICKS
    except (OSError, IndexError, ValueError):
        return 0.0
