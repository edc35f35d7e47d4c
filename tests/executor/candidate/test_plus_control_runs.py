"""Prevents: a body that does the work once in a plus test and forges the rest, safe because a control run always
breaks it after the first call; a gold that a busy machine stopped, taken for one whose fault the test noticed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executor.candidate.control_runs import make_own_sabotages
from executor.candidate.plus_control_runs import PlusControls
from executor.function.splice import Edit
from executor.values import Level, Step, SuiteRun, Task, TestResult, TestStatus, Tier
from index.values import Span, Target

Tiny = Any  # conftest's
ADD = "int add(int a, int b)\n{\n    return a + b;\n}\n"
TASK = Task("add", Target("tiny", "calc.c", Span(5, 8), "add", "", "", "c"), ADD, ADD, (), Level.NONE, "tests", "1")


def _run(suite: str, status: TestStatus, *, timed_out: bool = False) -> SuiteRun:
    step = Step(suite, Tier.TESTS, (), "", 0, timed_out, False, False, 1.0, None, f"{suite}.log")
    return SuiteRun(suite, step, (TestResult("adds", status),))


@pytest.fixture
def controls(tiny: Tiny, tmp_path: Path) -> PlusControls:
    return PlusControls(tiny.image, tiny.backend, tmp_path)


def test_each_suite_is_broken_after_a_number_of_calls_that_is_drawn(
    controls: PlusControls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number that a suite doesn't notice with the gold gives way to the next."""
    monkeypatch.setattr("executor.candidate.plus_control_runs._draw_call_limits", lambda: (10, 3, 1))
    texts: list[str] = []

    def tried(self: PlusControls, edits: Sequence[Edit], suites: Sequence[str], folder: Path) -> dict[str, SuiteRun]:
        texts.append(edits[0].text)
        calls = next(n for n in (10, 3, 1) if f"_most = {n};" in edits[0].text)
        few = {"many": 10, "some": 3, "one": 1}
        return {name: _run(name, TestStatus.FAILED if calls <= few[name] else TestStatus.PASSED) for name in suites}

    monkeypatch.setattr(PlusControls, "_try_suites", tried)
    edits = (Edit("calc.c", TASK.target.span, ADD),)
    found = controls.run_controls(TASK, edits, ("one", "some", "many"), "digest", tmp_path / "logs")
    assert [(control.suite, control.change) for control in found] == [
        ("many", "after-10"),
        ("some", "after-3"),
        ("one", "after-1"),
    ]
    # What the golds showed is known from then on; each suite has its own control again.
    before = len(texts)
    assert len(controls.run_controls(TASK, edits, ("one", "some", "many"), "digest", tmp_path / "logs")) == 3
    assert len(texts) == before + 3
    # Of other suites nothing is known yet.
    assert [
        control.suite for control in controls.run_controls(TASK, edits, ("many",), "digest", tmp_path / "logs")
    ] == ["many"]
    assert len(texts) == before + 5


def test_a_gold_that_was_cut_off_noticed_nothing(
    tiny: Tiny, controls: PlusControls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sabotage,) = make_own_sabotages(tiny.image, TASK, 1)

    def tried(*_: object) -> dict[str, SuiteRun]:
        late = _run("late", TestStatus.PASSED, timed_out=True)
        return {"late": late, "oom": replace(late, step=replace(late.step, timed_out=False, oom=True))}

    monkeypatch.setattr(PlusControls, "_try_suites", tried)
    assert controls._suites_that_notice(TASK, sabotage, ("late", "oom"), "digest", tmp_path / "logs") == ()
