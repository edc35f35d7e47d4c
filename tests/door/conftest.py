"""One cache for the session: the example's image is built once for all runs of these tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def cache(session_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache that Graft uses in this test, in child processes too."""
    monkeypatch.setenv("GRAFT_CACHE", str(session_cache))
    return session_cache
