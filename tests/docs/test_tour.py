"""Prevents: a tour of the code that leads past rooms which were moved or renamed."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "tour.md"
STOPS = re.findall(r"^\d+\. `([\w.]+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_tour_can_be_walked_in_one_sitting() -> None:
    assert 15 <= len(STOPS) <= 25


@pytest.mark.parametrize("stop", STOPS)
def test_each_stop_is_there(stop: str) -> None:
    names = stop.split(".")
    found: Any = None
    for number, name in enumerate(names, start=1):
        found = getattr(found, name, None) or importlib.import_module(".".join(names[:number]))
    assert callable(found)
