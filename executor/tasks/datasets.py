"""Loads tasks by the name or path of their data set, selects among them, and binds them to a source tree."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from executor.function.definition import split_definition
from executor.repository.recipe import BUILT_IN, add_recipe_folder
from executor.tasks.made_datasets import list_built_in_made_datasets, read_made_dataset_rows
from executor.tasks.mera import read_mera
from executor.tasks.oracle_items import cut_targets_from_oracle
from executor.tasks.row_check import Damage, find_row_problems
from executor.tasks.suite_members import SUITE, find_suite_members_or_empty, read_suite_rows
from executor.tasks.task_folders import read_task_folders
from executor.tasks.task_row import LEVELS, TaskRow, join_span_lines, read_file_lines, require_span_inside_file
from executor.tasks.yabloco import DATA, ORACLE_NAME, read_yabloco
from executor.values import Task
from index.errors import TaskError
from index.function_texts import join_present_functions_under_heads
from index.plugins import find_plugin, list_plugins_rejecting_name_clashes
from index.user_files import make_spelling_hint
from index.values import Target, join_targets

BENCH_NAME = "bench-v0.8.csv"
_EXAMPLES = Path(__file__).parents[2] / "examples"
_FOLDERS = {"example": _EXAMPLES / "inventory" / "tasks", "example-pairs": _EXAMPLES / "pairs"}


def list_shipped_datasets() -> tuple[str, ...]:
    """The data sets that come with Graft."""
    return ("yabloco", *_FOLDERS, *list_built_in_made_datasets())


def load_rows(
    dataset: str, oracle: Path | None = None, *, repos: Collection[str] | None = None, mirror: Path | None = None
) -> tuple[TaskRow, ...]:
    """The rows of a data set: one of `list_shipped_datasets`, the suite or a part of it, a plug-in's, or those of a
    path, which is read by what it holds: a folder of task folders, a YABLoCo CSV or JSON, MERA Code's rows as parquet
    or JSON lines.

    `oracle` is YABLoCo's oracle file for a path; by default the one beside it. Of the suite the sources of `repos`
    (None: all) are read, and one that can't be had is no error: see `TaskRow.unread`. Raises TaskError, and
    RecipeError where another data set's source can't be had.
    """
    if dataset == "yabloco":
        return read_yabloco(DATA / BENCH_NAME, oracle or DATA / ORACLE_NAME)
    if dataset in list_built_in_made_datasets():
        return read_made_dataset_rows(BUILT_IN / dataset, mirror=mirror)
    if members := find_suite_members_or_empty(dataset):
        return read_suite_rows(dataset, members, repos, mirror)
    path = _find_dataset_path(dataset)
    if path.is_dir():
        if (path / "recipes").is_dir():
            add_recipe_folder(path / "recipes")
        return read_task_folders(path)
    if _has_mera_suffix_or_parquet_magic(path):
        return read_mera(path)
    oracle = oracle or path.parent / ORACLE_NAME
    if not oracle.is_file():
        if path.suffix not in {".csv", ".json"}:
            kinds = "a folder of task folders, a YABLoCo CSV or JSON, or MERA's parquet or JSON lines"
            raise TaskError(f"{path}: no data set: one is {kinds}")
        raise TaskError(f"{path}: no oracle file at {oracle}; put {ORACLE_NAME} beside it, or name the file")
    return read_yabloco(path, oracle)


def _find_dataset_path(dataset: str) -> Path:
    if dataset in _FOLDERS:
        return _FOLDERS[dataset]
    built_in = list_shipped_datasets()
    plugin = find_plugin("graft.datasets", dataset, built_in)
    if plugin is not None:
        return plugin.load_existing_path()
    if Path(dataset).exists():
        return Path(dataset)
    known = (*built_in, SUITE, *list_plugins_rejecting_name_clashes("graft.datasets", built_in))
    raise TaskError(
        f"data set {dataset!r} is neither a name ({', '.join(known)}) nor a path that exists"
        f"{make_spelling_hint(dataset, known)}"
    )


def _has_mera_suffix_or_parquet_magic(path: Path) -> bool:
    if path.suffix in {".parquet", ".jsonl"}:
        return True
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def select_rows(
    rows: Iterable[TaskRow],
    repos: Sequence[str] = (),
    ids: Sequence[str] = (),
    limit: int | None = None,
    levels: Sequence[str] = (),
) -> tuple[TaskRow, ...]:
    """The rows that pass every given filter, in the data set's order. An empty filter lets all pass.

    An id may also be MERA's number. Raises TaskError for a repository, level or id that no row has, and names the
    nearest one.
    """
    rows = tuple(rows)
    known_repos = {row.repository for row in rows}
    for what, asked, known in (
        ("repos: unknown repository", repos, known_repos),
        ("levels: unknown level", levels, LEVELS),
    ):
        for word in asked:
            if word not in known:
                is_elsewhere = known is known_repos and word in list_shipped_datasets()
                hint = f"; its tasks are dataset={word}" if is_elsewhere else make_spelling_hint(word, known)
                raise TaskError(f"{what} {word!r}{hint} (known: {', '.join(sorted(known))})")
    known_ids = {key for row in rows for key in _collect_own_and_mera_ids(row)}
    for task_id in ids:
        if task_id not in known_ids:
            raise TaskError(f"tasks: unknown task id {task_id!r}{make_spelling_hint(task_id, known_ids)}")
    if limit is not None and limit < 1:
        raise TaskError(f"limit must be 1 or more, not {limit}")
    chosen = [
        row
        for row in rows
        if (not repos or row.repository in repos)
        and (not levels or row.level in levels)
        and (not ids or not _collect_own_and_mera_ids(row).isdisjoint(ids))
    ]
    return tuple(chosen[:limit])


def _collect_own_and_mera_ids(row: TaskRow) -> set[str]:
    return {row.id} | ({row.meta["mera_id"]} if "mera_id" in row.meta else set())


def require_single_function_tasks(tasks: Iterable[Task], what: str) -> None:
    """Raises TaskError for a task of several functions, which `what` can't do."""
    for task in tasks:
        count = len(task.target.holes)
        if count > 1:
            raise TaskError(
                f"{what}: it knows one function a task, and {task.id} asks for {count}; leave such tasks out"
            )


