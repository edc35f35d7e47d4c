"""The sandboxes by name, and the choice among them. A new sandbox is one file and one line in `_BUILT_IN`."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from executor.sandbox.contract import Backend
from index.errors import ConfigError

AUTO = "auto"

# Opens a sandbox, which keeps its files below the cache folder given. Where it can't work, opening it must not raise:
# `Backend.problem` says what is missing.
Opener = Callable[[Path], Backend]

# name: module:opener. Imported on use, so that `graft --help` can list the names at no cost.
_BUILT_IN = {
    "docker": "executor.sandbox.docker.backend:open_docker",
    "bwrap": "executor.sandbox.bwrap:open_bwrap",
    "process": "executor.sandbox.process:open_process",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A sandbox that can be used, and in one line for the user why it was chosen."""

    backend: Backend
    reason: str


def known() -> Mapping[str, Opener]:
    """Every sandbox by its name, in the order in which `auto` tries those that isolate."""
    return {name: partial(_open, target) for name, target in _BUILT_IN.items()}


def _open(target: str, cache: Path) -> Backend:
    backend: Backend = pkgutil.resolve_name(target)(cache)
    return backend


def sandbox_names() -> tuple[str, ...]:
    """What a user may name: `auto`, then every known sandbox."""
    return (AUTO, *known())


def choose_backend(name: str, cache: Path) -> Choice:
    """The sandbox called `name`, or for `auto` the first that isolates candidates and can be used here.

    Raises ConfigError for an unknown name, and when no such sandbox can be used here; one line says what is
    missing."""
    names = sandbox_names()
    if name not in names:
        from index.strict import did_you_mean

        raise ConfigError(f"sandbox {name!r} is not known{did_you_mean(name, names)} (one of: {', '.join(names)})")
    if name != AUTO:
        backend = known()[name](cache)
        problem = backend.problem()
        if problem:
            raise ConfigError(f"sandbox {name!r} can't be used here: {problem}")
        return Choice(backend, f"{name}: asked for")
    problems: dict[str, str] = {}
    for candidate, opener in known().items():
        backend = opener(cache)
        if not backend.isolated:
            continue
        problem = backend.problem()
        if problem is None:
            others = "; ".join(f"no {other} ({why})" for other, why in problems.items())
            return Choice(backend, f"{candidate}: {others or 'it can be used here'}")
        problems[candidate] = problem
    raise ConfigError("no sandbox can be used here. " + ". ".join(f"{n}: {why}" for n, why in problems.items()))


def open_backend(name: str, cache: Path) -> Backend:
    """`choose_backend` without the reason."""
    return choose_backend(name, cache).backend
