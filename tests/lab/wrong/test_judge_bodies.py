"""Prevents: a wrong body that compiles to the gold's own object; a rate that counts what wasn't tried, or what no test
can tell; plus tests that count though the gold fails them; a judgement that runs anew what it knows, or that is taken
from another image's manifest; a budget spent on suites that kill nothing while a killer stands outside; a suite lost
that judges today; a choice made by looking at the bodies that figures are taken on; a suite that the gold fails."""

from __future__ import annotations

import signal
from dataclasses import replace

import pytest

from executor.candidate.execute import execute_edits
from executor.manifest.false_passes import (
    Passing,
    count_passing_bodies,
    count_passing_held_back_bodies,
    mean_false_pass_rate,
)
from executor.manifest.health import Fate, JudgedBodies, WrongFate
from executor.manifest.manifest import load_manifest
from executor.repository.baseline import add_plus_expectations
from executor.repository.suites import PlusHarness, read_plus_tests
from executor.values import TestRun
from index.errors import RecipeError
from lab.wrong.body_file import BodyEdit, BodyEntry, make_wrong_bodies
from lab.wrong.compile_bodies import SAME_OBJECT_CODE, compile_and_compare_bodies_with_gold
from lab.wrong.judge_bodies import JudgedRepository, choose_further_suites, fill_budget_with_suites, judge_wrong_bodies
from lab.wrong.pass_rate_tables import summarize_pass_rates_by_held_back
from lab.wrong.plus_tests import try_plus_tests
from lab.wrong.stored_trials import TextTrials, try_text_on_missing_suites
from tests.fixtures.calc import GOLD, add_manifest, add_task, both_task
from tests.support.projects import write_files

# Slow: each wrong body is built and judged.
pytestmark = pytest.mark.slow

WHY = "It must add both of its arguments, and this doesn't."
# `late` alone adds negative numbers, and it doesn't judge the task.
NEGATIVE = "a < 0 ? 0 : a + b"


def _entry(new, *, held=False):
    return BodyEntry(kind="common-path-only", why=WHY, held=held, edits=(BodyEdit(old="a + b", new=new),))


def _open(trials, folder, manifest=None, task=None, **entries):
    """The wrong bodies of `add`, to be judged; `folder`/tiny.json is the manifest."""
    before = manifest or add_manifest(trials.image)
    return JudgedRepository(trials, [task or add_task()], entries or ENTRIES, before, folder / "tiny.json")


def _judge(*given, **more):
    return judge_wrong_bodies(_open(*given, **more))


ENTRIES = {"add": [_entry("a"), _entry(NEGATIVE, held=True), _entry("a - b", held=True)]}


def test_the_compiler_tells_what_doesnt_compile_and_what_is_the_gold(tiny, tmp_path):
    entries = {"add": [_entry("a - b"), _entry("a + nothing"), _entry("a +\n        b")]}
    bodies = make_wrong_bodies(add_task(), entries)
    found = [
        problem
        for _, problem in compile_and_compare_bodies_with_gold(tiny.image, tiny.backend, add_task(), bodies, tmp_path)
    ]
    assert found[0] == ""
    assert "undeclared" in found[1]
    assert found[2] == SAME_OBJECT_CODE
    # Known texts need no session.
    again = compile_and_compare_bodies_with_gold(
        replace(tiny.image, graph=None), tiny.backend, add_task(), bodies, tmp_path
    )
    assert [problem for _, problem in again] == found


def test_bodies_meet_the_suites_that_judge_the_task(tiny, tmp_path, monkeypatch):
    trials = TextTrials(tiny.image, tiny.backend, tmp_path)
    manifest = _judge(trials, tmp_path)
    fates = manifest.wrong["add"]
    assert [(f.fate, f.by, f.held) for f in fates.bodies] == [
        (Fate.KILLED, "unit", False),
        (Fate.SURVIVED, "", True),
        (Fate.KILLED, "unit", True),
    ]
    assert (fates.suites, load_manifest(tmp_path / "tiny.json")) == (("unit",), manifest)
    assert summarize_pass_rates_by_held_back(manifest, ["add"])[0].startswith(
        "tiny, held back: 1 of 2 wrong bodies pass"
    )
    # A further suite runs alone; what is known isn't run again.
    late = try_text_on_missing_suites(
        trials, add_task(), make_wrong_bodies(add_task(), ENTRIES)[1].text, ("unit", "late")
    )
    assert (late.find_fate(("unit",)), late.find_fate(("unit", "late"))) == (Fate.SURVIVED, Fate.KILLED)
    monkeypatch.setattr("lab.wrong.stored_trials.execute_edits", None)
    assert _judge(trials, tmp_path).wrong == manifest.wrong
    with pytest.raises(RecipeError, match="another image"):
        _judge(trials, tmp_path, replace(add_manifest(tiny.image), image="other"))


