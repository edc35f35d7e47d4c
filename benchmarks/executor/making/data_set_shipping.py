"""Makes a data set of `graft make` one that comes with Graft: its recipe, its manifest, and where its texts stand.

    python -m benchmarks.executor.making.data_set_shipping [--beside REPO | --into REPO] MADE...

MADE are folders that `graft make` wrote. --beside redis: one of `graft make redis --hard`, for recipes/redis-hard.
--into metis: the same, whose tasks join those of recipes/metis.

A data set beside a recipe shares its recipe and its manifest. One that goes into another gives it so many tasks that
it has 30, those of the fewest functions first, and none that asks for a function of a task that is there. Of any other
at most half of the tasks have fewer than 10 lines: the last short ones are left out.

Nothing of the repository's text is kept: mutants lose the words that they changed. Graft reads the texts from the
source, which it gets from the user's mirror or package archive.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from executor.cache import cache_root
from executor.manifest.health import HealthManifest
from executor.manifest.manifest import load_manifest
from executor.repository.recipe import BUILT_IN, PLUS, RECIPE_FILE, load_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.repository.uncompiled import FILE as UNCOMPILED
from executor.tasks.made_datasets import (
    HolePlace,
    Places,
    TaskPlace,
    digest_lines,
    find_byte_offsets_in_item_files,
    read_made_dataset_rows,
    write_places,
)
from executor.tasks.task_folders import read_task_folders
from executor.tasks.task_row import TaskRow
from executor.values import OracleItem
from experiments.consoles import set_up_stderr_logging
from index.build import build_index
from index.errors import RecipeError
from index.repo_index import RepoIndex, open_index
from index.values import Target
from lab.doctor.manifest import update_health_by_plus_tests_and_save
from lab.making.functions.choose_functions import NO_COMMENT, has_under_ten_lines_in_total
from lab.making.functions.doc_comments import find_doc_file_and_comment
from lab.making.settings import MAKE_FILE, read_settings

log = logging.getLogger(__name__)

HARD = "-hard"
# Of one repository in graft-suite.
MOST_TASKS = 30


def main() -> int:
    set_up_stderr_logging(logging.INFO)
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("made", type=Path, nargs="+")
    parser.add_argument("--beside", metavar="REPO", help="the recipe whose tasks these are too")
    parser.add_argument("--into", metavar="REPO", help="the data set that gets these tasks")
    options = parser.parse_args()
    for made in options.made:
        if options.into:
            extend_data_set(made, options.into)
        elif options.beside:
            ship_hard_set(made, options.beside)
        else:
            ship_data_set(made)
    return 0


def ship_data_set(made: Path, recipes: Path = BUILT_IN) -> None:
    """Write the folder NAME of `recipes`. Raises RecipeError where there are plus tests."""
    name = read_settings(made / MAKE_FILE).name
    place, folder = made / "recipes" / name, recipes / name
    if (folder / PLUS).is_dir():
        raise RecipeError(f"{folder}: has plus tests, which shipping {made} would take away; --into adds tasks to it")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # Its first line says that `graft make` overwrites the file, which it doesn't do here.
    (folder / RECIPE_FILE).write_text((place / RECIPE_FILE).read_text().partition("\n")[2])
    if (place / UNCOMPILED).is_file():
        shutil.copy(place / UNCOMPILED, folder)
    rows = keep_no_more_short_rows_than_longer(read_task_folders(made))
    _write_text_places(rows, name, place, folder)
    update_health_by_plus_tests_and_save(folder / "manifest.json", _select_findings_without_source_text(rows, place))


def ship_hard_set(made: Path, name: str, recipes: Path = BUILT_IN) -> None:
    """Write the folder NAME-hard of `recipes` with the places alone, and what the doctor and the search for controls
    found of its tasks into NAME's own manifest. Raises RecipeError where that is of another image or other suites."""
    folder = recipes / f"{name}{HARD}"
    earlier = {row.id for row in read_made_dataset_rows(folder)} if folder.is_dir() else set()
    place = made / "recipes" / name
    rows = read_task_folders(made)
    _write_text_places(rows, name, place, folder)
    _merge_findings_into_manifest(
        _select_findings_without_source_text(rows, place), recipes / name / "manifest.json", earlier
    )


