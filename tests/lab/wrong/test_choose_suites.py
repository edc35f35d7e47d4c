"""Prevents: a budget spent on suites that kill nothing while a killer stands outside; a suite lost that judges today;
a choice made by looking at the bodies that figures are taken on; a suite that the gold itself fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from executor.manifest.health import Fate, HealthManifest
from executor.manifest.manifest import load_manifest
from executor.repository.images import Image
from lab.wrong.body_file import BodyEdit, BodyEntry
from lab.wrong.judge_bodies import JudgedRepository, choose_further_suites, fill_budget_with_suites, judge_wrong_bodies
from lab.wrong.stored_trials import TextTrials
from tests.fixtures.calc import add_manifest, add_task
from tests.fixtures.executor_fixtures import Tiny

COST = {"a": 1.0, "b": 2.0, "c": 2.0, "d": 0.5, "e": 9.0}


def test_the_budget_is_filled_by_kills_and_then_by_price() -> None:
    kills = {"one": {"c"}, "two": {"c", "b"}, "three": {"e"}, "known": {"a"}}
    # c kills two that a doesn't; b then kills nothing new, so d, which is cheaper, comes before it.
    assert fill_budget_with_suites(("a",), ("b", "c", "d", "e"), COST, kills, 5.0) == ("a", "c", "d")
    assert fill_budget_with_suites(("a",), ("b", "c", "d", "e"), COST, kills, 5.5) == ("a", "c", "d", "b")
    assert fill_budget_with_suites(("e",), ("a", "b"), COST, kills, 5.0) == ("e",)
    assert fill_budget_with_suites((), (), COST, {}, 5.0) == ()


def _make_body(kind: str, new: str, **more: bool) -> BodyEntry:
    why = "Negative numbers must be added as well, and this doesn't."
    return BodyEntry(kind=kind, why=why, edits=(BodyEdit(old="a + b", new=new),), **more)


def _open(tiny: Tiny, folder: Path, body: BodyEntry, image: Image, manifest: HealthManifest) -> JudgedRepository:
    trials = TextTrials(image, tiny.backend, folder)
    return JudgedRepository(trials, [add_task()], {"add": [body]}, manifest, folder / "tiny.json")


def test_a_cheap_suite_that_enters_the_function_judges_it_too(tiny: Tiny, tmp_path: Path) -> None:
    judged = _open(
        tiny,
        tmp_path,
        _make_body("common-path-only", "a < 0 ? 0 : a + b", held=True),
        tiny.image,
        add_manifest(tiny.image),
    )
    before = judge_wrong_bodies(judged)
    assert before.wrong["add"].bodies[0].fate is Fate.SURVIVED
    chosen = choose_further_suites(replace(judged, manifest=before), gold_runs=1)
    assert chosen.tasks["add"].suites == ("unit", "late")
    assert load_manifest(judged.path) == chosen
    after = judge_wrong_bodies(replace(judged, manifest=chosen))
    assert (after.wrong["add"].bodies[0].fate, after.wrong["add"].bodies[0].by) == (Fate.KILLED, "late")


def test_a_suite_that_the_gold_fails_isnt_taken(tiny: Tiny, tmp_path: Path) -> None:
    tests = {**tiny.image.expected.suites, "late": {"adds_negative": 2}}
    image = replace(tiny.image, expected=replace(tiny.image.expected, suites=tests))
    judged = _open(tiny, tmp_path, _make_body("wrong-constant", "a"), image, add_manifest(tiny.image))
    found = choose_further_suites(judged, gold_runs=1)
    assert found.tasks["add"].suites == ("unit",)


def test_a_suite_that_is_stricter_than_the_repositorys_own_isnt_taken(tiny: Tiny, tmp_path: Path) -> None:
    unit, late = tiny.image.recipe.suites
    recipe = tiny.image.recipe.model_copy(update={"suites": (unit, late.model_copy(update={"name": "leaks.late"}))})
    image = replace(tiny.image, recipe=recipe)
    before = add_manifest(image)
    entry = replace(before.tasks["add"], reached_by=("unit", "leaks.late"))
    manifest = replace(before, tasks={"add": entry})
    judged = _open(tiny, tmp_path, _make_body("wrong-constant", "a"), image, manifest)
    found = choose_further_suites(judged, gold_runs=1)
    assert found.tasks["add"].suites == ("unit",)
