"""The cores and the memory that this process may use."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from executor.sandbox.cgroup import ROOT, read_cgroup_paths

# For Graft itself: an index, an encoder, the model's answers.
RESERVED_MB = 1024


def count_usable_cores() -> int:
    """Cores that this process may use, limited by the CPU quota of its cgroups (rounded down, at least 1)."""
    cores = len(os.sched_getaffinity(0))
    for folder in _list_own_and_parent_cgroups("cpu"):
        quota = _read_all_numbers_or_nothing(folder / "cpu.max") or _read_all_numbers_or_nothing(
            folder / "cpu.cfs_quota_us", folder / "cpu.cfs_period_us"
        )
        if len(quota) == 2 and quota[0] > 0:
            cores = min(cores, int(quota[0] // quota[1]))
    return max(cores, 1)


def measure_usable_memory_mb() -> int:
    """The memory that the machine has available or that this process's cgroups still allow, whichever is less."""
    free = 0
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            free = int(line.split()[1]) * 1024
    for folder in _list_own_and_parent_cgroups("memory"):
        for limit, used in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
            pair = _read_all_numbers_or_nothing(folder / limit, folder / used)
            if len(pair) == 2:
                free = min(free, max(pair[0] - pair[1] + _measure_page_cache_bytes(folder), 0))
    return free // (1024 * 1024)


def _measure_page_cache_bytes(cgroup: Path) -> int:
    """The bytes of files that a cgroup counts as used: the kernel gives them up before it refuses memory. A build
    fills all that is left with them."""
    found: dict[str, int] = {}
    with contextlib.suppress(OSError, ValueError):
        for line in (cgroup / "memory.stat").read_text().splitlines():
            name, _, value = line.partition(" ")
            found[name] = int(value)
    # In version 1 only the totals count the cgroups below, as the usage does.
    return sum(found.get(f"total_{name}", found.get(name, 0)) for name in ("inactive_file", "active_file"))


def _list_own_and_parent_cgroups(controller: str) -> list[Path]:
    """The cgroup of this process for the controller and those above it, in the layout of either version."""
    own = read_cgroup_paths()
    version_1 = controller in own
    mount = ROOT / controller if version_1 else ROOT
    path = Path(own.get(controller if version_1 else "", "/").lstrip("/"))
    return [mount / part for part in (path, *path.parents)]


def _read_all_numbers_or_nothing(*files: Path) -> list[int]:
    """The numbers in the files. Empty where one of the files is missing or says "max"."""
    found: list[int] = []
    with contextlib.suppress(OSError, ValueError):
        for file in files:
            found += [int(word) for word in file.read_text().split()]
        return found
    return []
