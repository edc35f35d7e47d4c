"""One image per backend, built once: the attackers, compiled inside the sandbox itself."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from executor.sandbox.base import DEFAULT_SUITE
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Backend, Command, Session
from executor.sandbox.docker.engine import find_image_id
from index.errors import ConfigError
from tests.support.engines import machine_base, unavailable

SOURCE = Path(__file__).parent / "source"


@dataclass(frozen=True, slots=True)
class Place:
    """A backend, the base that its builders take, and the image of the attackers."""

    backend: Backend
    base: str | None
    key: str
    cache: Path


@pytest.fixture(
    scope="session",
    params=[
        "process",
        pytest.param("bwrap", marks=pytest.mark.bwrap),
        pytest.param("docker", marks=pytest.mark.docker),
        # As on an engine where Graft may not mount: every session gets a new container.
        pytest.param("docker-new", marks=pytest.mark.docker),
    ],
)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    name = request.param
    cache = tmp_path_factory.mktemp(f"cache-{name}")
    try:
        backend = open_unscheduled_backend(name.removesuffix("-new"), cache)
    except ConfigError as error:
        unavailable(str(error))
    if name == "docker-new":
        backend = replace(backend, reuse=False)
    base = str(machine_base()) if name == "bwrap" else None
    if backend.name == "docker" and find_image_id(f"graft-base:{DEFAULT_SUITE}") is None:
        unavailable("no docker image graft-base: run `graft images base`")
    key = f"conformance-{os.getpid()}"
    with backend.builder(base) as builder:
        builder.put_tree(SOURCE)
        for name in ("attack", "names"):
            built = builder.run(Command(["gcc", "-O1", "-Wall", "-o", name, f"{name}.c"]))
            assert built.ok, built.output.decode()
        builder.write("kept.txt", b"kept\n")
        builder.commit(key, {"purpose": "conformance", "repo": "attackers"})
    yield Place(backend, base, key, cache)
    backend.remove(key)


def find_sleeps(seconds: str) -> list[Path]:
    """The processes `sleep SECONDS`. Of others the arguments aren't read: of one that struggles for memory beside a
    test they come seconds later."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            is_sleep = (process / "comm").read_bytes() == b"sleep\n"
            if is_sleep and seconds.encode() in (process / "cmdline").read_bytes().split(b"\0"):
                found.append(process)
    return found


@pytest.fixture
def isolated(place: Place) -> Place:
    if not place.backend.isolated:
        pytest.skip(f"{place.backend.name} does not isolate, and says so")
    return place


@pytest.fixture
def session(place: Place) -> Iterator[Session]:
    with place.backend.session(place.key) as session:
        yield session
