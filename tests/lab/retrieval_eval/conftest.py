"""`graft index eval` on the example, with a cache of the test's own."""

from __future__ import annotations

import pytest


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def evaluate(graft, own_cache):
    """evaluate(*words) -> the exit code, and what the command prints or the line in which it ends."""

    def run(*words):
        code, out, err = graft("index", "eval", "--dataset", "example", *words)
        return code, err if code else out

    return run
