"""Prevents: cores that idle while sandboxes sleep, memory that is promised twice, and children that outlive Ctrl-C; a
candidate that ran out of memory reported as a mere failure, and a run that starts more than memory carries, whose
candidates the kernel then kills."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from executor.sandbox import capacity
from executor.sandbox.capacity import count_usable_cores, measure_usable_memory_mb
from executor.sandbox.cgroup import Cgroup
from executor.sandbox.contract import Backend, Command, CommandLimits, ExecResult, Session
from executor.sandbox.scheduled import ScheduledBackend, find_concurrent_command_limit, hold_machine
from executor.sandbox.scheduler import LoadMeter, Need, Scheduler
from executor.threads import map_in_threads_as_completed
from index.errors import SandboxError
from tests.support.projects import write_files

SLEEPS, BURNS = 0.05, 1.0


@dataclass
class ScriptedSandbox:
    """A sandbox whose commands are scripts: `sleep` waits, `burn` keeps a core busy, `die` raises. It notes how many
    ran at once, the memory of those, and how many ran beside each that wants to be alone."""

    most: int = 0
    most_burning: int = 0
    most_mb: int = 0
    beside_alone: list[int] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)
    running: list[Command] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    name: str = "scripted"
    isolated: bool = True
    root: str = "/"

    @contextmanager
    def session(self, key: str) -> Iterator[Session]:
        yield cast(Session, self)

    def run(self, command: Command) -> ExecResult:
        word = command.argv[0]
        with self.lock:
            self.running.append(command)
            self.most = max(self.most, len(self.running))
            self.most_burning = max(self.most_burning, sum(other.argv[0] == "burn" for other in self.running))
            self.most_mb = max(self.most_mb, sum(other.limits.memory_mb for other in self.running))
        try:
            time.sleep(0.05)
            if word == "die":
                raise SandboxError("it died")
            return ExecResult(0, b"", False, False, 0.05, 0.05 * (command.cores or 0.0))
        finally:
            with self.lock:
                self.running.remove(command)
                self.ran.append(command.cwd)
                if command.alone:
                    self.beside_alone.append(len(self.running))


def run_all(sandbox: ScriptedSandbox, scheduler: Scheduler, commands: list[Command]) -> list[str]:
    backend = ScheduledBackend(cast(Backend, sandbox), scheduler)

    def run(command: Command) -> str:
        with backend.session("key") as session:
            try:
                session.run(command)
            except SandboxError as error:
                return f"{command.cwd}: {error}"
            return command.cwd

    return list(map_in_threads_as_completed(run, commands, find_concurrent_command_limit(backend)))


def wait_for_row(scheduler: Scheduler, count: int) -> None:
    """Return once so many commands wait for their turn: on a busy machine a thread begins when it likes."""
    deadline = time.monotonic() + 30
    while len(scheduler._row) < count:
        assert time.monotonic() < deadline, "the commands don't wait for a turn"
        time.sleep(0.01)


def make_commands(word: str, count: int, cores: float | None, memory_mb: int = 10, **more: Any) -> list[Command]:
    limits = CommandLimits(memory_mb=memory_mb)
    return [Command((word,), f"{word}-{n}", limits=limits, cores=cores, **more) for n in range(count)]


@pytest.mark.parametrize(("load", "most_burning", "most"), [(1.95, 2, 4), (1.5, 3, 8)])
def test_sleeping_commands_share_cores_and_busy_ones_get_one_each(load: float, most_burning: int, most: int) -> None:
    """Where the machine isn't seen busy one more burns: Graft works between two commands of a session."""
    sandbox = ScriptedSandbox()
    scheduler = Scheduler(None, 2, 10_000, lambda: load)
    commands = make_commands("burn", 8, BURNS) + make_commands("sleep", 24, SLEEPS)
    done = run_all(sandbox, scheduler, commands)
    assert sorted(done) == sorted(command.cwd for command in commands), "no item is lost"
    assert sandbox.most_burning == most_burning
    assert 4 <= sandbox.most <= most <= scheduler.most == 8
    assert scheduler.ended == 32 and scheduler.cpu_s == pytest.approx(8 * 0.05 + 24 * 0.05 * SLEEPS)


