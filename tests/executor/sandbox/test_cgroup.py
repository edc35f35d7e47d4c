"""Figures of a cgroup, in both formats. Prevents: a candidate that ran out of memory reported as a mere failure."""

from __future__ import annotations

from executor.sandbox.cgroup import Cgroup


def test_version_2(tmp_path):
    (tmp_path / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\n")
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n")
    group = Cgroup(2, (tmp_path,))
    assert (group.cpu_s(), group.memory_kills()) == (1.5, 2)
    group.stop_forks()
    assert (tmp_path / "pids.max").read_text() == "0"
    assert group.doors() == [f"{tmp_path}/cgroup.procs"]


def test_version_1(tmp_path):
    memory, pids, cpu = folders = tuple(tmp_path / name for name in ("memory", "pids", "cpuacct"))
    for folder in folders:
        folder.mkdir()
    (cpu / "cpuacct.usage").write_text("250000000\n")
    (memory / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 1\n")
    group = Cgroup(1, folders)
    assert (group.cpu_s(), group.memory_kills()) == (0.25, 1)
    group.stop_forks()
    assert (pids / "pids.max").read_text() == "0"


def test_what_the_kernel_does_not_tell_is_unknown(tmp_path):
    group = Cgroup(2, (tmp_path,))
    assert (group.cpu_s(), group.memory_kills()) == (None, 0)
