"""How many sandboxes this machine carries at once: by its cores and memory, as far as both are this process's."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from executor.sandbox.cgroup import ROOT, own_paths

# What is left to Graft itself: an index, an encoder, the model's answers.
RESERVED_MB = 1024


def default_workers(memory_mb: int) -> int:
    """One sandbox a core, but no more than fit into the free memory when each takes `memory_mb`; at least one."""
    return max(1, min(usable_cores(), (usable_memory_mb() - RESERVED_MB) // max(memory_mb, 1)))


def usable_cores() -> int:
    """Cores that this process may run on; a cgroup's quota of CPU time counts too (rounded down, at least 1)."""
    cores = len(os.sched_getaffinity(0))
    for folder in _folders("cpu"):
        quota = _numbers(folder / "cpu.max") or _numbers(folder / "cpu.cfs_quota_us", folder / "cpu.cfs_period_us")
        if len(quota) == 2 and quota[0] > 0:
            cores = min(cores, int(quota[0] // quota[1]))
    return max(cores, 1)


def usable_memory_mb() -> int:
    """What the machine has available, or a cgroup above this process still allows, whichever is less."""
    free = 0
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            free = int(line.split()[1]) * 1024
    for folder in _folders("memory"):
        for limit, used in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
            pair = _numbers(folder / limit, folder / used)
            if len(pair) == 2:
                free = min(free, max(pair[0] - pair[1], 0))
    return free // (1024 * 1024)


def _folders(controller: str) -> list[Path]:
    """The cgroup of this process for the controller, and those above it, in either version's layout."""
    own = own_paths()
    version_1 = controller in own
    mount = ROOT / controller if version_1 else ROOT
    path = Path(own.get(controller if version_1 else "", "/").lstrip("/"))
    return [mount / part for part in (path, *path.parents)]


def _numbers(*files: Path) -> list[int]:
    """The numbers in the files; none where one of them isn't there or says "max"."""
    found: list[int] = []
    with contextlib.suppress(OSError, ValueError):
        for file in files:
            found += [int(word) for word in file.read_text().split()]
        return found
    return []