def test_on_a_busy_machine_few_commands_run_whatever_is_expected_of_them() -> None:
    """Prevents: eight candidates that burn and fork where the unmodified tree's suite sleeps."""
    sandbox = ScriptedSandbox()
    run_all(sandbox, Scheduler(None, 2, 10_000, lambda: 2.0), make_commands("sleep", 16, SLEEPS))
    assert sandbox.most == 4 and len(sandbox.ran) == 16


@pytest.mark.parametrize(("load", "running", "begins"), [(0.1, 3, True), (2.0, 2, False)])
def test_commands_of_unknown_load_begin_while_the_machine_is_seen_idle(
    load: float, running: int, begins: bool
) -> None:
    """The first measurement of a repository knows nothing of its suites, and most of them sleep."""
    scheduler = Scheduler(None, 2, 10_000, lambda: load)
    with ExitStack() as turns:
        for _ in range(running):
            turns.enter_context(scheduler.hold_turn(Need()))
        entered = threading.Event()
        thread = threading.Thread(target=lambda: scheduler.hold_turn(Need()).__enter__() or entered.set())
        thread.daemon = True
        thread.start()
        # What began within the last second isn't in the measured load yet.
        assert not entered.wait(0.5)
        assert entered.wait(1.5) == begins


def test_memory_is_never_promised_twice() -> None:
    sandbox = ScriptedSandbox()
    commands = make_commands("sleep", 12, SLEEPS, 400) + make_commands("sleep", 1, SLEEPS, 5000)
    run_all(sandbox, Scheduler(None, 4, 1000, lambda: 0.0), commands)
    # What needs more than there is runs by itself.
    assert sandbox.most_mb == 5000 and sandbox.most == 2 and len(sandbox.ran) == 13


def test_one_worker_runs_in_order_and_a_dying_command_loses_nothing() -> None:
    sandbox = ScriptedSandbox()
    commands = make_commands("sleep", 3, SLEEPS) + make_commands("die", 1, None) + make_commands("burn", 2, None)
    done = run_all(sandbox, Scheduler(1, 2, 10_000, lambda: 0.0), commands)
    assert done == ["sleep-0", "sleep-1", "sleep-2", "die-0: it died", "burn-0", "burn-1"]
    assert sandbox.most == 1


def test_what_is_sensitive_to_time_runs_alone() -> None:
    sandbox = ScriptedSandbox()
    scheduler = Scheduler(None, 2, 10_000, lambda: 0.0)
    run_all(sandbox, scheduler, make_commands("sleep", 6, SLEEPS) + make_commands("sleep", 3, SLEEPS, alone=True))
    assert sandbox.beside_alone == [0, 0, 0] and sandbox.most > 1


@pytest.mark.parametrize("hold", [lambda s: s.hold_turn(Need(cores=2.0)), lambda s: s.hold_machine()])
def test_what_needs_much_isnt_kept_waiting_by_small_work_that_comes_later(
    hold: Callable[[Scheduler], AbstractContextManager[None]],
) -> None:
    scheduler = Scheduler(4, 2, 10_000, lambda: 2.0)
    entered: list[str] = []

    def enter(name: str, held: AbstractContextManager[None]) -> None:
        with held:
            entered.append(name)

    with scheduler.hold_turn(Need(cores=0.9)):
        threads = [threading.Thread(target=enter, args=("much", hold(scheduler)))]
        threads[0].start()
        wait_for_row(scheduler, 1)
        small = [scheduler.hold_turn(Need(cores=0.5)) for _ in range(3)]
        threads += [threading.Thread(target=enter, args=("small", held)) for held in small]
        for thread in threads[1:]:
            thread.start()
        wait_for_row(scheduler, 4)
        assert entered == []
    for thread in threads:
        thread.join(5)
    assert entered == ["much", *["small"] * 3]


def test_what_nobody_waits_for_goes_last() -> None:
    """Prevents: a first verdict that waits for the second round of all suites."""
    sandbox, scheduler = ScriptedSandbox(), Scheduler(10, 1, 10_000, lambda: 2.0)
    commands = make_commands("sleep", 6, 1.0, later=True) + make_commands("burn", 4, 1.0)
    with scheduler.hold_turn(Need(alone=True)):
        thread = threading.Thread(target=run_all, args=(sandbox, scheduler, commands))
        thread.start()
        wait_for_row(scheduler, len(commands))
    thread.join(30)
    assert [name[:4] for name in sandbox.ran] == ["burn"] * 4 + ["slee"] * 6


