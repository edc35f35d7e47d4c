"""Prevents: `suite=official` that runs what the chosen suites run already, holds a candidate against tests that the
unmodified tree fails, measures that tree anew for each run, makes a manifest stale by a parser of its own, or links
a hundred programs for a candidate that fails its first test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executor.candidate.execute import ExecutionOptions, execute_edits
from executor.function.splice import Edit
from executor.grading.grade import grade, select_expected
from executor.manifest.manifest import digest_suites
from executor.repository.baseline import baseline_key
from executor.repository.images import Image
from executor.repository.official_suites import add_official_expectations
from executor.repository.recipe import Recipe, Tests
from executor.repository.source import SourceTree
from executor.repository.suites import OfficialSuite
from executor.values import Outcome
from index.errors import RecipeError

Tiny = Any  # conftest's
GOLD = "int add(int a, int b)\n{\n    return a + b;\n}\n"
# Right where `unit` and `late` look: `twice` and small numbers.
SLY = "int add(int a, int b)\n{\n    return a + b + (a > 1000);\n}\n"
WHOLE = """\
printf 'int add(int, int); int main(void) { return add(2000, 1) != 2001; }' >whole.c
cc -o whole whole.c build/calc.o && ./whole && echo '[ok]: large' || echo '[err]: large'
echo '[err]: never'
"""


def _asked(tiny: Tiny, **more: Any) -> Recipe:
    suite = OfficialSuite(name="whole", argv=("sh", "-c", WHOLE), parser="its-own", known_failures=1, **more)
    given: Recipe = tiny.image.recipe
    parsers = {**given.parsers, "its-own": given.parsers["lines"]}
    tests = Tests(default=("unit",), official=("late", "whole"))
    recipe: Recipe = given.model_copy(update={"official": (suite,), "tests": tests, "parsers": parsers})
    return recipe


def _source(image: Image) -> SourceTree:
    return SourceTree(image.source_root, image.recipe.name, image.commit, "here")


def test_a_candidate_that_the_chosen_suites_pass_meets_the_repositorys_own(
    tiny: Tiny, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    recipe = _asked(tiny)
    assert recipe.official_suites() == ("late", "whole")
    assert baseline_key(recipe) == baseline_key(tiny.image.recipe)
    assert digest_suites(recipe) == digest_suites(tiny.image.recipe)
    image = replace(tiny.image, recipe=recipe)
    for _ in range(2):
        ready = add_official_expectations(image, _source(image), tiny.backend, tiny.cache)
    assert sum("running whole on the unmodified tree" in line for line in caplog.messages) == 1
    assert ready.expected.suites["whole"] == {"large": 1}
    assert "never" in ready.expected.ignored
    assert ready.expected.suites["unit"] == tiny.image.expected.suites["unit"]
    later = recipe.official_suites()
    verdicts = {}
    for code in (GOLD, SLY):
        folder = tmp_path / str(len(verdicts))
        run = execute_edits(
            ready, [Edit(tiny.path, tiny.span, code)], tiny.backend, ("unit",), folder, ExecutionOptions(then=later)
        )
        verdicts[code] = grade(run, select_expected(ready.expected, ("unit", *later)), code)
    assert verdicts[GOLD].outcome is Outcome.PASSED
    assert (verdicts[SLY].outcome, verdicts[SLY].reason) == (Outcome.TESTS_FAILED, "whole: 1 failed: large")


def test_what_an_official_suite_quarantines_fails_no_candidate(tiny: Tiny, tmp_path: Path) -> None:
    recipe = _asked(tiny, quarantine=("^large$",))
    image = replace(tiny.image, recipe=recipe)
    ready = add_official_expectations(image, _source(image), tiny.backend, tiny.cache)
    run = execute_edits(
        ready, [Edit(tiny.path, tiny.span, SLY)], tiny.backend, ("unit",), tmp_path, ExecutionOptions(then=("whole",))
    )
    assert grade(run, select_expected(ready.expected, ("unit", "whole")), SLY).outcome is Outcome.PASSED
    assert "large" not in ready.expected.suites["whole"]


def test_what_later_suites_need_is_built_for_those_that_come_so_far(tiny_two: Tiny, tmp_path: Path) -> None:
    tiny, linked = tiny_two, {}
    for name, code in (
        ("gold", GOLD),
        ("bad", GOLD.replace("+", "-")),
        ("late", GOLD.replace("a + b", "abs(a + b)")),
    ):
        folder = tmp_path / name
        run = execute_edits(
            tiny.image,
            [Edit(tiny.path, tiny.span, code)],
            tiny.backend,
            ("unit",),
            folder,
            ExecutionOptions(then=("late",)),
        )
        linked[name] = [step.argv[-3:] for step in run.build if "-c" not in step.argv]
        verdict = grade(run, select_expected(tiny.image.expected, ("unit", "late")), code)
        assert (verdict.outcome is Outcome.PASSED) == (name == "gold"), verdict
        assert len({step.log for step in run.build}) == len(run.build)
    assert [len(steps) for steps in linked.values()] == [2, 1, 2]


def test_a_name_that_no_suite_has_is_refused(tiny: Tiny) -> None:
    data = {**tiny.image.recipe.model_dump(), "tests": {"default": ["unit"], "official": ["unti*"]}}
    with pytest.raises(ValueError, match=r"official: no suite's name is like 'unti\*'"):
        Recipe.model_validate(data)
    with pytest.raises(RecipeError, match="no suite 'whol'; did you mean 'whole'"):
        _asked(tiny).find_suite("whol")
