"""Makes a data set of `graft make` one that comes with Graft: its recipe, its manifest, and where its texts stand.

    python -m lab.making.ship MADE...     # folders that `graft make` wrote

Nothing of the repository's text is kept: mutants lose the words that they changed. Graft reads the texts from the
source, which it gets from the user's mirror or package archive.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from executor.cache import cache_root
from executor.manifest.manifest import load_manifest
from executor.repository.recipe import BUILT_IN, load_recipe
from executor.repository.source import checkout_source, mirror_from_env
from executor.repository.uncompiled import FILE as UNCOMPILED
from executor.tasks.made_datasets import Places, TaskPlace, digest_lines, find_passages, read_places, write_places
from executor.tasks.task_folders import read_task_folders
from executor.tasks.task_row import TaskRow
from executor.values import OracleItem
from experiments.consoles import log_to_stderr
from index.build import build_index
from index.repo_index import RepoIndex, open_index
from lab.doctor.manifest import save_manifest
from lab.making.functions.choose_functions import NO_COMMENT
from lab.making.functions.doc_comments import find_doc_comment
from lab.making.settings import MAKE_FILE, read_settings

log = logging.getLogger(__name__)


def main() -> int:
    log_to_stderr(logging.INFO)
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("made", type=Path, nargs="+")
    for made in parser.parse_args().made:
        ship_data_set(made)
    return 0


def ship_data_set(made: Path) -> None:
    """Write `recipes/NAME`, and check that its rows are those that were made."""
    name = read_settings(made / MAKE_FILE).name
    place, folder = made / "recipes" / name, BUILT_IN / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(place / "recipe.yaml", folder)
    if (place / UNCOMPILED).is_file():
        shutil.copy(place / UNCOMPILED, folder)
    source = checkout_source(load_recipe(place / "recipe.yaml"), mirror_from_env(), cache_root())
    rows = read_task_folders(made)
    where = cache_root() / "indexes" / source.root.name
    build_index(source.root, where)
    with closing(open_index(where, source.root)) as index:
        places = tuple(_find_task_place(row, source.root, index) for row in rows)
    write_places(Places(repository=name, no_comment=NO_COMMENT, tasks=places), folder)
    manifest = load_manifest(place / "manifest.json")
    assert manifest is not None
    entries = {
        row.id: replace(entry, findings=tuple(replace(finding, detail="") for finding in entry.findings))
        for row in rows
        for entry in (manifest.tasks[row.id],)
    }
    save_manifest(folder / "manifest.json", replace(manifest, tasks=entries))
    for row, again in zip(rows, read_places(folder), strict=True):
        assert _select_row_content(row) == _select_row_content(again), row.id
    log.info(f"{folder}: {len(rows)} tasks")


def _find_task_place(row: TaskRow, root: Path, index: RepoIndex) -> TaskPlace:
    entry = next(e for e in index.functions if (e.symbol.path, e.symbol.span) == (row.path, row.span))
    path, comment = find_doc_comment(entry, index)
    return TaskPlace(
        id=row.id,
        path=row.path,
        first=row.first,
        last=row.span.last,
        sha256=digest_lines(root, row.path, row.first, row.span.last),
        name=row.name,
        language=row.language,
        level=row.level.value,
        comment=find_passages(root, [OracleItem(comment, path)])[0] if comment else None,
        oracle=find_passages(root, row.oracle),
    )


def _select_row_content(row: TaskRow) -> tuple[object, ...]:
    # A function's place is written, not those of several: a row of several fails here.
    return row.id, row.target, row.oracle, row.level


if __name__ == "__main__":
    sys.exit(main())
