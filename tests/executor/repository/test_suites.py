"""Prevents: a plus test that changes the key of a baseline, so that a repository is measured anew; a mistake in a
test's head that shows as a candidate's failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.repository.baseline import baseline_key
from executor.repository.recipe import Recipe, find_recipe, load_recipe
from executor.repository.suites import PlusHarness, digest_plus_tests, read_plus_tests
from executor.tasks.datasets import load_rows
from index.errors import RecipeError

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


def _read(folder: Path, text: str) -> None:
    (folder / "add.c").write_text(text)
    read_plus_tests(folder, {".c": C})


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


def test_a_mistake_names_the_file_and_the_key(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"add\.c: doesn't open with its tasks"):
        _read(tmp_path, "int main(void) { return 0; }\n")
    with pytest.raises(RecipeError, match=r"add\.c: taks: unknown key; did you mean 'tasks'"):
        _read(tmp_path, HEAD.replace("tasks:", "taks:"))
    with pytest.raises(RecipeError, match=r"add\.c: its head isn't YAML"):
        _read(tmp_path, HEAD.replace("[a1]", "[a1"))
    with pytest.raises(RecipeError, match=r"add\.c: tests"):
        _read(tmp_path, HEAD.replace("""'Docstring: "adds".'""", "''"))


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


def test_a_harness_must_name_a_parser(tmp_path: Path) -> None:
    recipe: Recipe = find_recipe("example")
    text = (recipe.folder / "recipe.yaml").read_text().replace("parser: lines\n    goals", "parser: line\n    goals")
    path = tmp_path / "example" / "recipe.yaml"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(RecipeError, match=r"plus: \.c: names parser 'line'; declared: lines"):
        load_recipe(path)
