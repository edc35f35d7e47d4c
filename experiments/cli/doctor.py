"""graft doctor: which tasks are worth a point."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from executor.sandbox.choose import built_in_names
from experiments.consoles import say, stdout

if TYPE_CHECKING:
    from executor.doctor.values import Manifest

log = logging.getLogger(__name__)


def doctor(
    dataset: Annotated[str, typer.Option(help="yabloco, example, or a path")] = "yabloco",
    repo: Annotated[list[str] | None, typer.Option(help="only this repository; may be given again")] = None,
    task: Annotated[list[str] | None, typer.Option(help="only this task; may be given again")] = None,
    budget: Annotated[float, typer.Option(help="wall seconds for the variants of one task")] = 300.0,
    runs: Annotated[int, typer.Option(min=1, help="how often the gold has to pass")] = 3,
    mutants: Annotated[int, typer.Option(min=0, help="at most so many mutants of a task")] = 12,
    patience: Annotated[
        float, typer.Option(help="a mutant that passes suites worth so many seconds has survived")
    ] = 60.0,
    workers: Annotated[int, typer.Option(min=1, help="tasks examined at once; tests that wait leave cores idle")] = 1,
    forgeries: Annotated[bool, typer.Option(help="try the bodies that cheat as well")] = True,
    weak_too: Annotated[bool, typer.Option(help="try mutants also where the plain stub passes every suite")] = True,
    fresh: Annotated[bool, typer.Option(help="examine tasks again that the manifest holds")] = False,
    further: Annotated[
        bool,
        typer.Option(
            help="tasks that the manifest holds go on where patience, budget, mutants or a short limit ended"
        ),
    ] = False,
    show: Annotated[bool, typer.Option("--show", help="print the manifests, examine nothing")] = False,
    out: Annotated[Path | None, typer.Option(help="the manifests' folder; default: the one that runs read")] = None,
    sandbox: Annotated[str, typer.Option(help=f"{', '.join(built_in_names())}, or a plug-in")] = "auto",
    mirror: Annotated[
        Path | None, typer.Option(help="folder with the repositories' sources by name; else GRAFT_MIRROR")
    ] = None,
) -> None:
    """Prove, task by task, that the gold passes, that a stub fails, and by which suites. Kill it at any moment: the
    same command goes on with the next task."""
    from executor.cache import cache_root
    from executor.doctor.manifest import load_manifest, manifest_path
    from executor.doctor.rounds import make_round
    from executor.doctor.values import Effort
    from executor.repository.images import build_image
    from executor.repository.recipe import find_recipe, recipe_names
    from executor.repository.source import checkout, mirror_from_env
    from executor.sandbox.choose import choose_backend
    from executor.tasks.load import bind, load_rows, select
    from executor.tasks.rebind import rebound, with_stand_ins
    from index.errors import TaskError

    rows = with_stand_ins(load_rows(dataset), repo or [])
    chosen = select(rows, repos=repo or [], ids=task or [])
    known = recipe_names()
    repos = [
        name
        for name in dict.fromkeys(row.repository for row in chosen)
        if repo or (name in known and not find_recipe(name).on_request)
    ]
    if not repos:
        raise TaskError("no repository of these tasks has a recipe")
    if fresh and further:
        raise TaskError("--fresh begins from nothing and --further from what is known: give one of them")
    effort = Effort(budget, runs, mutants, patience, forgeries=forgeries, weak_too=weak_too)
    for name in repos:
        recipe = find_recipe(name)
        path = manifest_path(recipe, out)
        ids = [row.id for row in chosen if row.repository == name]
        if show:
            manifest = load_manifest(path)
            if manifest is None:
                raise TaskError(f"no manifest at {path}; make it: graft doctor --dataset {dataset} --repo {name}")
        else:
            choice = choose_backend(sandbox, cache_root())
            source = checkout(recipe, mirror_from_env(mirror), cache_root())
            image = build_image(recipe, source, choice.backend, None, cache_root())
            bound = rebound(rows, recipe, source.root)
            for note in bound.notes:
                log.info(note)
            tasks = [bind(row, source.root) for row in bound.rows]
            ids = [task.id for task in tasks if task.id in ids]
            manifest = make_round(
                image,
                choice.backend,
                tasks,
                ids,
                effort,
                cache_root(),
                path,
                fresh=fresh,
                further=further,
                workers=workers,
            )
        _print(manifest, ids)


def _print(manifest: Manifest, ids: list[str]) -> None:
    from executor.doctor.manifest import rows, summary

    table = Table(box=None, pad_edge=False)
    for column in ("task", "function", "health", "score", "mutants", "stubs", "reached", "suites", "s", "because"):
        table.add_column(column, overflow="fold")
    for cells in rows(manifest):
        if cells[0] in ids:
            table.add_row(*map(escape, cells))
    stdout().print(table)
    say(summary(manifest, ids))
