"""What a hostile candidate may not do, in every backend that claims isolation; some tests hold for `process` too.
Prevents: one candidate that stops the run, reaches the host or the network, or disturbs its neighbour; a verdict that
depends on who ran beside it or before it, above all in a container that is used again, by the names that both use
(files, ports, shared memory, semaphores, message queues, abstract sockets); a container that goes away in the middle
of a command, scored as a model's failure."""

from __future__ import annotations

import contextlib
import os
import resource
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from executor.sandbox.contract import Command, CommandLimits
from executor.sandbox.docker.engine import connect_engine
from executor.sandbox.reaper import count_threads_of
from index.errors import SandboxError
from tests.executor.sandbox.conftest import find_sleeps

if TYPE_CHECKING:
    from docker.models.containers import Container


def test_neither_root_nor_capable(isolated, session):
    status = session.run(Command(["cat", "/proc/self/status"])).output.decode()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert "0" not in fields["Uid"].split() + fields["Gid"].split()
    assert {fields[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
    assert fields["NoNewPrivs"] == "1"


def test_the_hosts_user_of_a_command_is_not_root(isolated, session):
    seen: list[int] = []
    over = threading.Event()

    def look() -> None:
        while not seen and not over.is_set():
            for process in find_sleeps("2.0625"):
                with contextlib.suppress(OSError):
                    seen.append(process.stat().st_uid)

    watcher = threading.Thread(target=look)
    watcher.start()
    done = session.run(Command(["sleep", "2.0625"]))  # on a busy machine it may begin late
    over.set()
    watcher.join()
    assert done.ok, done
    assert seen
    assert os.getuid() != 0 or 0 not in seen


def test_only_the_tree_and_temporary_folders_are_writable(isolated, session):
    find = ["find", "/", "-path", "/proc", "-prune", "-o", "-writable", "-not", "-type", "l", "-print"]
    found = session.run(Command([*find])).output.decode().splitlines()
    writable = {path for path in found if path.startswith("/") and not path.startswith(session.root)}
    # Devices that swallow or give bytes; POSIX shared memory and message queues, which end with the session.
    nodes = {f"/dev/{n}" for n in ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts/ptmx", "console")}
    assert writable - nodes <= {"/tmp", "/dev/shm", "/dev/mqueue", "/dev/pts"}
    for path in ("/usr/bin/gcc", "/etc/passwd", "/x", "/dev/x", "/var/tmp/x", "/run/x", "/graft/x"):
        assert not session.run(Command(["sh", "-c", f"echo x >> {path}"])).ok, path
    assert session.run(Command(["sh", "-c", "echo x > /tmp/x && echo x > x"])).ok


def test_no_network_but_a_loopback_of_its_own(isolated):
    with socket.create_server(("127.0.0.1", 0)) as server, isolated.backend.session(isolated.key) as session:
        port = server.getsockname()[1]
        assert session.run(Command(["./attack", "dial", str(port)])).output != b"0\n"
        assert session.run(Command(["./attack", "loopback", str(port)])).output == b"0\n"
        interfaces = session.run(Command(["cat", "/proc/net/dev"])).output.decode().splitlines()[2:]
        assert [line.split(":")[0].strip() for line in interfaces if line.split()[1] != "0"] in ([], ["lo"])
        # localhost has an address.
        found = session.run(Command(["getent", "hosts", "localhost"]))
        assert found.output.split()[0] in {b"127.0.0.1", b"::1"}


def test_nothing_of_the_host_is_visible(isolated, session, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the gold")
    secret.chmod(0o644)
    for path in (str(secret), "/var/run/docker.sock", "/run/docker.sock", "/etc/shadow", str(Path(__file__))):
        assert not session.run(Command(["cat", path])).ok, path
    listed = session.run(Command(["sh", "-c", "ls /proc | grep -c '^[0-9]'"])).output
    assert int(listed) < 12
    assert session.run(Command(["cat", "/proc/sys/kernel/hostname"])).output == b"graft\n"
    descriptors = session.run(Command(["sh", "-c", "ls /proc/$$/fd"])).output.split()
    assert {int(fd) for fd in descriptors} <= {0, 1, 2}


def test_a_process_with_a_thousand_open_files_can_use_a_sandbox(isolated):
    """A descriptor above 1,023 is none that select() takes; a run over many indexes has as many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    with contextlib.ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for _ in range(1100):
            stack.enter_context(Path(os.devnull).open())
        session = stack.enter_context(isolated.backend.session(isolated.key))
        assert session.run(Command(["echo", "here"])).output == b"here\n"


def test_killing_the_parents_leaves_nobody_behind(isolated, session):
    result = session.run(Command(["./attack", "patricide"], limits=CommandLimits(wall_s=3)))
    assert not result.ok
    beats = session.read("beat")
    time.sleep(0.3)
    assert session.read("beat") == beats


def test_a_fork_bomb_is_bounded_and_the_next_command_undisturbed(isolated, session):
    limits = CommandLimits(wall_s=2, processes=64)
    alive = session.run(Command(["./attack", "forks"], limits=limits))
    assert 20 < int(alive.output) <= 64 + 8
    bomb = session.run(Command(["./attack", "bomb"], limits=limits))
    assert bomb.timed_out and bomb.wall_s < 30
    assert session.run(Command(["echo", "well"])).output == b"well\n"


@pytest.mark.bwrap
def test_without_cgroups_no_command_is_charged_for_its_neighbours_processes(isolated):
    """Prevents: in a container of many cores, where Graft is root and makes no cgroups, commands that can't start."""
    if isolated.backend.name != "bwrap":
        pytest.skip("the limit of processes is the container's")
    backend, many = replace(isolated.backend, groups=None), count_threads_of(0) + 50
    start = f"for i in $(seq {many}); do sleep 60 & done; touch all; until [ -e stop ]; do sleep 0.1; done"
    with backend.session(isolated.key) as busy, backend.session(isolated.key) as other, ThreadPoolExecutor(1) as pool:
        limits = CommandLimits(wall_s=60, processes=2 * many)
        started = pool.submit(busy.run, Command(["sh", "-c", start], limits=limits))
        while not started.done():
            time.sleep(0.05)
            with contextlib.suppress(FileNotFoundError):
                busy.read("all")
                break
        few = CommandLimits(processes=16)
        assert other.run(Command(["sh", "-c", "sleep 0 & wait; echo well"], limits=few)).output == b"well\n"
        busy.write("stop", b"")
        assert started.result().ok


def test_memory_is_bounded_over_all_processes(isolated, session):
    limits = CommandLimits(wall_s=30, memory_mb=192)
    done = session.run(Command(["./attack", "hog", "1"], limits=limits))
    assert (done.oom, done.exit_code) == (True, None)
    assert 64 < max(int(line) for line in done.output.split()) <= 192
    # The group's limit ends them all, though none alone comes near it.
    many = session.run(Command(["./attack", "hog", "8"], limits=limits))
    assert (many.oom, many.timed_out) == (True, False)
    assert session.run(Command(["echo", "well"])).output == b"well\n"


def test_disk_is_bounded_over_all_files(isolated, session):
    limits = CommandLimits(wall_s=30, disk_mb=64)
    result = session.run(Command(["./attack", "disk"], limits=limits))
    assert (result.ok, result.timed_out) == (False, False)
    assert result.wall_s < 12
    session.run(Command(["sh", "-c", "rm -f junk*"]))
    assert session.run(Command(["sh", "-c", "echo well > f && cat f"])).output == b"well\n"


def test_a_full_tmp_does_not_stop_the_next_command(isolated, session):
    fill = Command(["head", "-c", "300000000", "/dev/zero"], limits=CommandLimits(output_bytes=10))
    filled = session.run(Command(["sh", "-c", "head -c 300000000 /dev/zero > /tmp/full; ls -s /tmp"]))
    assert filled.ok
    small = CommandLimits(memory_mb=100, disk_mb=100)
    assert session.run(Command(["echo", "well"], limits=small)).output == b"well\n"
    assert session.run(fill).ok


def test_memory_of_one_process_and_a_single_file_are_bounded_everywhere(session):
    result = session.run(Command(["./attack", "hog", "1"], limits=CommandLimits(wall_s=30, memory_mb=192)))
    assert (result.ok, result.timed_out) == (False, False)
    result = session.run(Command(["./attack", "bigfile"], limits=CommandLimits(wall_s=30, disk_mb=48)))
    assert 16 < int(result.output) <= 48


def test_a_planted_link_reads_nothing_of_the_host(session, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the gold")
    plant = (
        f"ln -s {secret} leak; ln -s {tmp_path} folder; ln -s /etc/passwd passwd; ln -s loop loop; "
        "ln -s sub/../kept.txt inner; mkdir sub; ln -s ../kept.txt sub/up; mkfifo pipe"
    )
    assert session.run(Command(["sh", "-c", plant])).ok
    for path in ("leak", "folder/secret.txt", "passwd", "loop", "pipe", "../../../../etc/passwd", str(secret)):
        with pytest.raises(FileNotFoundError):
            session.read(path)
    assert session.read("inner") == b"kept\n"
    assert session.read("sub/up") == b"kept\n"


def test_a_planted_link_writes_nothing_on_the_host(session, tmp_path):
    victim = tmp_path / "victim.txt"
    victim.write_text("untouched")
    assert session.run(Command(["sh", "-c", f"ln -s {victim} file; ln -s {tmp_path} folder"])).ok
    session.write("file", b"ours")
    assert session.read("file") == b"ours"
    for path in ("folder/new", "../new", str(tmp_path / "new")):
        with pytest.raises(SandboxError):
            session.write(path, b"x")
    assert victim.read_text() == "untouched"
    assert [entry.name for entry in tmp_path.iterdir()] == ["victim.txt"]


# A process's umask, and message queues where the kernel has none for this user, aren't what is tested.
NAMES = (
    "name", "/tmp/name", "/dev/shm/name", "build/deep/name", "sysv-shm", "sysv-sem", "sysv-msg", "posix-sem",
    "posix-shm", "abstract", "tcp", "udp",
)  # fmt: skip


def _read_errors(output: bytes) -> dict[str, int]:
    """The error that taking each name gave, 0 for none."""
    return {name: int(error) for name, error, _ in map(str.split, output.decode().splitlines())}


def test_two_side_by_side_take_the_same_names(isolated):
    together = Barrier(2)

    def live(number: int) -> dict[str, int]:
        with isolated.backend.session(isolated.key) as session:
            together.wait(60)
            held = session.run(Command(["./names", "hold", str(number), "1500"]))
            assert session.read("name")[:1] == bytes([number])
            return _read_errors(held.output)

    with ThreadPoolExecutor(2) as pool:
        for held in pool.map(live, [1, 2]):
            assert {name: held[name] for name in NAMES} == dict.fromkeys(NAMES, 0)


def test_the_next_one_finds_nothing_of_the_one_before(isolated):
    """Twice, so that a container is certainly used again; the connection that lingers can't be cleaned away."""
    for number in (1, 2):
        with isolated.backend.session(isolated.key) as session:
            left = _read_errors(session.run(Command(["./names", "leave", str(number)])).output)
            assert {name: left[name] for name in NAMES} == dict.fromkeys(NAMES, 0)
        with isolated.backend.session(isolated.key) as session:
            seen = _read_errors(session.run(Command(["./names", "look"])).output)
        free = {"tcp", "udp", "tcp-lingering"}
        assert {name: seen[name] for name in free} == dict.fromkeys(free, 0)
        assert [name for name in (*NAMES, "posix-mq") if name not in free and seen[name] == 0] == []


@pytest.mark.docker
def test_a_container_is_used_again_only_when_nothing_outlives_the_candidate(place):
    if place.backend.name != "docker" or not place.backend.reuse:
        pytest.skip("about a container that is used again")

    def container(*argv: str) -> bytes:
        with place.backend.session(place.key) as session:
            session.run(Command(argv))
            # When its first process began: the number of a namespace may be a later one's.
            return session.run(Command(["cut", "-d", " ", "-f", "22", "/proc/1/stat"])).output

    container("true")
    first = container("true")
    assert container("sh", "-c", "rm -rf ./*; head -c 1000000 /dev/zero > /tmp/x; sleep 60 &") == first
    assert container("./names", "leave", "1") == first
    # System V's shared memory and a lingering connection can't be shown to be gone: another container.
    assert container("true") != first


@pytest.mark.docker
@pytest.mark.parametrize("wall_s", [30.0, 0.5], ids=["before the deadline", "after the deadline"])
def test_a_lost_container_is_a_sandbox_error(place, wall_s):
    if place.backend.name != "docker":
        pytest.skip("about docker")

    def apply_to_containers(action: Callable[[Container], object]) -> None:
        with contextlib.closing(connect_engine()) as client:
            for container in client.containers.list(filters={"ancestor": f"graft/warm:{place.key}"}):
                action(container)

    def lose() -> None:
        time.sleep(1)
        apply_to_containers(lambda container: container.remove(force=True))

    with place.backend.session(place.key) as session:
        if wall_s < 1:  # a frozen container can't report that its command was killed, however slow this machine is
            apply_to_containers(lambda container: container.pause())
        thief = threading.Thread(target=lose)
        thief.start()
        with pytest.raises(SandboxError, match="docker"):
            session.run(Command(["sleep", "20"], limits=CommandLimits(wall_s=wall_s)))
        thief.join()
        with pytest.raises(SandboxError):
            session.read("kept.txt")
    with place.backend.session(place.key) as session:
        assert session.read("kept.txt") == b"kept\n"
