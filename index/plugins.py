"""Plug-ins: what another distribution, or a module of the user's own, adds to one of Graft's five lists.

A plug-in is installed under one of the entry-point groups of `Group`, or named in a configuration by its import path,
`module:attribute`. Nothing of it is imported before it is used. It is code of the user's own choice and runs as Graft
itself does: docs/explanation/threat-model.md says what that means, docs/how-to/extend/plugins.md what each group
expects.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from os import PathLike
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Literal, get_args

from index.errors import ConfigError

Group = Literal["graft.retrievers", "graft.sandboxes", "graft.prompts", "graft.agents", "graft.datasets"]


@dataclass(frozen=True, slots=True)
class Plugin:
    """A name in a list of Graft's, and what it stands for.

    target        where it is: "module:attribute"
    distribution  the installed distribution that brings it; "" where the user gave the import path
    """

    name: str
    target: str
    distribution: str

    def load(self) -> Any:
        """The object itself. Raises ConfigError that names the distribution and the reason, whatever went wrong."""
        try:
            return resolve_name(self.target)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise ConfigError(f"{self._describe()} can't be imported: {reason}") from error

    def load_existing_path(self) -> Path:
        """The file or folder that the object names: a path, or a function that returns one. Raises ConfigError when it
        can't be imported, or is no such thing."""
        named = self.load()
        if callable(named):
            named = named()
        if not isinstance(named, str | PathLike) or not Path(named).exists():
            raise ConfigError(f"{self._describe()} must name a path that exists, not {named!r}")
        return Path(named)

    def _describe(self) -> str:
        origin = f" of the distribution {self.distribution}" if self.distribution else ""
        return f"plug-in {self.target}{origin}"


def list_plugins_rejecting_name_clashes(group: Group, built_in_names: Collection[str]) -> dict[str, Plugin]:
    """The installed plug-ins of a group by name, sorted.

    Raises ConfigError when one has a built-in's name, or two have the same: which of them a configuration means
    mustn't depend on the order of installation."""
    found: dict[str, Plugin] = {}
    for plugin in _find_installed_plugins(group, tuple(sys.path)):
        if plugin.name in built_in_names:
            raise ConfigError(
                f"the distribution {plugin.distribution} has a plug-in {plugin.name!r} in {group}, which is the name"
                " of a built-in; rename it or uninstall it"
            )
        if (other := found.setdefault(plugin.name, plugin)) != plugin:
            raise ConfigError(
                f"two plug-ins in {group} are called {plugin.name!r}: that of {other.distribution} and that of"
                f" {plugin.distribution}; uninstall one of them"
            )
    return found


def list_plugin_distribution_names() -> list[str]:
    """The distributions that have plug-ins of any group installed, sorted."""
    every = (plugin for group in get_args(Group) for plugin in _find_installed_plugins(group, tuple(sys.path)))
    return sorted({plugin.distribution for plugin in every} - {""})


def find_plugin(group: Group, name_or_import_path: str, built_in_names: Collection[str]) -> Plugin | None:
    """The plug-in that a configuration names, or None: an installed one, or an import path `module:attribute`.

    A module of an import path is looked for in the working directory too, after all other places."""
    if is_import_path(name_or_import_path):
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.append(here)
        return Plugin(name_or_import_path, name_or_import_path, "")
    return list_plugins_rejecting_name_clashes(group, built_in_names).get(name_or_import_path)


def is_import_path(name: str) -> bool:
    """Whether a name in a configuration has the form `module:attribute`."""
    module, colon, attribute = name.partition(":")
    words = (*module.split("."), *attribute.split("."))
    return bool(colon) and all(word.isidentifier() for word in words)


@lru_cache
def _find_installed_plugins(group: Group, path: tuple[str, ...]) -> tuple[Plugin, ...]:
    """The entry points of a group among the distributions on `path`, which is sys.path: it decides what is found."""
    from importlib.metadata import entry_points

    found = entry_points(group=group)
    return tuple(
        sorted(
            {Plugin(e.name, e.value, e.dist.name if e.dist else "") for e in found},
            key=attrgetter("name", "distribution", "target"),
        )
    )
