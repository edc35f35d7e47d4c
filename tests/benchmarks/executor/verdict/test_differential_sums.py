"""Prevents: a body that the comparison caught counted as passed, one of another task taken for it, and a task's old
record beside its new one."""

from __future__ import annotations

import pytest

from benchmarks.executor.verdict.differential_sums import compute_median_cost, count_false_passes, join_records
from benchmarks.figures import verdicts
from executor.grading.differential import CallDifference, Differential
from executor.manifest.health import Fate, HealthManifest, JudgedBodies, WrongFate
from lab.differential.compare_bodies import ComparedBody

DIFFERS = Differential(differs=(CallDifference("p", 1, "x"),), cpu_s=6.0)
BROKE = Differential(same=3, broke=(CallDifference("p", 1, "x"),), cpu_s=6.0)
SAME = Differential(same=3, cpu_s=6.0)


def _row(task: str, name: str, found: Differential) -> ComparedBody:
    return ComparedBody("redis", task, "f", "a.c", "wrong", name, True, None, found)


def _fate(digest: str, fate: Fate = Fate.SURVIVED, *, held: bool = True) -> WrongFate:
    return WrongFate("wrong-error", digest, held, None, fate)


def test_what_the_comparison_caught_does_not_pass() -> None:
    bodies = (_fate("aaaaaa11"), _fate("bbbbbb11"), _fate("cccccc11"), _fate("dddddd11", held=False))
    judged = JudgedBodies(("s",), "d", (*bodies, _fate("eeeeee11", Fate.KILLED)))
    manifest = HealthManifest(1, "redis", *"abcdef", {}, {}, wrong={"one": judged, "two": judged, "never": judged})
    rows = [
        *(_row("one", "wrong-error-aaaaaa", DIFFERS), _row("one", "wrong-error-bbbbbb", BROKE)),
        *(_row("one", "wrong-error-cccccc", SAME), _row("two", "wrong-error-aaaaaa", SAME)),
    ]
    found = count_false_passes(rows, manifest)
    assert found["tasks"] == 2
    assert (found["suites"]["passed"], found["suites"]["bodies"]) == (6, 8)
    assert (found["suites + differential"]["passed"], found["suites + differential"]["bodies"]) == (4, 8)
    assert found["plus"] == found["suites"]


def test_the_last_record_of_a_task_counts() -> None:
    old, new = [_row("one", "a", SAME), _row("two", "a", SAME)], [_row("one", "a", BROKE)]
    assert join_records([old, new]) == [old[1], new[0]]


def test_a_body_takes_its_share_of_a_run() -> None:
    assert compute_median_cost([[_row("one", "a", SAME), _row("one", "b", SAME)], [_row("one", "a", SAME)]]) == 4.5


def test_the_newest_record_of_a_repository_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {
        "differential": {"result": {"redis": {"tasks": 9}, "bullet3": {"tasks": 9}}},
        "differential_sample": {"result": {"redis": {"tasks": 1}}},
    }
    monkeypatch.setattr(verdicts, "load_record", found.__getitem__)
    assert list(verdicts.read_differential_sums()) == [("redis", {"tasks": 1}), ("bullet3", {"tasks": 9})]
