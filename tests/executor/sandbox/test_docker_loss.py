"""The container goes away in the middle of a command. Prevents: our own trouble scored as a model's failure."""

from __future__ import annotations

import contextlib
import threading
import time

import pytest

from executor.sandbox.contract import Command, CommandLimits
from executor.sandbox.docker.engine import connect_engine
from index.errors import SandboxError

pytestmark = pytest.mark.docker


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
