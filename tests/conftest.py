"""How the tests are spread over processes, and the examples that property tests draw.

Prevents: a submission that failed on an example that a property test had drawn by chance, in a part of the code that
it hadn't touched; and two processes that start, count and sweep sandboxes at the same time.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# The same examples each time in CI. On a person's machine chance goes on looking for new ones.
settings.register_profile("ci", derandomize=True)
if os.environ.get("GRAFT_CI") == "1":
    settings.load_profile("ci")

SANDBOX_FIXTURES = {"place", "tiny_bwrap"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file in one process, so that its shared images and indexes are made once.

    Tests that use an engine or a cgroup all run in the same process, one after the other.
    """
    for item in items:
        if item.get_closest_marker("xdist_group"):
            continue
        uses_sandbox = any(item.iter_markers("docker")) or any(item.iter_markers("bwrap"))
        if uses_sandbox or SANDBOX_FIXTURES & set(getattr(item, "fixturenames", ())):
            group = "sandboxes"
        else:
            group = "/".join(item.path.with_suffix("").parts[-2:])
        item.add_marker(pytest.mark.xdist_group(group))
