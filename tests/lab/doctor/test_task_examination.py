"""Bugs prevented: a task that no test can judge called valid, a judging suite that never enters the function, a
forgery that passes, a killed doctor that starts from nothing."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from executor.candidate.execute import run_suite, suite_limit_s
from executor.candidate.runner import Runner
from executor.manifest.health import Fate, Health, TaskHealth
from executor.manifest.manifest import choose_judging_suites, list_valid_task_ids, load_manifest
from executor.repository.images import Image
from executor.repository.suites import Suite
from executor.sandbox.scheduled import ScheduledBackend
from executor.sandbox.scheduler import Scheduler
from executor.values import SuiteRun, Task
from index.errors import RecipeError
from lab.doctor.body_trial import BuildPlanner, Effort, write_text_and_open_trial
from lab.doctor.manifest import make_manifest_rows, summarize_manifest
from lab.doctor.reach import insert_probe_marking_entry, measure_which_suites_enter_tasks
from lab.doctor.task_examination import examine_task
from tests.fixtures.calc import GOLD, add_task, twice_task
from tests.fixtures.executor_fixtures import Tiny

EFFORT = Effort(budget_s=60, gold_runs=2, mutants=4, forgeries=False)


def test_a_valid_task_and_its_cheapest_suites(examine, tiny, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:  # type: ignore[no-untyped-def]
    tasks = [add_task(), twice_task()]
    first = examine(tasks, EFFORT, ["add"])
    health = first.tasks["add"]
    assert (health.health, health.gold_passed, health.reached_by) == (Health.VALID, 2, ("unit", "late"))
    assert health.mutants == health.mutants_killed == 1
    assert health.kill_score == 1.0
    assert health.stubs_killed == health.stubs == 4
    # Each suite alone kills all of them.
    assert health.suites in (("unit",), ("late",))
    assert load_manifest(tmp_path / "m.json") == first

    caplog.clear()
    both = examine(tasks, EFFORT)
    assert "1 known already" in caplog.messages[0]
    assert both.tasks["add"] == health
    # Only one of the two suites enters it.
    assert both.tasks["twice"].reached_by == ("unit",)
    assert both.tasks["twice"].suites == ("unit",)
    assert list_valid_task_ids(both) == {"add", "twice"}
    assert choose_judging_suites(tiny.image.recipe, both, "twice") == ("unit",)
    assert choose_judging_suites(tiny.image.recipe, both, "unknown") == ("unit", "late")
    assert choose_judging_suites(tiny.image.recipe, None, "twice") == ("unit", "late")
    unnoticed = replace(both.tasks["twice"], health=Health.WEAK, stubs_killed=0, mutants_killed=0)
    for reached, judging in ((("unit",), ("unit",)), ((), ("unit",)), (None, ("unit", "late"))):
        weak = replace(both, tasks={"twice": replace(unnoticed, reached_by=reached)})
        assert choose_judging_suites(tiny.image.recipe, weak, "twice") == judging
    assert len(make_manifest_rows(both)) == 2
    assert "2 valid" in summarize_manifest(both, ["add", "twice", "third"])
    assert "1 tasks not examined yet" in summarize_manifest(both, ["add", "twice", "third"])


def test_what_the_time_ended_has_no_entry_and_is_examined_next_time(  # type: ignore[no-untyped-def]
    examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: the last functions of libevent, whose tests wait, took six minutes more than `graft make` had."""
    now = [0.0]

    def run(runner: Runner, image: Image, suite: Suite, wall_s: float) -> SuiteRun:
        now[0] += "twice" in runner.folder.parts
        return run_suite(runner, image, suite, wall_s)

    tasks = [add_task(), twice_task()]

    noted: list[str] = []

    def note(task: Task, health: TaskHealth) -> None:
        noted.append(task.id)

    monkeypatch.setattr("lab.doctor.body_trial.run_suite", run)
    monkeypatch.setattr("lab.doctor.body_trial.time", SimpleNamespace(time=lambda: now[0]))
    assert list(examine(tasks, replace(EFFORT, ends=1.0), handle_health=note).tasks) == noted == ["add"]
    assert now == [1.0]
    assert list(examine(tasks, EFFORT, handle_health=note).tasks) == ["add", "twice"]
    assert noted == ["add", "add", "twice"]


