"""Prevents: wrong bodies that the author of the plus tests saw counted as held back."""

from __future__ import annotations

import pytest

from benchmarks.figures import wrong_bodies
from executor.manifest.health import Fate, HealthManifest, JudgedBodies, PlusHealth, WrongFate

SEEN = wrong_bodies.SEEN_TASKS[0]
JUDGED = JudgedBodies(
    ("s",), "d", tuple(WrongFate("wrong-error", str(n), n < 2, None, Fate.SURVIVED) for n in range(4))
)
MANIFEST = HealthManifest(1, "redis", *"abcdef", {}, {}, wrong={"one": JUDGED, SEEN: JUDGED})


def test_what_was_seen_is_not_held_back() -> None:
    found = wrong_bodies.mark_seen_bodies(MANIFEST).wrong
    assert [body.held for body in found["one"].bodies] == [True, True, False, False]
    assert [body.held for body in found[SEEN].bodies] == [False] * 4


def test_a_row_counts_bodies_that_pass_suites_and_plus_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    killed = tuple(WrongFate("wrong-error", str(n), n < 2, None, Fate.KILLED) for n in range(4))
    plus = PlusHealth(("plus-f",), 3, "", "d", 3, 3, 2, 2, killed, 0.1)
    row = wrong_bodies.count_wrong_bodies([wrong_bodies.mark_seen_bodies(HealthManifest(
        1, "redis", *"abcdef", {}, {}, wrong={"one": JUDGED, "two": JUDGED, SEEN: JUDGED}, plus={"one": plus}
    ))])  # fmt: skip
    assert row[:3] == [3, 3, "4 of 4"]
    assert row[4] == "2 of 4", "the plus tests catch both held-back bodies of one task"
    assert row[-1] == "6 of 8", "the seen task's bodies stand on the other side"
