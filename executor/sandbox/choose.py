"""The choice of a sandbox. A new one is a file and a line in `_BUILT_IN`; one outside Graft is a plug-in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from executor.sandbox.contract import Backend
from executor.sandbox.scheduled import ScheduledBackend
from executor.sandbox.scheduler import Scheduler
from index.errors import ConfigError
from index.plugins import Plugin, find_plugin, list_plugins_rejecting_name_clashes

AUTO = "auto"

# Opens a sandbox, which keeps its files below the cache folder given. Where it can't work, opening it must not raise:
# `Backend.problem` says what is missing.
Opener = Callable[[Path], Backend]

# name: module:opener. Imported on use, so that `graft --help` can list the names at no cost.
_BUILT_IN = {
    "docker": "executor.sandbox.docker.backend:open_docker_and_remove_leftovers",
    "bwrap": "executor.sandbox.bwrap.backend:open_bwrap_and_remove_leftovers",
    "process": "executor.sandbox.process:open_process_and_remove_leftovers",
}


@dataclass(frozen=True, slots=True)
class ChosenSandbox:
    """A sandbox that can be used, why it was chosen, in one line, and where its commands wait for their turn."""

    backend: Backend
    reason: str
    scheduler: Scheduler


def list_auto_and_built_in_sandboxes() -> tuple[str, ...]:
    """`auto` and Graft's own sandboxes."""
    return (AUTO, *_BUILT_IN)


def list_sandbox_names() -> tuple[str, ...]:
    """`auto`, Graft's own sandboxes, and the plug-ins. Raises ConfigError when two have the same name."""
    own = list_auto_and_built_in_sandboxes()
    return (*own, *list_plugins_rejecting_name_clashes("graft.sandboxes", own))


def choose_backend(name: str, cache: Path, workers: int | None = None) -> ChosenSandbox:
    """The sandbox called `name`, or for `auto` the first of Graft's own that isolates candidates, can be used here and
    has a base; where none has one, the first that can be used. A plug-in is taken by its name, or by its import path,
    `module:opener`. `workers`: so many of its commands run at once; None: as many as the machine can bear.

    Raises ConfigError for an unknown name, and when no such sandbox can be used: one line says what is missing."""
    backend, reason = _find_usable_backend_and_why(name, cache)
    scheduler = Scheduler(workers)
    return ChosenSandbox(ScheduledBackend(backend, scheduler), reason, scheduler)


def open_unscheduled_backend(name: str, cache: Path) -> Backend:
    """The same sandbox for one caller alone, whose commands don't wait."""
    return _find_usable_backend_and_why(name, cache)[0]


def _find_usable_backend_and_why(name: str, cache: Path) -> tuple[Backend, str]:
    if name == AUTO:
        return _choose_isolating_backend_and_why(cache)
    backend = _find_sandbox_opener(name)(cache)
    problem = backend.problem()
    if problem:
        raise ConfigError(f"sandbox {name!r} can't be used here: {problem}")
    return backend, f"{name}: asked for"


def _choose_isolating_backend_and_why(cache: Path) -> tuple[Backend, str]:
    problems: dict[str, str] = {}
    bare: list[Backend] = []
    for name in _BUILT_IN:
        backend = _find_sandbox_opener(name)(cache)
        if not backend.isolated:
            continue
        problem = backend.problem()
        if problem is None and backend.has_base():
            return backend, f"{name}: {_join_problems(problems) or 'it works here and has a base'}"
        if problem is None:
            bare.append(backend)
            problem = f"it works, but has no base yet: `graft images base --sandbox {name}` makes one"
        problems[name] = problem
    if bare:
        chosen = problems.pop(bare[0].name)
        return bare[0], f"{bare[0].name}: {'; '.join(filter(None, (_join_problems(problems), chosen)))}"
    raise ConfigError("no sandbox can be used here. " + ". ".join(f"{n}: {why}" for n, why in problems.items()))


def _join_problems(problems: Mapping[str, str]) -> str:
    return "; ".join(f"no {name} ({why})" for name, why in problems.items())


def _find_sandbox_opener(name: str) -> Opener:
    if name in _BUILT_IN:
        plugin: Plugin | None = Plugin(name, _BUILT_IN[name], "")
    else:
        plugin = find_plugin("graft.sandboxes", name, list_auto_and_built_in_sandboxes())
    if plugin is None:
        from index.user_files import make_spelling_hint

        names = list_sandbox_names()
        hint = make_spelling_hint(name, names)
        raise ConfigError(f"sandbox {name!r} is not known{hint} (one of: {', '.join(names)})")
    opener: Opener = plugin.load()
    return opener