def test_who_has_the_machine_runs_commands_and_nobody_else_does() -> None:
    sandbox = ScriptedSandbox()
    backend = ScheduledBackend(cast(Backend, sandbox), Scheduler(None, 2, 10_000, lambda: 0.0))
    inside: list[int] = []

    def work(number: int) -> None:
        with backend.session("key") as session:
            if number % 3:
                session.run(make_commands("sleep", 1, SLEEPS)[0])
            else:
                with hold_machine(backend):
                    session.run(make_commands("sleep", 1, SLEEPS)[0])
                    inside.append(len(sandbox.running))

    # Two that want the machine at once must not wait for each other for ever.
    assert len(list(map_in_threads_as_completed(work, range(18), 8))) == 18
    assert inside == [0] * 6 and sandbox.most > 1


def test_the_meter_sees_a_busy_core_and_no_machine_as_idle_that_tells_no_load(tmp_path: Path) -> None:
    meter = LoadMeter()
    assert meter() == 0.0
    ends = time.monotonic() + 1.2
    while time.monotonic() < ends:
        meter()
    assert meter() > 0.5
    (tmp_path / "stat").write_text("nothing here\n")
    assert LoadMeter(tmp_path / "stat")() == LoadMeter(tmp_path / "none")() == float("inf")


@pytest.mark.parametrize(("priority", "seen"), [(0, 1.0), (5, 3.0)])
def test_niced_work_gives_way_to_commands_that_are_not_niced(
    priority: int, seen: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getpriority", lambda which, who: priority)
    stat, ticks, began = tmp_path / "stat", os.sysconf("SC_CLK_TCK"), time.monotonic()
    meter = LoadMeter(stat)
    while time.monotonic() < began + 1.2:
        spent = int((time.monotonic() - began) * ticks)
        stat.write_text(f"cpu {spent} {2 * spent} 0 {9 * spent} 0 0 0 0 0 0\n")
        load = meter()
        time.sleep(0.05)
    assert load == pytest.approx(seen, rel=0.25)


_PROGRAM = """
import signal, sys
# Where the tests run in the background it is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
from pathlib import Path
from executor.sandbox.choose import choose_backend
from executor.sandbox.contract import Command, CommandLimits
from executor.sandbox.scheduled import find_concurrent_command_limit
from executor.threads import map_in_threads_as_completed
cache = Path(sys.argv[1])
backend = choose_backend("process", cache, 4).backend
with backend.builder(None) as builder:
    builder.commit("key", {})
def run(number):
    with backend.session("key") as session:
        session.run(Command(("sh", "-c", f"echo $$ > {cache}/{number}.pid; exec sleep 300"), cores=0.0))
for _ in map_in_threads_as_completed(run, range(8), find_concurrent_command_limit(backend)):
    pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_at_once_and_leaves_no_child(number: signal.Signals, tmp_path: Path) -> None:
    """Prevents: a user who presses Ctrl-C and waits for minutes, and suites that go on without their harness."""
    process = subprocess.Popen([sys.executable, "-c", _PROGRAM, str(tmp_path)], stderr=subprocess.DEVNULL)
    ends = time.monotonic() + 30
    while len(pids := [path for path in tmp_path.glob("*.pid") if path.read_text()]) < 4 and time.monotonic() < ends:
        time.sleep(0.05)
    assert len(pids) == 4, "the first four run, the others wait"
    process.send_signal(number)
    process.wait(10)
    ends = time.monotonic() + 10
    left = [int(path.read_text()) for path in pids]
    while (left := [pid for pid in left if Path(f"/proc/{pid}").exists()]) and time.monotonic() < ends:
        time.sleep(0.05)
    assert left == [] and len(list(tmp_path.glob("*.pid"))) == 4


def test_a_group_of_version_2_is_never_bound_below_what_is_in_use(tmp_path: Path) -> None:
    """The kernel would kill the container's first process, or the command that comes next, at once."""
    group = Cgroup(2, (tmp_path,))
    assert (group.cpu_s(), group.count_memory_kills()) == (None, 0), "what the kernel does not tell is unknown"
    cpu, memory = "usage_usec 1500000\nuser_usec 1000000\n", "low 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n"
    write_files(tmp_path, {"cpu.stat": cpu, "memory.events": memory, "memory.current": str(80 << 20)})
    assert (group.cpu_s(), group.count_memory_kills()) == (1.5, 2)
    group.forbid_forks()
    assert (tmp_path / "pids.max").read_text() == "0"
    assert group.list_cgroup_procs_files() == [f"{tmp_path}/cgroup.procs"]
    assert not group.try_to_set_limits(64, 10)
    assert not (tmp_path / "memory.max").exists()
    assert group.try_to_set_limits(96, 10)
    assert (tmp_path / "memory.max").read_text() == str(96 << 20)
    assert not Cgroup(2, (tmp_path / "gone",)).try_to_set_limits(64, 10)


def test_limits_are_set_in_the_order_that_version_1_allows(tmp_path: Path) -> None:
    """The limit with swap may never be the lower of the two, at no moment."""
    memory, with_swap = (tmp_path / "memory" / f"memory.{name}limit_in_bytes" for name in ("", "memsw."))
    files = dict.fromkeys((f"memory/{memory.name}", f"memory/{with_swap.name}"), str(100 << 20))
    files |= {"cpuacct/cpuacct.usage": "250000000\n", "memory/memory.oom_control": "under_oom 0\noom_kill 1\n"}
    write_files(tmp_path, {**files, "pids/pids.max": ""})
    first = Cgroup(1, tuple(tmp_path / name for name in ("memory", "pids", "cpuacct")))
    assert (first.cpu_s(), first.count_memory_kills()) == (0.25, 1)
    for megabytes in (200, 50):
        assert first.try_to_set_limits(megabytes, 33)
        assert (memory.read_text(), with_swap.read_text()) == (str(megabytes << 20),) * 2
        earlier, later = (with_swap, memory) if megabytes == 200 else (memory, with_swap)
        assert earlier.stat().st_mtime_ns <= later.stat().st_mtime_ns
    assert (tmp_path / "pids" / "pids.max").read_text() == "33"
    first.forbid_forks()
    assert (tmp_path / "pids" / "pids.max").read_text() == "0"


MIB = 1024 * 1024


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Eight cores, and cgroup files below a folder of the test's."""
    monkeypatch.setattr(capacity, "ROOT", tmp_path)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(8)))
    return tmp_path


