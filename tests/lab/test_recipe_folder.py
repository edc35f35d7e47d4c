"""Prevents: a repository that needs a line of code, or a list somewhere, beside its folder under recipes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from executor.manifest.manifest import load_manifest, manifest_path
from executor.repository.recipe import find_recipe, recipe_names
from executor.tasks.datasets import list_shipped_datasets, load_rows, make_task_from_row
from executor.tasks.made_datasets import Places, TaskPlace, digest_lines, write_places
from lab.doctor.manifest import make_empty_manifest, update_health_by_plus_tests_and_save
from lab.wrong.body_file import find_body_file, make_wrong_bodies, read_body_entries
from lab.wrong.plus_listing import list_plus_tests_with_doc_references
from tests.support.projects import write_files

SOURCE = "int add(int a, int b)\n{\n    return a + b;\n}\n"
RECIPE = """\
name: toy
display: Toy
languages: [c]
source: {directory: ../../tree}
build: {commands: [make], goals: [toy]}
suites: [{name: all, argv: [./toy], parser: lines}]
parsers: {lines: {passed: '(?P<name>x)'}}
plus: {.c: {into: plus, argv: ['./{name}'], parser: lines}}
tests: {default: [all]}
"""
WRONG = """\
add:
  - {kind: wrong-constant, why: It must add both., edits: [{old: a + b, new: a}]}
"""
PLUS = "/*---\n * tasks: [add]\n * tests:\n *   adds: 'Its name says so.'\n ---*/\nint main(void) { return 0; }\n"


def test_a_folder_is_all_that_a_repository_needs(tmp_path, monkeypatch):
    folder, tree = tmp_path / "recipes" / "toy", tmp_path / "tree"
    for module in ("repository.recipe", "tasks.datasets", "tasks.made_datasets"):
        monkeypatch.setattr(f"executor.{module}.BUILT_IN", folder.parent)
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path / "cache"))
    write_files(folder, {"recipe.yaml": RECIPE, "wrong.yaml": WRONG, "plus/adds_all.c": PLUS})
    write_files(tree, {"a.c": SOURCE})
    digest = digest_lines(tree, "a.c", 1, 4)
    words = {"path": "a.c", "first": 1, "last": 4, "sha256": digest, "name": "add", "language": "c", "level": "none"}
    place = TaskPlace.model_validate({"id": "add", **words, "comment": None, "oracle": ()})
    write_places(Places(repository="toy", no_comment="-", tasks=(place,)), folder)

    assert recipe_names() == ["toy"] and "toy" in list_shipped_datasets()
    recipe = find_recipe("toy")
    (row,) = load_rows("toy")
    task = make_task_from_row(row, tree)
    assert (row.repository, task.gold) == ("toy", SOURCE.rstrip())
    image: Any = SimpleNamespace(recipe=recipe, commit="", key="key", suite_seconds={})
    update_health_by_plus_tests_and_save(folder / "manifest.json", make_empty_manifest(image, "process", "2026-01-01"))
    manifest = load_manifest(manifest_path(recipe))
    assert manifest is not None and manifest.repository == "toy"
    (body,) = make_wrong_bodies(task, read_body_entries(find_body_file(recipe)))
    assert body.text == SOURCE.rstrip().replace("a + b", "a")
    assert list(list_plus_tests_with_doc_references("toy", (), ())) == [("add", "adds", "Its name says so.")]
