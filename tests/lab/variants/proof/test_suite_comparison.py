"""Prevents: a variant taken for equal whose suites lost a test, pass one that never ran on the original, or fail one
that the recipe would excuse; and one refused over a test that is known to be unsteady."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from executor.repository.baseline import Baseline
from executor.repository.baseline_measurement import make_baseline_of_rounds
from executor.repository.recipe import Recipe
from executor.values import TestResult, TestStatus
from lab.variants.proof.build_repair import compare_suites


def _baseline(recipe: Recipe, *rounds: Mapping[str, str]) -> Baseline:
    """Of rounds like {"a": "passed", "b": "failed"}; the suite `late` always passes its test."""
    late = (TestResult("adds_negative", TestStatus.PASSED),)
    made = [
        {"unit": tuple(TestResult(name, TestStatus(status)) for name, status in found.items()), "late": late}
        for found in rounds
    ]
    return make_baseline_of_rounds(recipe, made, {})


PASSES = {"a": "passed", "b": "passed"}


@pytest.mark.parametrize(
    ("rounds", "problem"),
    [
        ([PASSES, PASSES], ""),
        ([{"a": "passed"}, {"a": "passed"}], "1 don't pass as often: b"),
        ([{**PASSES, "c": "passed"}] * 2, "1 pass that the original lacks: c"),
        ([{"a": "passed", "b": "failed"}] * 2, "1 fail: b"),
        ([{"a": "passed", "zub": "passed"}] * 2, "1 don't pass as often: b; 1 pass that the original lacks: zub"),
        # Unsteady on the variant: not a difference, but listed.
        ([PASSES, {"a": "passed", "b": "failed"}], ""),
    ],
)
def test_a_suite_is_equal_name_by_name(tiny_recipe: Recipe, rounds: list[dict[str, str]], problem: str) -> None:
    original = _baseline(tiny_recipe, PASSES, PASSES)
    found = compare_suites(tiny_recipe, original, _baseline(tiny_recipe, *rounds))
    assert found.problems == ({"unit": problem} if problem else {})
    assert (found.equal, found.tried) == (1 if problem else 2, 2)
    unsteady = len({str(sorted(names.items())) for names in rounds}) > 1
    assert found.unsteady == (("unit: 'b' is unsteady on the variant alone",) if unsteady else ())
    assert found.tests == (2 if unsteady else 3)


def test_a_test_that_fails_on_both_and_a_quarantined_one(tiny_recipe: Recipe) -> None:
    recipe = tiny_recipe.model_copy(update={"quarantine": ("^slow",)})
    fails = {"a": "passed", "b": "failed"}
    assert not compare_suites(recipe, _baseline(recipe, fails, fails), _baseline(recipe, fails, fails)).problems
    slow = {**PASSES, "slow one": "passed"}
    found = compare_suites(recipe, _baseline(recipe, PASSES, PASSES), _baseline(recipe, slow, PASSES))
    assert (found.problems, found.unsteady) == ({}, ())


def test_another_exit_status_is_a_difference(tiny_recipe: Recipe) -> None:
    rounds = [{"unit": (TestResult("a", TestStatus.PASSED),), "late": (TestResult("b", TestStatus.PASSED),)}]
    before, after = (
        make_baseline_of_rounds(tiny_recipe, rounds, {}, (), statuses) for statuses in ({}, {"unit": {3}})
    )
    assert compare_suites(tiny_recipe, before, after).problems == {"unit": "ends with status 3"}
    assert not compare_suites(tiny_recipe, after, after).problems
