"""How the tests are spread over processes, and the examples that property tests draw.

Prevents: a submission that failed on an example that a property test had drawn by chance, in a part of the code that
it hadn't touched; two processes that start, count and sweep sandboxes at the same time; and a command that a test
ran with --quiet, after which no later test saw a message.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings

from experiments.consoles import LOGGERS

# The same examples each time in CI. On a person's machine chance goes on looking for new ones.
settings.register_profile("ci", derandomize=True)
if os.environ.get("GRAFT_CI") == "1":
    settings.load_profile("ci")

SANDBOX_FIXTURES = {"place", "tiny_bwrap"}


# How many ordinary tests a slow one weighs.
SLOW = 40


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file in one process, so that its shared images and indexes are made once.

    Tests that use an engine or a cgroup all run in the same process, one after the other. The longest groups come
    first: one that comes last keeps a single core busy while the others have nothing left to do. That needs
    `--no-loadscope-reorder`, since xdist would put the groups with the most tests first.
    """
    groups = [group_of(item) for item in items]
    weights = Counter[str]()
    for item, group in zip(items, groups, strict=True):
        item.add_marker(pytest.mark.xdist_group(group))
        weights[group] += SLOW if item.get_closest_marker("slow") else 1
    order = sorted(zip(items, groups, strict=True), key=lambda pair: (-weights[pair[1]], pair[1]))
    items[:] = [item for item, _ in order]


def group_of(item: pytest.Item) -> str:
    if marker := item.get_closest_marker("xdist_group"):
        return str(marker.args[0])
    uses_sandbox = any(item.iter_markers("docker")) or any(item.iter_markers("bwrap"))
    if uses_sandbox or SANDBOX_FIXTURES & set(getattr(item, "fixturenames", ())):
        return "sandboxes"
    return "/".join(item.path.with_suffix("").parts[-2:])


@pytest.fixture(autouse=True)
def _loggers_as_before() -> Iterator[None]:
    """A command run in this process sets the level of Graft's loggers and adds a handler."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(logger, logger.level, list(logger.handlers)) for logger in loggers]
    yield
    for logger, level, handlers in before:
        logger.setLevel(level)
        logger.handlers[:] = handlers
