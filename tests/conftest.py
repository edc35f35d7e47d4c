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

# Fixtures that the tests of several packages share.
pytest_plugins = ("tests.fixtures.executor_fixtures", "tests.fixtures.run_fixtures")

# The same examples each time in CI, and no limit by the clock. On a person's machine chance looks for new ones.
settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("GRAFT_CI") == "1":
    settings.load_profile("ci")

# Tables are as wide as a test says, not as the terminal or the CI that started pytest.
os.environ.pop("COLUMNS", None)

# How many plain tests a slow one weighs, and one with something that a session or a module shares: an image, an index,
# a browser is shared because it takes seconds, and its tests take theirs.
SLOW, SHARING = 40, 8


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Keep the tests of a file in one process, so that its shared images and indexes are made once.

    Tests that use the same engine run in the same process, one after the other. The longest groups come first: one
    that comes last keeps a single core busy while the others have nothing left to do. That needs
    `--no-loadscope-reorder`, since xdist would put the groups with the most tests first.
    """
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group_of(item)))
    yield
    weights = Counter[str]()
    for item in items:  # without those that `-m` left out
        weights[group_of(item)] += weight_of(item)
    items.sort(key=lambda item: (-weights[group_of(item)], group_of(item)))
    if config.getoption("loadgroup", False):
        for item in items:
            # xdist 3.8 writes it to an attribute that pytest 9.2 doesn't read, and then keeps no group together.
            if not item.nodeid.endswith(f"@{group_of(item)}"):
                item._id = type(item._id).parse(f"{item.nodeid}@{group_of(item)}")


def weight_of(item: pytest.Item) -> int:
    """How many plain tests the item weighs."""
    if item.get_closest_marker("slow"):
        return SLOW
    fixtures = item._fixtureinfo.name2fixturedefs.values() if isinstance(item, pytest.Function) else ()
    # Those of pytest and its plug-ins (`tmp_path_factory`) belong to no folder.
    shares = any(found[-1].baseid and found[-1].scope in ("module", "package", "session") for found in fixtures)
    return SHARING if shares else 1


def group_of(item: pytest.Item) -> str:
    if marker := item.get_closest_marker("xdist_group"):
        return str(marker.args[0])
    for engine in ("docker", "bwrap"):
        if any(item.iter_markers(engine)):
            return engine
    if "tiny_bwrap" in getattr(item, "fixturenames", ()) or item.path.parent.name == "sandbox":
        return "bwrap"
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