def test_quotas_and_limits_count_at_every_level(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capacity, "read_cgroup_paths", lambda: {"": "/jobs/mine"})
    files = {"mine/cpu.max": "max 100000\n", "cpu.max": "350000 100000\n", "mine/memory.max": "max\n"}
    limits = {"memory.max": f"{4096 * MIB}\n", "memory.current": f"{1024 * MIB}\n"}
    write_files(machine / "jobs", {**files, **limits})
    assert count_usable_cores() == 3
    assert measure_usable_memory_mb() <= 3072
    # Files that were read or written are no memory in use.
    cache = f"anon {64 * MIB}\nfile {960 * MIB}\ninactive_file {300 * MIB}\nactive_file {600 * MIB}\n"
    write_files(machine / "jobs", {"memory.max": f"{1025 * MIB}\n", "memory.stat": cache})
    assert measure_usable_memory_mb() == 901
    # In version 1.
    monkeypatch.setattr(capacity, "read_cgroup_paths", lambda: {"cpu": "/", "memory": "/mine"})
    limits = {"memory.limit_in_bytes": f"{2048 * MIB}\n", "memory.usage_in_bytes": f"{48 * MIB}\n"}
    write_files(machine / "memory/mine", limits)
    for quota, cores in (("-1\n", 8), ("50000\n", 1)):
        write_files(machine / "cpu", {"cpu.cfs_quota_us": quota, "cpu.cfs_period_us": "100000\n"})
        assert count_usable_cores() == cores
    assert measure_usable_memory_mb() == 2000
    write_files(machine / "memory/mine", {"memory.stat": f"inactive_file 0\ntotal_inactive_file {40 * MIB}\n"})
    assert measure_usable_memory_mb() == 2040
