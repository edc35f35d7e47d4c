"""Prevents: tests that are handed out one by one, so that every image, index and cluster is made in each process. It
happened: xdist named the groups where a newer pytest no longer looked."""

from __future__ import annotations

import os

import pytest

from tests.conftest import group_of


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="all tests run in one process")
def test_xdist_knows_a_tests_group(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith(f"@{group_of(request.node)}")
