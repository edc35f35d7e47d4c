"""Prevents: a task of several functions that counts as valid though no test notices when one of them is missing."""

from __future__ import annotations

from pathlib import Path

from executor.manifest.health import Fate, Health
from executor.values import Level, Task
from index.function_texts import join_functions, split_functions
from index.values import Span, Target, join_targets
from lab.doctor.body_trial import Effort
from lab.doctor.reach import Reach, measure_reach
from lab.doctor.stubs_and_mutants import (
    is_plain_stub,
    join_with_stubs,
    make_mutant_variants,
    make_plain_stubs,
    make_stub_variants,
)
from lab.doctor.task_examination import examine_task
from tests.fixtures.calc import GOLD, add_task
from tests.fixtures.executor_fixtures import Tiny

TWICE = "int twice(int a)\n{\n    return add(a, a);\n}"


def _both() -> Task:
    add = add_task().target
    twice = Target("tiny", "calc.c", Span(10, 13), "twice", "int twice(int a)", "", "c")
    gold = join_functions([TWICE, GOLD.rstrip()])
    return Task("both", join_targets([twice, add]), gold, gold, (), Level.NONE, "tests", "1")


def test_each_function_alone_is_wrong_in_its_variants() -> None:
    task = _both()
    plains = make_plain_stubs(task)
    assert [v.name for v in plains] == ["zero of 1 twice", "zero of 2 add"]
    changed = [
        [text != gold for text, gold in zip(split_functions(v.text, 2), task.golds, strict=True)] for v in plains
    ]
    assert changed == [[True, False], [False, True]]
    every = [*make_stub_variants(task), *make_mutant_variants(task, 4)]
    assert all(sum(t != g for t, g in zip(split_functions(v.text, 2), task.golds, strict=True)) == 1 for v in every)
    assert len({(v.kind, v.name) for v in every}) == len(every)
    assert "return 0" in (split_functions(join_with_stubs(task, "first"), 2)[1] or "")
    # A task of one function has the names that it always had.
    assert next(v.name for v in make_stub_variants(add_task())) == "zero"
    assert is_plain_stub("stub", "zero")
    assert not is_plain_stub("stub", "one of 1 twice")


def test_valid_when_the_tests_notice_each_function(tiny: Tiny, tmp_path: Path) -> None:
    task = _both()
    reach = measure_reach(tiny.image, tiny.backend, [task], ["unit", "late"], tmp_path)
    assert reach.entered == {"both": ("unit", "late")}
    health = examine_task(tiny.image, tiny.backend, task, reach, Effort(mutants=2, forgeries=False), tmp_path)
    assert (health.health, health.gold_passed) == (Health.VALID, 3)
    plains = [f for f in health.findings if is_plain_stub(f.kind, f.name)]
    assert [(f.name, f.fate) for f in plains] == [("zero of 1 twice", Fate.KILLED), ("zero of 2 add", Fate.KILLED)]


def test_weak_when_one_function_is_never_judged(tiny: Tiny, tmp_path: Path) -> None:
    """The suite `late` calls add alone: with a stub of twice it passes."""
    task = _both()
    reach = Reach({"both": ("late",)}, ("late",))
    health = examine_task(tiny.image, tiny.backend, task, reach, Effort(mutants=0, forgeries=False), tmp_path)
    assert health.health is Health.WEAK
    assert health.reason == "the plain stub of function 1 twice: no test of 1 suites notices it"
