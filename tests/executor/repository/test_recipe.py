"""Prevents: a misspelt key of a recipe that is ignored, so that a quarantine or a limit silently doesn't hold; a plus
test that changes the key of a baseline, so that a repository is measured anew; a mistake in a test's head that shows
as a candidate's failure; `suite=official` that runs what the chosen suites run already, holds a candidate against
tests that the unmodified tree fails, measures that tree anew for each run, makes a manifest stale by a parser of its
own, or links a hundred programs for a candidate that fails its first test."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executor.candidate.execute import ExecutionOptions
from executor.manifest.manifest import digest_suites
from executor.repository.baseline import baseline_key
from executor.repository.images import Image
from executor.repository.official_suites import add_official_expectations_measuring_if_needed
from executor.repository.recipe import Base, Recipe, Tests, find_recipe, load_recipe, recipe_names
from executor.repository.source import SourceTree
from executor.repository.suites import OfficialSuite, PlusHarness, digest_plus_tests, read_plus_tests
from executor.tasks.datasets import load_rows
from executor.values import Outcome
from index.errors import RecipeError
from tests.fixtures.calc import GOLD, judge_text
from tests.fixtures.executor_fixtures import Tiny
from tests.fixtures.rows import write_toy_recipe

SOURCE = "{url: https://example.org/toy, commit: 0123456789012345678901234567890123456789}"


def _written(folder: Path, change: str, replacement: str) -> Path:
    path = write_toy_recipe(folder, SOURCE)
    text = path.read_text()
    assert change in text
    path.write_text(text.replace(change, replacement))
    return path


@pytest.mark.parametrize(
    ("change", "replacement", "message"),
    [
        ("display:", "dysplay:", "dysplay: unknown key; did you mean 'display'"),
        ("goals:", "gaols:", "build.gaols: unknown key; did you mean 'goals'"),
        ("passed:", "pased:", "parsers.lines.pased: unknown key; did you mean 'passed'"),
        ("parser: lines", "parser: lines, timeout_fctor: 3", "did you mean 'timeout_factor'"),
        ("parser: lines", "parser: linse", "all names parser 'linse'; declared: lines"),
        ("default: [all]", "default: [al]", "default names suite 'al'; declared: all"),
        ("default: [all]", "default: [all], tasks: {X1: [none]}", "X1 names suite 'none'"),
        ("ok (?P<name>.*)", "ok (.*)", "parsers.lines.passed: needs a group"),
        ("ok (?P<name>.*)", "ok (?P<name>.*", "parsers.lines.passed: not a regular expression"),
        ("url: https://example.org/toy, ", "", "source: give either url and commit, or directory"),
        ("0123456789012345678901234567890123456789", "'0123'", "source.commit"),
        ("name: toy", "name: tyo", "name: 'tyo' differs from its folder's, 'toy'"),
        ("passed: '^ok (?P<name>.*)$'", "tap: true, skipped: '^(?P<name>x)'", "tap: true reads every line by itself"),
        ("passed: '^ok (?P<name>.*)$'", "failed: '^no (?P<name>.*)$'", "passed: missing"),
        ("name: toy", "name: toy\nknown_failures: {al: 3}", "no suite 'al'; did you mean 'all'"),
        ("name: toy", "name: toy\nbase: {suit: trixie}", "base.suit: unknown key; did you mean 'suite'"),
        ("name: toy", "name: toy\nbase: {suite: trixie, without: [a/../../b]}", "base.without"),
        ("name: toy", "name: [", "not YAML"),
        ("default: [all]", "default: [all], official: ['al?x*']", "official: no suite's name is like 'al?x*'"),
        ("name: toy", "name: toy\nplus: {.c: {into: t, argv: [x], parser: line}}", "plus: .c: names parser 'line'"),
        (
            "url: https://example.org/toy, ",
            "url: https://example.org/toy, package: toy, ",
            "give either url and commit",
        ),
        (SOURCE, "{package: toy, version: '1.0-2'}", "package, version and sha256 go together"),
        ("name: toy", "name: toy\nfolder: /", "folder: unknown key"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_key(tmp_path: Path, change: str, replacement: str, message: str) -> None:
    path = _written(tmp_path, change, replacement)
    with pytest.raises(RecipeError) as caught:
        load_recipe(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_of_graft_recipes_is_a_new_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _written(tmp_path, "Toy", "Toy")
    monkeypatch.setenv("GRAFT_RECIPES", str(tmp_path))
    assert {"toy", "redis", "example", "bullet3"} <= set(recipe_names())
    assert find_recipe("toy").folder == (tmp_path / "toy").resolve()

    with pytest.raises(RecipeError, match="no recipe for repository 'reddis'; did you mean 'redis'"):
        find_recipe("reddis")


def test_every_built_in_recipe_loads_and_its_plus_tests_judge_tasks_of_its_repository() -> None:
    known = Counter((row.repository, row.id) for name in ("yabloco", "example") for row in load_rows(name))
    for path in find_recipe("redis").folder.parent.glob("*-hard/places.json"):
        made = json.loads(path.read_text())
        known.update((made["repository"], task["id"]) for task in made["tasks"])
    for name in recipe_names():
        recipe = find_recipe(name)
        assert recipe.list_judging_suites("no such task") == recipe.tests.default
        for suite in recipe.plus_suites if name in ("redis", "openssl", "bullet3", "example") else ():
            assert all((name, task) in known for task in suite.tasks), suite.name


def test_a_suite_with_goals_of_its_own_needs_nothing_else(tmp_path: Path) -> None:
    line = "  - {name: all, argv: [./toy], parser: lines}"
    # Lists inside argv are spread.
    more = f"{line}\n  - {{name: one, argv: [sh, [-c, ['run $0']], '{{suite}}'], parser: lines, goals: [b/one, a]}}"
    recipe = load_recipe(_written(tmp_path, line, more))
    assert recipe.find_goals() == ("a", "b/one", "toy")
    assert recipe.find_goals(["one"]) == ("a", "b/one")
    assert recipe.find_goals(["all"]) == ("toy",)
    assert recipe.find_suite("one").argv_with_suite_name == ("sh", "-c", "run $0", "one")


def test_recipes_name_tasks_of_the_benchmark() -> None:
    """redis only some; every task of llvm outside of TableGen has suites of its own."""
    rows = {row.id: row for row in load_rows("yabloco")}
    assert {rows[key].repository for key in find_recipe("redis").tests.tasks} == {"redis"}
    llvm = {key for key, row in rows.items() if row.repository == "llvm" and "/utils/TableGen/" not in row.path}
    assert set(find_recipe("llvm").tests.tasks) == llvm


def test_bases_with_the_same_needs_share_one_and_others_dont() -> None:
    assert Base(suite="trixie", packages=("b", "a")).name == Base(suite="trixie", packages=("a", "b")).name
    bases = [Base(suite=suite, packages=some) for suite in ("trixie", "bookworm") for some in ((), ("a",))]
    bases.append(Base(suite="trixie", packages=("a",), without=("usr/bin/b",)))
    assert len({base.name for base in bases}) == 5


def test_when_results_stand_is_no_part_of_what_was_measured() -> None:
    """Else a changed closing line would make every baseline and manifest stale."""
    kept = find_recipe("openssl").dump_keys_deciding_results()
    assert set(kept["parsers"]["tap"]) == {"passed", "failed", "skipped", "tap"}
    assert not any("ends" in suite for suite in kept["suites"])
    assert find_recipe("openssl").find_parser("01-test_test").ends
    assert not find_recipe("openssl").find_parser("compiled").ends


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
    # The digest follows the text.
    (tmp_path / "add.c").write_text(HEAD.replace("return 0", "return 1"))
    assert digest_plus_tests(read_plus_tests(tmp_path, {".c": C})) != digest_plus_tests([suite])


def test_a_folder_is_a_group_whose_tests_get_the_headers_that_they_include(tmp_path: Path) -> None:
    """Else a new header of one group would change the digest of every test, and all had to be judged again."""
    group = tmp_path / "hard"
    group.mkdir()
    for path, text in (
        ("add.c", HEAD),
        ("start.h", "// shared\n"),
        ("hard/sub.c", HEAD + '#include "list.h"\n'),
        ("hard/list.h", ' #  include "start.h"\n'),
        ("hard/other.h", "// of another test\n"),
    ):
        (tmp_path / path).write_text(text)
    top, of_group = read_plus_tests(tmp_path, {".c": C})
    assert (top.name, set(top.files)) == ("plus-add", {"t/plus/start.h", "t/plus/add.c"})
    assert (of_group.name, set(of_group.files)) == ("plus-sub", {"t/plus/start.h", "t/plus/list.h", "t/plus/sub.c"})
    (group / "list.h").write_bytes(b"// \xff\n")
    with pytest.raises(RecipeError, match=r"list\.h: it isn't UTF-8: invalid start byte at byte 3"):
        read_plus_tests(tmp_path, {".c": C})
    (group / "list.h").unlink()
    (group / "add.c").write_text(HEAD)
    with pytest.raises(RecipeError, match=r"hard/add\.c: .*/add\.c has the same name; rename one"):
        read_plus_tests(tmp_path, {".c": C})


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


# Right where `unit` and `late` look: `twice` and small numbers.
SLY = "int add(int a, int b)\n{\n    return a + b + (a > 1000);\n}\n"
WHOLE = """\
printf 'int add(int, int); int main(void) { return add(2000, 1) != 2001; }' >whole.c
cc -o whole whole.c build/calc.o && ./whole && echo '[ok]: large' || echo '[err]: large'
echo '[err]: never'
"""


def _with_official_suite(tiny: Tiny, **more: Any) -> Recipe:
    suite = OfficialSuite(name="whole", argv=("sh", "-c", WHOLE), parser="its-own", known_failures=1, **more)
    given: Recipe = tiny.image.recipe
    parsers = {**given.parsers, "its-own": given.parsers["lines"]}
    tests = Tests(default=("unit",), official=("late", "whole"))
    recipe: Recipe = given.model_copy(update={"official": (suite,), "tests": tests, "parsers": parsers})
    return recipe


def _with_expectations(tiny: Tiny, recipe: Recipe) -> Image:
    image: Image = replace(tiny.image, recipe=recipe)
    source = SourceTree(image.source_root, recipe.name, image.commit, "here")
    return add_official_expectations_measuring_if_needed(image, source, tiny.backend, tiny.cache)


def test_a_candidate_that_the_chosen_suites_pass_meets_the_repositorys_own(
    tiny: Tiny, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    recipe = _with_official_suite(tiny)
    assert recipe.official_suites() == ("late", "whole")
    assert baseline_key(recipe) == baseline_key(tiny.image.recipe)
    assert digest_suites(recipe) == digest_suites(tiny.image.recipe)
    with pytest.raises(RecipeError, match="no suite 'whol'; did you mean 'whole'"):
        recipe.find_suite("whol")
    for _ in range(2):
        ready = _with_expectations(tiny, recipe)
    assert sum("running whole on the unmodified tree" in line for line in caplog.messages) == 1
    assert ready.expected.suites["whole"] == {"large": 1}
    assert "never" in ready.expected.ignored
    assert ready.expected.suites["unit"] == tiny.image.expected.suites["unit"]
    later = ExecutionOptions(then=recipe.official_suites())
    assert judge_text(tiny, GOLD, tmp_path / "gold", ("unit",), later, image=ready)[1].outcome is Outcome.PASSED
    sly = judge_text(tiny, SLY, tmp_path / "sly", ("unit",), later, image=ready)[1]
    assert (sly.outcome, sly.reason) == (Outcome.TESTS_FAILED, "whole: 1 failed: large")


def test_what_an_official_suite_quarantines_fails_no_candidate(tiny: Tiny, tmp_path: Path) -> None:
    ready = _with_expectations(tiny, _with_official_suite(tiny, quarantine=("^large$",)))
    verdict = judge_text(tiny, SLY, tmp_path, ("unit",), ExecutionOptions(then=("whole",)), image=ready)[1]
    assert verdict.outcome is Outcome.PASSED
    assert "large" not in ready.expected.suites["whole"]


def test_what_later_suites_need_is_built_for_those_that_come_so_far(tiny_two: Tiny, tmp_path: Path) -> None:
    tiny, linked = tiny_two, {}
    for name, code in (("gold", GOLD), ("bad", GOLD.replace("+", "-")), ("late", GOLD.replace("a + b", "abs(a + b)"))):
        run, verdict = judge_text(tiny, code, tmp_path / name, ("unit",), ExecutionOptions(then=("late",)))
        linked[name] = [step.argv[-3:] for step in run.build if "-c" not in step.argv]
        assert (verdict.outcome is Outcome.PASSED) == (name == "gold"), verdict
        assert len({step.log for step in run.build}) == len(run.build)
    assert [len(steps) for steps in linked.values()] == [2, 1, 2]
