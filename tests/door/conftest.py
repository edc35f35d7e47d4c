"""One cache for the session, with the example's image for all runs of these tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.example import example_cache


@pytest.fixture(scope="session")
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return example_cache(tmp_path_factory)


@pytest.fixture
def cache(session_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache that Graft uses in this test, in child processes too."""
    monkeypatch.setenv("GRAFT_CACHE", str(session_cache))
    return session_cache
