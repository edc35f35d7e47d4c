"""Prevents: a plus test that changes the key of a baseline, so that a repository is measured anew; a mistake in a
test's head that shows as a candidate's failure; `suite=official` that runs what the chosen suites run already, holds a
candidate against tests that the unmodified tree fails, measures that tree anew for each run, makes a manifest stale by
a parser of its own, or links a hundred programs for a candidate that fails its first test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executor.candidate.execute import ExecutionOptions
from executor.manifest.manifest import digest_suites
from executor.repository.baseline import baseline_key
from executor.repository.images import Image
from executor.repository.official_suites import add_official_expectations
from executor.repository.recipe import Recipe, Tests, find_recipe
from executor.repository.source import SourceTree
from executor.repository.suites import OfficialSuite, PlusHarness, digest_plus_tests, read_plus_tests
from executor.tasks.datasets import load_rows
from executor.values import Outcome
from index.errors import RecipeError
from tests.fixtures.calc import GOLD, judge_text
from tests.fixtures.executor_fixtures import Tiny

C = PlusHarness(
    into="t/plus", goals=("lib.a",), build=("cc {flags} -o {name} {name}.c {link}",), argv=("./{name}",), parser="tap"
)
HEAD = """/*---
 * tasks: [a1]
 * tests:
 *   it adds: 'Docstring: "adds".'
 * link: [x.o, y.o]
 * goals: [x.o]
 ---*/
int main(void) { return 0; }
"""


def test_a_file_says_all_of_itself(tmp_path: Path) -> None:
    (tmp_path / "add.c").write_text(HEAD)
    (tmp_path / "help.h").write_text("// shared\n")
    (suite,) = read_plus_tests(tmp_path, {".c": C})
    assert (suite.name, suite.argv, suite.tasks) == ("plus-add", ("./add",), ("a1",))
    assert suite.build == ("cc  -o add add.c x.o y.o",)
    assert suite.goals == ("lib.a", "x.o")
    assert suite.files == {"t/plus/help.h": "// shared\n", "t/plus/add.c": HEAD}
    assert suite.tests == {"it adds": 'Docstring: "adds".'}


def test_the_digest_follows_the_text(tmp_path: Path) -> None:
    (tmp_path / "add.c").write_text(HEAD)
    before = digest_plus_tests(read_plus_tests(tmp_path, {".c": C}))
    (tmp_path / "add.c").write_text(HEAD.replace("return 0", "return 1"))
    assert digest_plus_tests(read_plus_tests(tmp_path, {".c": C})) != before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main(void) { return 0; }\n", "doesn't open with its tasks"),
        (HEAD.replace("tasks:", "taks:"), "taks: unknown key; did you mean 'tasks'"),
        (HEAD.replace("[a1]", "[a1"), "its head isn't YAML"),
        (HEAD.replace("""'Docstring: "adds".'""", "''"), "tests"),
    ],
)
def test_a_mistake_names_the_file_and_the_key(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "add.c").write_text(text)
    with pytest.raises(RecipeError, match=rf"add\.c: {message}"):
        read_plus_tests(tmp_path, {".c": C})


def test_no_key_of_an_image_or_a_baseline_depends_on_them() -> None:
    recipe = find_recipe("example")
    assert recipe.plus_suites
    bare = recipe.model_copy(update={"plus_suites": (), "plus": {}})
    assert (baseline_key(recipe), recipe.find_goals()) == (baseline_key(bare), bare.find_goals())
    assert recipe.model_dump(exclude={"plus"}) == bare.model_dump(exclude={"plus"})


@pytest.mark.parametrize("name", ["redis", "openssl", "bullet3", "example"])
def test_each_plus_test_judges_a_task_of_its_repository(name: str) -> None:
    rows = load_rows("example" if name == "example" else "yabloco")
    known = {row.id for row in rows if row.repository == name}
    for suite in find_recipe(name).plus_suites:
        assert known.issuperset(suite.tasks), suite.name


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
    later = ExecutionOptions(then=recipe.official_suites())
    assert judge_text(tiny, GOLD, tmp_path / "gold", ("unit",), later, image=ready)[1].outcome is Outcome.PASSED
    sly = judge_text(tiny, SLY, tmp_path / "sly", ("unit",), later, image=ready)[1]
    assert (sly.outcome, sly.reason) == (Outcome.TESTS_FAILED, "whole: 1 failed: large")


def test_what_an_official_suite_quarantines_fails_no_candidate(tiny: Tiny, tmp_path: Path) -> None:
    recipe = _asked(tiny, quarantine=("^large$",))
    image = replace(tiny.image, recipe=recipe)
    ready = add_official_expectations(image, _source(image), tiny.backend, tiny.cache)
    verdict = judge_text(tiny, SLY, tmp_path, ("unit",), ExecutionOptions(then=("whole",)), image=ready)[1]
    assert verdict.outcome is Outcome.PASSED
    assert "large" not in ready.expected.suites["whole"]


def test_what_later_suites_need_is_built_for_those_that_come_so_far(tiny_two: Tiny, tmp_path: Path) -> None:
    tiny, linked = tiny_two, {}
    for name, code in (
        ("gold", GOLD),
        ("bad", GOLD.replace("+", "-")),
        ("late", GOLD.replace("a + b", "abs(a + b)")),
    ):
        run, verdict = judge_text(tiny, code, tmp_path / name, ("unit",), ExecutionOptions(then=("late",)))
        linked[name] = [step.argv[-3:] for step in run.build if "-c" not in step.argv]
        assert (verdict.outcome is Outcome.PASSED) == (name == "gold"), verdict
        assert len({step.log for step in run.build}) == len(run.build)
    assert [len(steps) for steps in linked.values()] == [2, 1, 2]


def test_a_name_that_no_suite_has_is_refused(tiny: Tiny) -> None:
    with pytest.raises(RecipeError, match="no suite 'whol'; did you mean 'whole'"):
        _asked(tiny).find_suite("whol")
