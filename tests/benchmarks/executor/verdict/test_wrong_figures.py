"""Prevents: wrong bodies that the author of the plus tests saw counted as held back, and a misspelt task taken for one
that is left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.executor.verdict import wrong
from executor.doctor.manifest import BUILT_IN
from executor.doctor.values import Fate, HealthManifest, JudgedBodies, WrongFate

JUDGED = JudgedBodies(
    ("s",), "d", tuple(WrongFate("wrong-error", str(n), n < 2, None, Fate.SURVIVED) for n in range(4))
)
MANIFEST = HealthManifest(1, "redis", *"abcdef", {}, {}, wrong={"one": JUDGED, "two": JUDGED})


def test_what_was_seen_is_not_held_back() -> None:
    assert wrong.without_seen(MANIFEST, []) == MANIFEST
    found = wrong.without_seen(MANIFEST, ["two"]).wrong
    assert found["one"] == JUDGED
    assert found["two"].bodies == tuple(replace(body, held=False) for body in JUDGED.bodies)


def test_a_task_that_no_manifest_has_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["wrong", f"today={BUILT_IN}", "--repo", "example", "--seen", "nothing"])
    with pytest.raises(SystemExit):
        wrong.main()
    assert "no manifest has nothing" in capsys.readouterr().err
