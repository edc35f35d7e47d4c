"""Bug prevented: a benchmark of agreement that can't disagree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.executor.verdict.agreement import Held, Place, hold, table
from executor.doctor.reach import Reach
from executor.values import Level, Task
from index.values import Span, Target

GOLD = "int add(int a, int b)\n{\n    if (a == 2) return 2 + b;\n    return a + b;\n}\n"


@pytest.fixture
def place(tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:  # type: ignore[no-untyped-def]
    """Candidates are judged by `late` alone, which never adds to 2."""
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path))
    tests = tiny.image.recipe.tests.model_copy(update={"default": ("late",)})
    image = replace(tiny.image, recipe=tiny.image.recipe.model_copy(update={"tests": tests}))
    return Place(image, tiny.backend, None, Reach({"add": ("unit", "late")}, ("unit", "late")))


def test_a_mutant_that_only_an_unchosen_suite_catches_is_a_disagreement(place: Place) -> None:
    target = Target("tiny", "calc.c", Span(5, 8), "add", GOLD.partition("\n")[0], "", "c")
    task = Task("add", target, GOLD, GOLD, (), Level.NONE, "tests", "1")
    found = list(hold(place, task, 20, seed=0))
    ends = {(held.kind, held.chosen, held.all, held.by) for held in found}
    assert ("gold", "passed", "passed", "") in ends
    assert ("stub", "failed", "failed", "late") in ends
    assert ("mutant", "passed", "failed", "unit") in ends
    assert ("mutant", "failed", "failed", "late") in ends
    assert [held.name for held in found] == [held.name for held in hold(place, task, 20, seed=0)]
    lines = table(found, 1)
    assert "| gold | 1 | 100.0 % | 0 | 1 |" in lines
    assert any("chosen passed, all failed by unit" in line for line in lines)


def test_the_table_counts_each_kind_alone() -> None:
    held = Held("t", "mutant", "m", True, "failed", "failed", "s", "", 1)
    lines = table([held, replace(held, chosen="passed"), replace(held, kind="gold", chosen="passed", all="passed")], 1)
    assert "| mutant | 2 | 50.0 % | 1 | 0 |" in lines
    assert "| gold | 1 | 100.0 % | 0 | 1 |" in lines
    assert "| stub | 0 | - | 0 | 0 |" in lines


def test_what_only_a_leak_suite_fails_is_told_apart_since_the_official_command_passes_it() -> None:
    leaks = Held("t", "mutant", "m", True, "passed", "failed", "leaks.s", "", 2)
    lines = table([leaks, replace(leaks, chosen="failed"), replace(leaks, by="s")], 1)
    assert lines[-1].endswith("no official command runs: 1 of the disagreements, 1 of those that both fail")
