"""graft tasks: what there is to write, and whether the data set tells the truth about it."""

from __future__ import annotations

import logging
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from experiments.consoles import say, stdout

log = logging.getLogger(__name__)

tasks_app = typer.Typer(
    help="Tasks: list them, show one, hold each gold against the repository.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Dataset = Annotated[str, typer.Option(help="yabloco, example, or a path (CSV, JSON, JSON lines, parquet, folder)")]
Oracle = Annotated[Path | None, typer.Option(help="oracle file beside a YABLoCo CSV given by path")]
Repos = Annotated[list[str] | None, typer.Option("--repo", help="only this repository; may be repeated")]
Mirror = Annotated[Path | None, typer.Option(help="folder with the repositories' sources, by name; else GRAFT_MIRROR")]


@tasks_app.command("list")
def list_tasks(dataset: Dataset = "yabloco", oracle: Oracle = None, repo: Repos = None) -> None:
    """Every task: id, repository, level, place, name."""
    from executor.tasks.load import load_rows, select

    rows = select(load_rows(dataset, oracle), repo or ())
    table = Table(box=None, pad_edge=False)
    for column in ("id", "repository", "level", "name", "place"):
        table.add_column(column, overflow="fold")
    for row in rows:
        place = f"{row.path}:{row.span.first}-{row.span.last}"
        table.add_row(row.id, row.repository, row.level.value, row.name, place)
    stdout().print(table)
    counts = Counter(row.level.value for row in rows)
    levels = ", ".join(f"{level} {count}" for level, count in counts.most_common())
    say(f"{len(rows)} tasks: {levels}")


@tasks_app.command()
def show(
    task_id: Annotated[str, typer.Argument(metavar="ID")],
    dataset: Dataset = "yabloco",
    oracle: Oracle = None,
    mirror: Mirror = None,
) -> None:
    """One task with its gold, oracle and notes. The gold is for your eyes; no prompt is made from it."""
    from executor.cache import cache_root
    from experiments.run.config import RunConfig
    from experiments.run.workspace import bound_tasks

    config = RunConfig(dataset=dataset, oracle_file=oracle, model="gold", tasks=(task_id,), mirror=mirror)
    (task,), _, _ = bound_tasks(config, cache_root())
    target = task.target
    say(f"{task.id}  {target.name}")
    say(
        f"{target.repo}/{target.path}:{target.span.first}-{target.span.last}  level {task.level.value}",
    )
    say(f"data set {task.dataset} {task.dataset_version}")
    for note in task.notes:
        say(f"note: {note}")
    say(
        f"\nsignature\n{target.signature}\n\ndocstring\n{target.docstring}\n\ngold\n{task.gold}",
    )
    for item in task.oracle:
        say(f"\noracle {item.path} {item.name}\n{item.text}")


@tasks_app.command()
def export(
    out: Annotated[Path, typer.Argument(help="folder to write into; a task that is there already is an error")],
    task_ids: Annotated[list[str] | None, typer.Option("--id", help="only this task; may be repeated")] = None,
    dataset: Dataset = "yabloco",
    oracle: Oracle = None,
    repo: Repos = None,
    mirror: Mirror = None,
) -> None:
    """Write tasks as folders (docs/reference/tasks.md), to be read, changed and run with dataset=FOLDER."""
    from executor.cache import cache_root
    from executor.tasks.folder import write_task_folder
    from experiments.run.config import RunConfig
    from experiments.run.workspace import bound_tasks

    config = RunConfig(
        dataset=dataset,
        oracle_file=oracle,
        model="gold",
        tasks=tuple(task_ids or ()),
        repos=tuple(repo or ()),
        mirror=mirror,
    )
    tasks, _, left_out = bound_tasks(config, cache_root())
    for line in left_out:
        log.info(line)
    for task in tasks:
        write_task_folder(task, out)
    say(f"{out}: {len(tasks)} tasks")


@tasks_app.command()
def check(dataset: Dataset = "yabloco", oracle: Oracle = None, repo: Repos = None, mirror: Mirror = None) -> None:
    """Hold each gold of the data set against the repository's own text at its span; name the damage."""
    from executor.cache import cache_root
    from executor.repository.recipe import find_recipe
    from executor.repository.source import checkout, mirror_from_env
    from executor.tasks.check import check as check_row
    from executor.tasks.folder import lint_folder
    from executor.tasks.load import load_rows, select
    from executor.tasks.rebind import rebound, with_stand_ins
    from index.errors import RecipeError

    if Path(dataset).is_dir():
        problems = lint_folder(Path(dataset))
        for problem in problems:
            say(problem)
        if problems:
            raise typer.Exit(1)
    rows = select(with_stand_ins(load_rows(dataset, oracle), repo or ()), repo or ())
    counts: Counter[str] = Counter()
    checked = damaged = 0
    for name in dict.fromkeys(row.repository for row in rows):
        mine = [row for row in rows if row.repository == name]
        try:
            source = checkout(find_recipe(name), mirror_from_env(mirror), cache_root())
        except RecipeError as error:
            if repo:
                raise
            say(f"{name}: {len(mine)} tasks not checked: {error}")
            continue
        bound = rebound(mine, find_recipe(name), source.root)
        for note in bound.notes:
            say(note)
        for row in bound.rows:
            findings = check_row(row, source.root)
            checked += 1
            damaged += bool(findings)
            for finding in findings:
                counts[finding.kind.value] += 1
                say(
                    f"{row.id} {row.repository}/{row.path}:{row.span.first} {row.name}: {finding}",
                )
    say(f"\n{checked} tasks checked, {damaged} with findings")
    for kind, count in counts.most_common():
        say(f"{count:4d}  {kind}")