def test_variants_are_tried_together_and_come_out_in_their_order(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: one task's examination left 62 % of two cores idle."""
    both = threading.Barrier(2, timeout=60)

    def run(runner: Runner, image: Image, suite: Suite, wall_s: float) -> SuiteRun:
        if runner.folder.name not in ("gold", "zero"):
            both.wait()
        return run_suite(runner, image, suite, wall_s)

    reach = measure_which_suites_enter_tasks(tiny.image, tiny.backend, [add_task()], ["unit"], tmp_path)
    alone = examine_task(tiny.image, tiny.backend, add_task(), reach, EFFORT, tmp_path)
    monkeypatch.setattr("lab.doctor.body_trial.run_suite", run)
    effort = replace(EFFORT, at_once=2)
    assert examine_task(tiny.image, tiny.backend, add_task(), reach, effort, tmp_path).findings == alone.findings


@pytest.mark.parametrize("busy", [False, True])
def test_a_slow_machine_neither_breaks_a_gold_nor_kills_a_plain_stub(  # type: ignore[no-untyped-def]
    examine, tiny, monkeypatch: pytest.MonkeyPatch, busy: bool
) -> None:
    def slow(runner: Runner, image: Image, suite: Suite, wall_s: float) -> SuiteRun:
        """As if every suite took longer than the short limit and less than a candidate's."""
        ran = run_suite(runner, image, suite, wall_s)
        return replace(ran, step=replace(ran.step, timed_out=wall_s < suite_limit_s(image, suite)))

    monkeypatch.setattr("lab.doctor.body_trial.HANG_MIN_S", 1.0)
    monkeypatch.setattr("lab.doctor.body_trial.HANG_FACTOR", 0.0)
    monkeypatch.setattr("lab.doctor.body_trial.run_suite", slow)
    monkeypatch.setattr("lab.doctor.body_trial.is_machine_busy", lambda: busy)
    argv = ("sh", "-c", "build/test >/dev/null; echo '[ok]: adds'")
    suites = tuple(suite.model_copy(update={"argv": argv}) for suite in tiny.image.recipe.suites)
    expected = replace(tiny.image.expected, suites={suite.name: {"adds": 1} for suite in suites})
    image = replace(tiny.image, expected=expected, recipe=tiny.image.recipe.model_copy(update={"suites": suites}))
    health = examine([add_task()], EFFORT, image=image).tasks["add"]
    assert (health.health, health.gold_passed) == (Health.WEAK, 2)
    assert [finding.fate for finding in health.findings if finding.name == "zero"] == [Fate.SURVIVED]
    # The others are told by the short limit, but where other work may have made them slow.
    assert any("stopped" in finding.reason for finding in health.findings) is not busy


def test_a_plain_stub_that_hangs_is_waited_for_once_in_each_of_its_two_runs(  # type: ignore[no-untyped-def]
    examine, tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    def hung(runner: Runner, image: Image, suite: Suite, wall_s: float) -> SuiteRun:
        ran = run_suite(runner, image, suite, wall_s)
        if "zero" not in str(runner.folder):
            return ran
        waited.append(wall_s)
        return replace(ran, step=replace(ran.step, timed_out=True))

    monkeypatch.setattr("lab.doctor.body_trial.run_suite", hung)
    done = examine([twice_task()], EFFORT)
    assert done.tasks["twice"].health is Health.VALID
    assert waited == [suite_limit_s(tiny.image, tiny.image.recipe.find_suite("unit"))] * 2


def test_what_no_test_notices_is_weak_and_what_is_the_gold_is_no_variant(examine, tiny) -> None:  # type: ignore[no-untyped-def]
    gold = "int add(int a, int b)\n{\n    int unused = 3;\n    return a + b;\n}\n"
    lazy = replace(tiny.image, expected=replace(tiny.image.expected, suites={"unit": {"adds_zero": 1}}))
    printing = tuple(
        suite.model_copy(update={"argv": ("printf", "[ok]: adds_zero\\n")}) for suite in lazy.recipe.suites
    )
    lazy = replace(lazy, recipe=lazy.recipe.model_copy(update={"suites": printing}))
    manifest = examine([add_task(gold)], EFFORT, image=lazy)
    health = manifest.tasks["add"]
    assert (health.health, health.reason) == (Health.WEAK, "no suite enters it")
    assert list_valid_task_ids(manifest) == frozenset()


def test_a_mutant_that_compiles_to_the_golds_objects_counts_nowhere(examine) -> None:  # type: ignore[no-untyped-def]
    gold = "int add(int a, int b)\n{\n    int unused = 3;\n    (void)unused;\n    return a + b;\n}\n"
    manifest = examine([add_task(gold)], EFFORT)
    fates = {finding.detail: finding.fate for finding in manifest.tasks["add"].findings}
    assert fates["3 -> 4"] is Fate.SAME
    assert manifest.tasks["add"].mutants == 1


def test_a_gold_that_fails_is_broken(examine) -> None:  # type: ignore[no-untyped-def]
    health = examine([add_task(GOLD.replace("a + b", "a + b + 1"))], EFFORT).tasks["add"]
    assert (health.health, "failed: adds" in health.reason) == (Health.BROKEN, True)


def test_a_gold_fails_where_a_suite_starts_what_its_recipe_does_not_build(tiny, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    suites = tuple(suite.model_copy(update={"goals": ("build/calc.o",)}) for suite in tiny.image.recipe.suites)
    image = replace(tiny.image, recipe=tiny.image.recipe.model_copy(update={"suites": suites}))
    problems = []
    for place in (image, tiny.image):
        task = add_task()
        with tiny.backend.session(place.key) as session:
            trial = write_text_and_open_trial(
                BuildPlanner(place, task), session, task.gold, tmp_path, backend=tiny.backend, only_suites=["unit"]
            )
            assert trial.build_for_suite("unit")
            problems.append(trial.run_suite_and_explain_failure("unit"))
    assert problems == ["ended with status 127", ""]


def test_tasks_are_begun_in_the_order_asked_for_until_there_are_enough(examine) -> None:  # type: ignore[no-untyped-def]
    seen: list[str] = []

    def go(enough: int) -> None:
        examine(
            [add_task(), twice_task()],
            replace(EFFORT, mutants=0, gold_runs=1),
            ["twice", "add"],
            should_skip_task=lambda task: len(seen) >= enough,
            handle_health=lambda task, health: seen.append(f"{task.id} {health.health.value}"),
        )

    go(enough=1)
    assert seen == ["twice valid"]
    # The one that the manifest holds is told of again, so that the count goes on.
    seen.clear()
    go(enough=2)
    assert seen == ["twice valid", "add valid"]


@pytest.mark.parametrize("workers", [1, 8])
def test_no_forgery_passes(examine, tiny_bwrap, workers: int) -> None:  # type: ignore[no-untyped-def]
    """With eight at once each has a session of its own, with one all of a text share one."""
    effort = replace(EFFORT, forgeries=True, mutants=0, gold_runs=1)
    place = replace(tiny_bwrap, backend=ScheduledBackend(tiny_bwrap.backend, Scheduler(workers)))
    health = examine([add_task()], effort, place=place).tasks["add"]
    forged = {finding.name: finding for finding in health.findings if finding.kind == "forgery"}
    assert len(forged) == 8
    assert {finding.fate for finding in forged.values()} == {Fate.KILLED}
    assert (health.forgeries, health.forgeries_passed) == (8, ())


def test_reach_is_kept_suite_by_suite(tiny, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:  # type: ignore[no-untyped-def]
    tasks = [add_task(), twice_task()]
    measure_which_suites_enter_tasks(tiny.image, tiny.backend, tasks, ["unit"], tmp_path)
    caplog.clear()
    found = measure_which_suites_enter_tasks(tiny.image, tiny.backend, tasks, ["unit", "late"], tmp_path)
    assert [line for line in caplog.messages if line.startswith("reach 1/1: late")]
    assert found.entered == {"add": ("unit", "late"), "twice": ("unit",)}
    assert found.count_entered_tasks_by_suite() == {"unit": 2, "late": 1}


def test_a_probe_needs_a_body() -> None:
    with pytest.raises(RecipeError):
        insert_probe_marking_entry("int f(int);", "/marks/f")


def test_a_damaged_manifest_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text("{}")
    with pytest.raises(RecipeError, match="run graft doctor again"):
        load_manifest(path)
    assert load_manifest(tmp_path / "none.json") is None
