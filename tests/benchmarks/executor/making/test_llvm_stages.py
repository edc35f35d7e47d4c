"""Bug prevented: a cut of the llvm recipe that doesn't load, or keeps a suite whose programs it doesn't build."""

from __future__ import annotations

from pathlib import Path

import yaml

from benchmarks.executor.making.llvm_stages import LEFT_OUT, stages
from executor.repository.recipe import load_recipe


def test_the_cut_is_a_recipe_that_builds_what_its_suites_need(tmp_path: Path) -> None:
    path = tmp_path / "llvm-stages" / "recipe.yaml"
    path.parent.mkdir()
    path.write_text(yaml.safe_dump(stages()))
    recipe = load_recipe(path)
    built = " ".join(recipe.build.commands).split()
    assert {goal.rpartition("/")[2] for goal in recipe.goals_of()} <= set(built)
    assert not set(LEFT_OUT) & set(built)
    assert [suite.name for suite in recipe.suites] == ["tablegen", "unit-demangle"]
    assert {name for names in recipe.tests.tasks.values() for name in names} == {"unit-demangle"}
