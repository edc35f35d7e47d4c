"""Reading recipes. Prevents: a misspelt key that is ignored, so that a quarantine or a limit silently doesn't hold."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from executor.repository.recipe import Base, Recipe, find_recipe, load_recipe, recipe_names
from executor.tasks.datasets import load_rows
from index.errors import RecipeError
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
        (
            "passed: '^ok (?P<name>.*)$'",
            "tap: true, skipped: '^(?P<name>x)'",
            "tap: true reads every line by itself",
        ),
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


def test_an_unknown_repository_names_the_nearest() -> None:
    with pytest.raises(RecipeError, match="no recipe for repository 'reddis'; did you mean 'redis'"):
        find_recipe("reddis")


@pytest.mark.parametrize("name", recipe_names())
def test_every_built_in_recipe_loads(name: str) -> None:
    recipe = find_recipe(name)
    assert recipe.list_judging_suites("no such task") == recipe.tests.default
    for suite in recipe.suites:
        assert all(isinstance(word, str) for word in suite.argv)


def test_a_suite_with_goals_of_its_own_needs_nothing_else(tmp_path: Path) -> None:
    line = "  - {name: all, argv: [./toy], parser: lines}"
    more = f"{line}\n  - {{name: one, argv: [sh, -c, 'run $0', '{{suite}}'], parser: lines, goals: [b/one, a]}}"
    recipe = load_recipe(_written(tmp_path, line, more))
    assert recipe.find_goals() == ("a", "b/one", "toy")
    assert recipe.find_goals(["one"]) == ("a", "b/one")
    assert recipe.find_goals(["all"]) == ("toy",)
    assert recipe.find_suite("one").command == ("sh", "-c", "run $0", "one")


def test_lists_inside_argv_are_spread(tmp_path: Path) -> None:
    path = _written(tmp_path, "argv: [./toy]", "argv: [./toy, [a, [b]], c]")
    assert load_recipe(path).find_suite("all").argv == ("./toy", "a", "b", "c")


def test_recipes_name_tasks_of_the_benchmark() -> None:
    """redis only some; every task of llvm outside of TableGen has suites of its own."""
    rows = {row.id: row for row in load_rows("yabloco")}
    assert {rows[key].repository for key in find_recipe("redis").tests.tasks} == {"redis"}
    llvm = {key for key, row in rows.items() if row.repository == "llvm" and "/utils/TableGen/" not in row.path}
    assert set(find_recipe("llvm").tests.tasks) == llvm


def test_a_recipe_survives_its_own_dump(tiny_recipe: Recipe) -> None:
    dumped = yaml.safe_load(yaml.safe_dump(tiny_recipe.model_dump(mode="json")))
    assert Recipe.model_validate({**dumped, "folder": tiny_recipe.folder}) == tiny_recipe


def test_bases_with_the_same_needs_share_one_and_others_dont() -> None:
    assert Base(suite="trixie", packages=("b", "a")).name == Base(suite="trixie", packages=("a", "b")).name
    names = {
        Base(suite=suite, packages=packages).name for suite in ("trixie", "bookworm") for packages in ((), ("a",))
    }
    names.add(Base(suite="trixie", packages=("a",), without=("usr/bin/b",)).name)
    assert len(names) == 5


def test_when_results_stand_is_no_part_of_what_was_measured() -> None:
    """Else a changed closing line would make every baseline and manifest stale."""
    kept = find_recipe("openssl").dump_keys_deciding_results()
    assert set(kept["parsers"]["tap"]) == {"passed", "failed", "skipped", "tap"}
    assert not any("ends" in suite for suite in kept["suites"])
    assert find_recipe("openssl").find_parser("01-test_test").ends
    assert not find_recipe("openssl").find_parser("compiled").ends