def extend_data_set(made: Path, name: str, recipes: Path = BUILT_IN) -> None:
    """Add tasks that `graft make NAME --hard` wrote to those of the folder NAME of `recipes`. Raises RecipeError where
    its manifest is of another image or other suites."""
    place, folder = made / "recipes" / name, recipes / name
    rows = list(read_made_dataset_rows(folder))
    taken, more = {(hole.path, hole.span) for row in rows for hole in row.target.holes}, list[TaskRow]()
    for row in sorted(read_task_folders(made), key=lambda row: len(row.target.holes)):
        functions = {(hole.path, hole.span) for hole in row.target.holes}
        if len(rows) + len(more) < MOST_TASKS and taken.isdisjoint(functions):
            more.append(row)
            taken |= functions
    _merge_findings_into_manifest(_select_findings_without_source_text(more, place), folder / "manifest.json")
    _write_text_places([*rows, *more], name, place, folder)


def _merge_findings_into_manifest(found: HealthManifest, path: Path, dropped: Collection[str] = ()) -> None:
    """Write what was found of these tasks, and the control runs, into the manifest, without the tasks `dropped`."""
    own = load_manifest(path)
    if own is None or (own.image, own.expected) != (found.image, found.expected):
        raise RecipeError(f"{path}: of another image or of other suites than these tasks: make one of them anew")
    tasks = {key: entry for key, entry in own.tasks.items() if key not in dropped}
    sabotages = {
        suite: tuple(dict.fromkeys((*own.sabotages.get(suite, ()), *found.sabotages.get(suite, ()))))
        for suite in sorted({*own.sabotages, *found.sabotages})
    }
    update_health_by_plus_tests_and_save(path, replace(own, tasks={**tasks, **found.tasks}, sabotages=sabotages))


def keep_no_more_short_rows_than_longer(rows: Sequence[TaskRow]) -> list[TaskRow]:
    """The rows in their order, with at most as many short ones as longer ones: the last short ones are left out."""
    short = [row for row in rows if has_under_ten_lines_in_total(row.target.holes)]
    left_out = {row.id for row in short[len(rows) - len(short) :]}
    return [row for row in rows if row.id not in left_out]


def _write_text_places(rows: Sequence[TaskRow], name: str, made_recipe_folder: Path, folder: Path) -> None:
    """Write where the texts of the made tasks stand, and check that they are read as they were made."""
    source = checkout_source(load_recipe(made_recipe_folder / "recipe.yaml"), choose_mirror_folder(), cache_root())
    where = cache_root() / "indexes" / source.root.name
    build_index(source.root, where)
    with closing(open_index(where, source.root)) as index:
        places = []
        for row in rows:
            first, *further = (_find_function_place(hole, source.root, index) for hole in row.target.holes)
            own, oracle = first.model_dump(), find_byte_offsets_in_item_files(source.root, row.oracle)
            more = tuple(further)
            places.append(TaskPlace(**own, id=row.id, level=row.level.value, oracle=oracle, further=more))
        lines = sum(index.read_file(file.path).count(b"\n") for file in index.source_files)
    write_places(Places(repository=name, no_comment=NO_COMMENT, lines=lines, tasks=tuple(places)), folder)
    for row, again in zip(rows, read_made_dataset_rows(folder), strict=True):
        assert (row.id, row.target, row.oracle, row.level) == (again.id, again.target, again.oracle, again.level), row
    log.info(f"{folder}: {len(rows)} tasks")


def _select_findings_without_source_text(rows: Sequence[TaskRow], made_recipe_folder: Path) -> HealthManifest:
    """The manifest at `made_recipe_folder` of these tasks alone, without a word of the source."""
    manifest = load_manifest(made_recipe_folder / "manifest.json")
    assert manifest is not None
    entries = [manifest.tasks[row.id] for row in rows]
    without = [replace(e, findings=tuple(replace(found, detail="") for found in e.findings)) for e in entries]
    return replace(manifest, tasks={row.id: entry for row, entry in zip(rows, without, strict=True)})


def _find_function_place(target: Target, root: Path, index: RepoIndex) -> HolePlace:
    span = target.span
    entry = next(e for e in index.functions if (e.symbol.path, e.symbol.span) == (target.path, span))
    path, comment = find_doc_file_and_comment(entry, index)
    return HolePlace(
        path=target.path,
        first=span.first,
        last=span.last,
        sha256=digest_lines(root, target.path, span.first, span.last),
        name=target.name,
        language=target.language,
        comment=find_byte_offsets_in_item_files(root, [OracleItem(comment, path)])[0] if comment else None,
    )


if __name__ == "__main__":
    sys.exit(main())
