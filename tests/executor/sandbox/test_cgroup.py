"""What a cgroup says and bounds, in both formats. Prevents: a candidate that ran out of memory reported as a mere
failure, and a run that starts more than memory carries, whose candidates the kernel then kills."""

from __future__ import annotations

import pytest

from executor.sandbox import capacity
from executor.sandbox.capacity import count_usable_cores, measure_usable_memory_mb
from executor.sandbox.cgroup import Cgroup


@pytest.fixture
def first(tmp_path):
    """A group of version 1, in ordinary folders."""
    folders = tuple(tmp_path / name for name in ("memory", "pids", "cpuacct"))
    for folder in folders:
        folder.mkdir()
    return Cgroup(1, folders)


def test_version_2(tmp_path):
    group = Cgroup(2, (tmp_path,))
    assert (group.cpu_s(), group.count_memory_kills()) == (None, 0), "what the kernel does not tell is unknown"
    (tmp_path / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\n")
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n")
    assert (group.cpu_s(), group.count_memory_kills()) == (1.5, 2)
    group.forbid_forks()
    assert (tmp_path / "pids.max").read_text() == "0"
    assert group.list_cgroup_procs_files() == [f"{tmp_path}/cgroup.procs"]


def test_version_1(first):
    memory, pids, cpu = first.folders
    (cpu / "cpuacct.usage").write_text("250000000\n")
    (memory / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 1\n")
    assert (first.cpu_s(), first.count_memory_kills()) == (0.25, 1)
    first.forbid_forks()
    assert (pids / "pids.max").read_text() == "0"


def test_limits_are_set_in_the_order_that_version_1_allows(first):
    """The limit with swap may never be the lower of the two, at no moment."""
    memory, with_swap = (first.folders[0] / f"memory.{name}limit_in_bytes" for name in ("", "memsw."))
    memory.write_text(str(100 << 20))
    with_swap.write_text(str(100 << 20))
    for megabytes in (200, 50):
        assert first.try_to_set_limits(megabytes, 33)
        assert (memory.read_text(), with_swap.read_text()) == (str(megabytes << 20),) * 2
        earlier, later = (with_swap, memory) if megabytes == 200 else (memory, with_swap)
        assert earlier.stat().st_mtime_ns <= later.stat().st_mtime_ns
    assert (first.folders[1] / "pids.max").read_text() == "33"


def test_version_2_is_never_bound_below_what_is_in_use(tmp_path):
    """The kernel would kill the container's first process, or the command that comes next, at once."""
    (tmp_path / "memory.current").write_text(str(80 << 20))
    group = Cgroup(2, (tmp_path,))
    assert not group.try_to_set_limits(64, 10)
    assert not (tmp_path / "memory.max").exists()
    assert group.try_to_set_limits(96, 10)
    assert (tmp_path / "memory.max").read_text() == str(96 << 20)
    assert not Cgroup(2, (tmp_path / "gone",)).try_to_set_limits(64, 10)


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