@pytest.mark.parametrize("ended", [{"timed_out": True, "exit_code": None}, {"exit_code": 128 + signal.SIGALRM}])
def test_what_a_time_limit_ended_is_done_once_more(tiny, tmp_path, monkeypatch, ended):
    """A busy machine stopped a body that passes, and the plus tests got the credit."""
    trials = TextTrials(tiny.image, tiny.backend, tmp_path)
    runs: list[TestRun] = []

    def slow(*given, **more):
        run = execute_edits(*given, **more)
        if not runs or "a + b + 1" in given[1][0].text:
            late = tuple(replace(s, step=replace(s.step, **ended), results=()) for s in run.suites)
            run = replace(run, suites=late)
        runs.append(run)
        return run

    monkeypatch.setattr("lab.wrong.stored_trials.execute_edits", slow)
    passes = GOLD.replace("a + b", "b + a")
    assert try_text_on_missing_suites(trials, add_task(), passes, ("unit",)).find_fate(("unit",)) is Fate.SURVIVED
    assert len(runs) == 2
    # One that hangs each time is killed, after two runs.
    hangs = GOLD.replace("a + b", "a + b + 1")
    assert try_text_on_missing_suites(trials, add_task(), hangs, ("unit",)).find_fate(("unit",)) is Fate.KILLED
    assert len(runs) == 4


def test_a_task_whose_gold_fails_beside_its_bodies_isnt_judged(tiny, tmp_path):
    broken = add_task(GOLD.replace("a + b", "a - b"))
    entries = [BodyEntry(kind="wrong-error", why=WHY, edits=(BodyEdit(old="a - b", new="a"),))]
    assert _judge(TextTrials(tiny.image, tiny.backend, tmp_path), tmp_path, task=broken, add=entries).wrong == {}


def test_rates_leave_out_what_no_test_can_tell():
    def fate(fate, only=None, *, held=True):
        return WrongFate("missing-check", "0", held, only, fate)

    bodies = JudgedBodies(
        ("unit",),
        "0",
        (fate(Fate.SURVIVED), fate(Fate.KILLED), fate(Fate.SURVIVED, "race"), fate(Fate.UNBUILT), fate(Fate.UNKNOWN)),
    )
    assert count_passing_bodies(bodies.bodies, held=True) == Passing(1, 2)
    assert count_passing_bodies(bodies.bodies, held=False) == Passing(0, 0)
    rate = mean_false_pass_rate([Passing(1, 2), Passing(0, 0), Passing(0, 3)])
    assert (rate.value, rate.tasks) == (0.25, 2)


def _add_plus_tests(image, folder, text, harness):
    """The image with one more file of plus tests, `text`, that this harness runs."""
    write_files(folder / "plus", {"add.c": text})
    recipe = image.recipe.model_copy(update={"plus_suites": read_plus_tests(folder / "plus", {".c": harness})})
    return replace(image, recipe=recipe, expected=add_plus_expectations(image.expected, recipe))


def test_plus_tests_count_where_the_gold_passes_them(tiny, tmp_path):
    before = _judge(TextTrials(tiny.image, tiny.backend, tmp_path), tmp_path)
    late = PlusHarness(into="plus", argv=("build/test", "late"), parser="lines")
    head = "/*---\ntasks: [add]\ntests: {adds_negative: 'Both.'}\n---*/\n"
    image = _add_plus_tests(tiny.image, tmp_path, head, late)
    bodies = make_wrong_bodies(add_task(), ENTRIES)
    found = try_plus_tests(TextTrials(image, tiny.backend, tmp_path), add_task(), bodies, 2)
    assert (found.has_gold_always_passed, found.gold_passed, found.stubs_killed == found.stubs > 0) == (True, 2, True)
    assert [body.fate for body in found.bodies] == [Fate.KILLED, Fate.KILLED, Fate.KILLED]
    manifest = replace(before, plus={"add": found})
    assert count_passing_held_back_bodies(manifest, "add", ("unit",)) == Passing(1, 2)
    assert count_passing_held_back_bodies(manifest, "add", ("unit",), plus=True) == Passing(0, 2)
    assert count_passing_held_back_bodies(manifest, "add", ("unit", "late"), plus=True) is None
    unsound = replace(manifest, plus={"add": replace(found, gold_passed=1)})
    assert count_passing_held_back_bodies(unsound, "add", ("unit",), plus=True) == Passing(1, 2)
    # A gold that fails them ends the trial: its bodies would say nothing.
    broken = add_task(GOLD.replace("a + b", "a - b"))
    again = try_plus_tests(TextTrials(image, tiny.backend, tmp_path), broken, bodies, 2)
    assert (again.has_gold_always_passed, again.bodies, "adds_negative" in again.reason) == (False, (), True)
    built = late.model_copy(update={"build": ("gcc -c plus/add.c",)})
    trials = TextTrials(_add_plus_tests(tiny.image, tmp_path, f"{head}int x = y;\n", built), tiny.backend, tmp_path)
    unbuilt = try_plus_tests(trials, add_task(), bodies, 1).reason
    assert "its test can't be built with the candidate: plus/add.c:5:9: error:" in unbuilt


