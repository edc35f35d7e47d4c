"""Two candidates side by side, or one after the other, that use the same names: files, ports, shared memory,
semaphores, message queues, abstract sockets. Prevents: a verdict that depends on who ran beside it or before it,
above all in a container that is used again; a container that goes away in the middle of a command, scored as a model's
failure."""

from __future__ import annotations

import contextlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from executor.sandbox.contract import Command, CommandLimits
from executor.sandbox.docker.engine import connect_engine
from index.errors import SandboxError

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
@pytest.mark.parametrize("wall_s", [30.0, 2.0], ids=["before the deadline", "about the deadline"])
def test_a_lost_container_is_a_sandbox_error(place, wall_s):
    if place.backend.name != "docker":
        pytest.skip("about docker")

    def lose() -> None:
        time.sleep(1)
        with contextlib.closing(connect_engine()) as client:
            for container in client.containers.list(filters={"ancestor": f"graft/warm:{place.key}"}):
                container.remove(force=True)

    with place.backend.session(place.key) as session:
        thief = threading.Thread(target=lose)
        thief.start()
        with pytest.raises(SandboxError, match="docker"):
            session.run(Command(["sleep", "20"], limits=CommandLimits(wall_s=wall_s)))
        thief.join()
        with pytest.raises(SandboxError):
            session.read("kept.txt")
    with place.backend.session(place.key) as session:
        assert session.read("kept.txt") == b"kept\n"
