"""`graft index eval` on the example. Its tests share a cache, so that indexes are built and rankers trained once."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("evaluation") / "cache"


@pytest.fixture
def used_shared_cache(shared_cache, monkeypatch):
    monkeypatch.setenv("GRAFT_CACHE", str(shared_cache))
    return shared_cache


@pytest.fixture
def evaluate(graft, used_shared_cache):
    """evaluate(*words) -> the exit code, and what the command prints or the line in which it ends."""

    def run(*words):
        code, out, err = graft("index", "eval", "--dataset", "example", *words)
        return code, err if code else out

    return run
