"""Prevents: two `graft variants make` of one variant write into each other's folder."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from executor import cache


def test_a_second_maker_says_that_it_waits_and_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    waits = threading.Event()
    monkeypatch.setattr(cache.log, "info", lambda line: order.append(line) or waits.set())

    def second() -> None:
        with cache.hold_file_lock(tmp_path / "lock", "redis renamed"):
            order.append("second")

    with cache.hold_file_lock(tmp_path / "lock", "redis renamed"):
        other = threading.Thread(target=second)
        other.start()
        assert waits.wait(10)
        order.append("first")
    other.join()
    assert order == ["redis renamed: another process is making it; waiting", "first", "second"]
