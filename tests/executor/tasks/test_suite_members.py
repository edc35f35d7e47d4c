"""Prevents: a suite that names a package which doesn't ship or which taught the ranker, or two of whose tasks share an
id; a misspelt part that means all; and a source that can't be had which takes all tasks of the others along."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import executor.tasks.suite_members as suite_members
from benchmarks.figures.suite import RECIPES
from benchmarks.retrieval.training.package_lot import TAUGHT_BEFORE
from benchmarks.tables import read_tables
from executor.manifest.manifest import load_manifest
from executor.repository.recipe import find_recipe
from executor.tasks.datasets import bind_row, load_rows
from executor.tasks.made_datasets import Places, TaskPlace, digest_lines, list_made_datasets, write_places
from executor.tasks.suite_members import SUITE, find_members, load_suite
from experiments.run.config import RunConfig, load_config
from experiments.run.resolve import choose_tasks
from experiments.run.workspace import bind_tasks
from index.errors import RecipeError, TaskError
from tests.fixtures.rows import write_toy_recipe
from tests.support.projects import write_files

ROOT = Path(__file__).parents[3]
BODY = "int one(void)\n{\n    return 1;\n}\n"


def test_each_member_ships_and_no_two_tasks_share_an_id() -> None:
    names = [member.name for member in load_suite().members]
    assert len(set(names)) == len(names) and set(names) <= set(list_made_datasets())
    ids = []
    for name in names:
        mine = [place["id"] for place in json.loads((RECIPES / name / "places.json").read_bytes())["tasks"]]
        manifest = load_manifest(RECIPES / name / "manifest.json")
        assert manifest is not None and set(mine) <= manifest.tasks.keys()
        assert find_recipe(name).source.sha256 is not None
        ids += mine
    assert len(set(ids)) == len(ids)
    assert not set(names) & {"dev", "test"}


def test_the_ranker_learnt_from_no_member() -> None:
    """Its training set is recorded with every tree that it took; before that others taught it (TAUGHT_BEFORE)."""
    record = json.loads((ROOT / "benchmarks" / "records" / "training_set.json").read_text())
    table = next(table for table in read_tables(record["result"]) if "SHA-256 of upstream's archive" in table.head)
    taught = {(row[0], row[-1]) for row in table.rows}
    assert len(taught) == 47 and all(re.fullmatch(r"[0-9a-f]{64}", digest) for _, digest in taught)
    for member in load_suite().members:
        source = find_recipe(member.name).source
        assert source.package not in {package for package, _ in taught}
        assert source.sha256 not in {digest for _, digest in taught}
        assert not str(source.package).startswith(TAUGHT_BEFORE)


def test_a_part_is_a_split_or_a_member() -> None:
    every = load_suite().members
    assert find_members(SUITE) == every
    assert {*find_members(f"{SUITE}/dev"), *find_members(f"{SUITE}/test")} == set(every)
    assert find_members(f"{SUITE}/metis") == tuple(member for member in every if member.name == "metis")
    assert find_members("metis") == find_members("graft-suites") == ()
    with pytest.raises(TaskError, match=r"graft-suite has no 'pcre'; did you mean 'pcre3'\?; it has dev, test, metis"):
        load_rows(f"{SUITE}/pcre")
    with pytest.raises(TaskError, match=r"did you mean 'graft-suite'\?"):
        load_rows("graft-suit")


def test_each_part_has_a_run_folder_of_its_own() -> None:
    words = ["model=gold", "dataset=graft-suite/dev"]
    assert str(load_config(Path("dataset"), words).out) == "runs/graft-suite-dev-gold"


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of three: `toy` and `near`, whose source is a folder, and `far`, whose package nobody has."""
    recipes, tree = tmp_path / "recipes", write_files(tmp_path / "tree", {"a.c": BODY})
    digest = digest_lines(tree, "a.c", 1, 4)
    far = "{package: graft-none, version: 1-1, sha256: " + "a" * 64 + "}"
    for name, source in (("toy", f"{{directory: '{tree}'}}"), ("near", f"{{directory: '{tree}'}}"), ("far", far)):
        path = write_toy_recipe(recipes / name, source)
        (recipes / name / "recipe.yaml").write_text(path.read_text().replace("name: toy", f"name: {name}"))
        place = {"id": f"{name}-1", "path": "a.c", "first": 1, "last": 4, "sha256": digest, "name": "one"}
        task = TaskPlace.model_validate({**place, "language": "c", "level": "none", "comment": None, "oracle": ()})
        write_places(Places(repository=name, no_comment="-", tasks=(task,)), recipes / name)
    members = "".join(f"- {{name: {name}, split: test, licence: MIT}}\n" for name in ("toy", "far", "near"))
    write_files(recipes / SUITE, {"suite.yaml": f"version: '1'\ndrawn: by hand\nmembers:\n{members}"})
    monkeypatch.setenv("GRAFT_RECIPES", str(recipes))
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(suite_members, "BUILT_IN", recipes)
    monkeypatch.setattr("executor.tasks.datasets.BUILT_IN", recipes)
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "none"))
    monkeypatch.setattr("executor.repository.source_package.fetch_archives_and_unpack_debian", refuse)
    return tmp_path


def refuse(package: str, cache: Path, suite: str) -> None:
    raise TaskError("no way to an archive")


def test_a_source_that_cannot_be_had_leaves_its_tasks_out_and_counts_them(toys: Path) -> None:
    rows = load_rows(SUITE)
    assert [(row.id, bool(row.unread)) for row in rows] == [("toy-1", False), ("far-1", True), ("near-1", False)]
    assert {row.dataset_version for row in rows} == {rows[0].dataset_version} and rows[0].dataset == SUITE
    with pytest.raises(TaskError, match=r"far: far-1: its source can't be had"):
        bind_row(rows[1], toys / "tree")
    config = RunConfig(model="gold", dataset=SUITE)
    bound = bind_tasks(config, choose_tasks(config), toys / "cache")
    assert [task.id for task in bound.tasks] == ["toy-1", "near-1"]
    (line,) = bound.left_out
    assert line.startswith("far: 1 tasks left out (its source can't be had: recipe far: no archive graft-none_1.orig")


def test_one_that_was_asked_for_is_an_error_and_no_other_is_read(toys: Path) -> None:
    asked = RunConfig(model="gold", dataset=SUITE, repos=("far",))
    with pytest.raises(RecipeError, match=r"its source can't be had"):
        choose_tasks(asked)
    rows = load_rows(SUITE, repos=["toy"])
    assert [row.unread for row in rows] == ["", "far isn't asked for", "near isn't asked for"]
    config = RunConfig(model="gold", dataset=SUITE, repos=("toy",))
    bound = bind_tasks(config, choose_tasks(config), toys / "cache")
    assert ([task.id for task in bound.tasks], bound.left_out) == (["toy-1"], ())
