"""Which sandbox a run uses, and why."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from executor.sandbox.contract import Backend
from index.errors import ConfigError
from index.strict import did_you_mean

NAMES = ("auto", "docker", "bwrap", "process")


@dataclass(frozen=True, slots=True)
class Choice:
    """`reason` is one line for the user."""

    backend: Backend
    reason: str


def choose_backend(name: str, cache: Path) -> Choice:
    """`name` is one of NAMES. `auto` takes docker when an engine answers, else bwrap; never `process`.

    Raises ConfigError for an unknown name, and when the sandbox that was asked for can't work here: the line says
    what is missing."""
    if name not in NAMES:
        raise ConfigError(f"sandbox {name!r} is not known{did_you_mean(name, NAMES)} (one of: {', '.join(NAMES)})")
    if name != "auto":
        backend = _open(name, cache)
        problem = backend.problem()
        if problem:
            raise ConfigError(f"sandbox {name!r} can't be used here: {problem}")
        return Choice(backend, f"{name}: asked for")
    docker = _open("docker", cache)
    no_docker = docker.problem()
    if no_docker is None:
        return Choice(docker, "docker: an engine answers")
    bwrap = _open("bwrap", cache)
    no_bwrap = bwrap.problem()
    if no_bwrap is None:
        return Choice(bwrap, f"bwrap: no docker ({no_docker})")
    raise ConfigError(f"no sandbox can be used here. docker: {no_docker}. bwrap: {no_bwrap}")


def open_backend(name: str, cache: Path) -> Backend:
    """`choose_backend` without the reason."""
    return choose_backend(name, cache).backend


def _open(name: str, cache: Path) -> Backend:
    if name == "process":
        from executor.sandbox.process import open_process

        return open_process(cache)
    if name == "bwrap":
        from executor.sandbox.bwrap import open_bwrap

        return open_bwrap(cache)
    from executor.sandbox.docker.backend import open_docker

    return open_docker(cache)
