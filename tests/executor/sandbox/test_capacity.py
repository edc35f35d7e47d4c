"""How many sandboxes run at once. Prevents: a run that starts more than memory carries, whose candidates the kernel
then kills for want of memory that they didn't take."""

from __future__ import annotations

import pytest

from executor.sandbox import capacity, cgroup
from executor.sandbox.capacity import count_default_workers, count_usable_cores, measure_usable_memory_mb

MIB = 1024 * 1024


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Eight cores, and cgroup files below a folder of the test's."""
    monkeypatch.setattr(capacity, "ROOT", tmp_path)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(8)))
    return tmp_path


def test_version_2_quota_and_limit_count_at_every_level(machine, monkeypatch):
    monkeypatch.setattr(capacity, "read_cgroup_paths", lambda: {"": "/jobs/mine"})
    inner = machine / "jobs" / "mine"
    inner.mkdir(parents=True)
    (inner / "cpu.max").write_text("max 100000\n")
    (machine / "jobs" / "cpu.max").write_text("350000 100000\n")
    (inner / "memory.max").write_text("max\n")
    (machine / "jobs" / "memory.max").write_text(f"{4096 * MIB}\n")
    (machine / "jobs" / "memory.current").write_text(f"{1024 * MIB}\n")
    assert count_usable_cores() == 3
    assert measure_usable_memory_mb() == min(3072, measure_usable_memory_mb())
    assert count_default_workers(1024) == 2
    assert count_default_workers(100) == 3
    assert count_default_workers(100_000) == 1


def test_version_1_quota_and_limit(machine, monkeypatch):
    monkeypatch.setattr(capacity, "read_cgroup_paths", lambda: {"cpu": "/", "memory": "/mine"})
    for name in ("cpu", "memory/mine"):
        (machine / name).mkdir(parents=True)
    (machine / "cpu" / "cpu.cfs_quota_us").write_text("-1\n")
    (machine / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    (machine / "memory" / "mine" / "memory.limit_in_bytes").write_text(f"{2048 * MIB}\n")
    (machine / "memory" / "mine" / "memory.usage_in_bytes").write_text(f"{48 * MIB}\n")
    assert count_usable_cores() == 8
    assert measure_usable_memory_mb() == 2000
    (machine / "cpu" / "cpu.cfs_quota_us").write_text("50000\n")
    assert count_usable_cores() == 1


def test_this_machine_carries_at_least_one():
    assert cgroup.ROOT.is_dir()
    assert 1 <= count_default_workers(512) <= count_usable_cores()
