"""The agent of a run: Graft's own loop, or a plug-in of the group `graft.agents`."""

from __future__ import annotations

from agent.loop import run_agent
from agent.request import Agent
from index.errors import ConfigError
from index.plugins import find_plugin, list_plugins
from index.user_files import make_spelling_hint

OWN = "graft"


def find_agent(name: str | None) -> Agent:
    """The agent that a configuration names, by a plug-in's name or its import path; None is Graft's own.

    Raises ConfigError for an unknown name, and when the plug-in can't be imported."""
    if name is None:
        return run_agent
    plugin = find_plugin("graft.agents", name, (OWN,))
    if plugin is None:
        known = [*list_plugins("graft.agents", (OWN,))]
        tail = f"installed: {', '.join(known)}" if known else "none is installed"
        raise ConfigError(
            f"agent: no plug-in {name!r}{make_spelling_hint(name, known)} ({tail}; or say module:attribute)"
        )
    agent: Agent = plugin.load()
    return agent