def _add_plus_tests_of_both(image, folder, *more):
    """The image with a plus test of both functions in add.c, and the same in these files."""
    head = "/*---\ntasks: [both]\ntests: {adds: 'Its name.', doubles: 'Its name.', adds_zero: 'Its name.'}\n---*/\n"
    write_files(folder / "plus", dict.fromkeys(more, head))
    return _add_plus_tests(image, folder, head, PlusHarness(into="plus", argv=("build/test",), parser="lines"))


def test_plus_tests_of_several_functions_are_tried_on_a_stub_of_each(tiny, tmp_path):
    """Prevents: `the answer has no text for twice`, which ended `audit plus check` for all tasks."""
    image = _add_plus_tests_of_both(tiny.image, tmp_path)
    found = try_plus_tests(TextTrials(image, tiny.backend, tmp_path), both_task(), (), 1)
    assert (found.has_gold_always_passed, found.stubs_killed, found.stubs) == (True, 8, 8)


def test_a_body_of_one_function_is_tried_on_that_functions_plus_test_first(tiny, tmp_path, monkeypatch):
    """Prevents: sixteen programs built for each stub of one of sixteen functions, where one of them kills it."""
    image = _add_plus_tests_of_both(tiny.image, tmp_path, "twice.c", "other.c")
    ran = []

    def record(image, edits, backend, suites, *more):
        ran.append((frozenset(edit.text for edit in edits), tuple(suites)))
        return execute_edits(image, edits, backend, suites, *more)

    monkeypatch.setattr("lab.wrong.stored_trials.execute_edits", record)
    assert try_plus_tests(TextTrials(image, tiny.backend, tmp_path), both_task(), (), 1).stubs_killed == 8
    gold, *stubs = ran
    assert gold[1] == ("plus-add", "plus-other", "plus-twice")
    for texts, suites in stubs:
        changed = "twice" if any(GOLD.rstrip() in text for text in texts) else "add"
        assert texts != gold[0] and suites == (f"plus-{changed}",)


COST = {"a": 1.0, "b": 2.0, "c": 2.0, "d": 0.5, "e": 9.0}


@pytest.mark.parametrize(
    ("judging", "others", "budget", "chosen"),
    [
        # c kills two that a doesn't; b then kills nothing new, so d, which is cheaper, comes before it.
        (("a",), ("b", "c", "d", "e"), 5.0, ("a", "c", "d")),
        (("a",), ("b", "c", "d", "e"), 5.5, ("a", "c", "d", "b")),
        (("e",), ("a", "b"), 5.0, ("e",)),
        ((), (), 5.0, ()),
    ],
)
def test_the_budget_is_filled_by_kills_and_then_by_price(judging, others, budget, chosen):
    kills = {"one": {"c"}, "two": {"c", "b"}, "three": {"e"}, "known": {"a"}}
    assert fill_budget_with_suites(judging, others, COST, kills, budget) == chosen


def test_a_cheap_suite_that_enters_the_function_judges_it_too(tiny, tmp_path):
    judged = _open(TextTrials(tiny.image, tiny.backend, tmp_path), tmp_path, add=[_entry(NEGATIVE, held=True)])
    before = judge_wrong_bodies(judged)
    assert before.wrong["add"].bodies[0].fate is Fate.SURVIVED
    chosen = choose_further_suites(replace(judged, manifest=before), gold_runs=1)
    assert chosen.tasks["add"].suites == ("unit", "late")
    assert load_manifest(judged.path) == chosen
    after = judge_wrong_bodies(replace(judged, manifest=chosen))
    assert (after.wrong["add"].bodies[0].fate, after.wrong["add"].bodies[0].by) == (Fate.KILLED, "late")


@pytest.mark.parametrize("name", ["late", "leaks.late"])
def test_a_suite_that_the_gold_fails_or_that_is_stricter_than_the_repositorys_own_isnt_taken(tiny, tmp_path, name):
    unit, late = tiny.image.recipe.suites
    recipe = tiny.image.recipe.model_copy(update={"suites": (unit, late.model_copy(update={"name": name}))})
    # One result more than the gold gives.
    expected = replace(tiny.image.expected, suites={**tiny.image.expected.suites, "late": {"adds_negative": 2}})
    image = replace(tiny.image, recipe=recipe, expected=expected)
    before = add_manifest(image)
    manifest = replace(before, tasks={"add": replace(before.tasks["add"], reached_by=("unit", name))})
    judged = _open(TextTrials(image, tiny.backend, tmp_path), tmp_path, manifest, add=[_entry("a")])
    assert choose_further_suites(judged, gold_runs=1).tasks["add"].suites == ("unit",)
