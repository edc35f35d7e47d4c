"""Prevents: a task of several functions that counts as valid though no test notices when one of them is missing."""

from __future__ import annotations

from pathlib import Path

from executor.manifest.health import Fate, Health
from index.function_texts import split_functions
from lab.doctor.body_trial import Effort
from lab.doctor.reach import Reach, measure_which_suites_enter_tasks
from lab.doctor.stubs_and_mutants import (
    is_plain_zero_stub,
    join_with_stubs_of_other_functions,
    make_mutant_variants,
    make_plain_stub_variant_per_hole,
    make_stub_variants,
)
from lab.doctor.task_examination import examine_task
from tests.fixtures.calc import add_task, both_task
from tests.fixtures.executor_fixtures import Tiny


def test_each_function_alone_is_wrong_in_its_variants() -> None:
    task = both_task()
    plains = make_plain_stub_variant_per_hole(task)
    assert [v.name for v in plains] == ["zero of 1 twice", "zero of 2 add"]
    changed = [
        [text != gold for text, gold in zip(split_functions(v.text, 2), task.golds, strict=True)] for v in plains
    ]
    assert changed == [[True, False], [False, True]]
    every = [*make_stub_variants(task), *make_mutant_variants(task, 4)]
    assert all(sum(t != g for t, g in zip(split_functions(v.text, 2), task.golds, strict=True)) == 1 for v in every)
    assert len({(v.kind, v.name) for v in every}) == len(every)
    assert "return 0" in (split_functions(join_with_stubs_of_other_functions(task, "first"), 2)[1] or "")
    # A task of one function has the names that it always had.
    assert next(v.name for v in make_stub_variants(add_task())) == "zero"
    assert is_plain_zero_stub("stub", "zero")
    assert not is_plain_zero_stub("stub", "one of 1 twice")


def test_valid_when_the_tests_notice_each_function(tiny: Tiny, tmp_path: Path) -> None:
    task = both_task()
    reach = measure_which_suites_enter_tasks(tiny.image, tiny.backend, [task], ["unit", "late"], tmp_path)
    assert reach.entered == {"both": ("unit", "late")}
    health = examine_task(tiny.image, tiny.backend, task, reach, Effort(mutants=2, forgeries=False), tmp_path)
    assert (health.health, health.gold_passed) == (Health.VALID, 3)
    plains = [f for f in health.findings if is_plain_zero_stub(f.kind, f.name)]
    assert [(f.name, f.fate) for f in plains] == [("zero of 1 twice", Fate.KILLED), ("zero of 2 add", Fate.KILLED)]


def test_weak_when_one_function_is_never_judged(tiny: Tiny, tmp_path: Path) -> None:
    """The suite `late` calls add alone: with a stub of twice it passes."""
    task = both_task()
    reach = Reach({"both": ("late",)}, ("late",))
    health = examine_task(tiny.image, tiny.backend, task, reach, Effort(mutants=0, forgeries=False), tmp_path)
    assert health.health is Health.WEAK
    assert health.reason == "the plain stub of function 1 twice: no test of 1 suites notices it"