def make_task_from_row(row: TaskRow, source_root: Path) -> Task:
    """The task, with the repository's own text at the span as its gold; the joined texts (see
    `index.function_texts`) of a row of several functions.

    What is the target's in an oracle item is cut, and items that hold a gold all the same are dropped; `notes` count
    them and name every other problem. The signature is the data
    set's to the letter, or the repository's header when the data set's is damaged. MERA's rows keep their signature
    and their context whatever these hold, so that the prompt stays MERA's. Raises TaskError when a file is missing
    or a span is outside it, and for a row whose texts weren't read.
    """
    if row.unread:
        raise TaskError(f"{row.repository}: {row.id}: {row.unread}")
    golds: list[str] = []
    holes: list[Target] = []
    notes: dict[str, None] = {}
    for single in row.rows_of_functions:
        lines = read_file_lines(single, source_root)
        require_span_inside_file(single, lines)
        gold = join_span_lines(lines, single.span)
        found = find_row_problems(single, lines)
        notes |= dict.fromkeys(map(str, found))
        definition = split_definition(gold)
        hole = single.target
        differs = any(problem.kind is Damage.SIGNATURE_DIFFERS for problem in found)
        if differs and definition is not None and row.instruction is None:
            hole = replace(hole, signature=definition.header.strip())
            notes["signature taken from the repository"] = None
        golds.append(gold)
        holes.append(hole)
    oracle, cuts = cut_targets_from_oracle(row, golds, holes)
    notes |= dict.fromkeys(cuts)
    gold = join_present_functions_under_heads(golds)
    return Task(
        id=row.id,
        target=join_targets(holes),
        gold=gold,
        dataset_gold=gold if row.dataset_gold is None else row.dataset_gold,
        oracle=oracle,
        level=row.level,
        dataset=row.dataset,
        dataset_version=row.dataset_version,
        instruction=row.instruction,
        oracle_text=row.oracle_text,
        notes=tuple(notes),
        meta=dict(row.meta),
        official_gold=row.official_gold,
    )
