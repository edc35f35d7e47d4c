"""graft doctor: which tasks are worth a point."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from experiments.cli.options import Dataset, Mirror, Repos, Sandbox
from experiments.consoles import say, stderr, stdout

if TYPE_CHECKING:
    from executor.doctor.values import HealthManifest


def doctor(
    dataset: Dataset = "yabloco",
    repo: Repos = None,
    task: Annotated[list[str] | None, typer.Option(help="Only the task with this id. May be repeated.")] = None,
    budget: Annotated[float, typer.Option(help="Seconds to spend on the mutants and stubs of one task.")] = 300.0,
    runs: Annotated[int, typer.Option(min=1, help="How many times the gold must pass.")] = 3,
    mutants: Annotated[int, typer.Option(min=0, help="Mutants to try per task, at most.")] = 12,
    patience: Annotated[
        float, typer.Option(help="Give up on a mutant once it has passed suites that take this many seconds.")
    ] = 60.0,
    workers: Annotated[int, typer.Option(min=1, help="Tasks to examine at once.")] = 1,
    forgeries: Annotated[bool, typer.Option(help="Try function bodies that cheat, too.")] = True,
    weak_too: Annotated[bool, typer.Option(help="Try mutants even where the plain stub passes every suite.")] = True,
    fresh: Annotated[bool, typer.Option(help="Examine tasks again that the manifest already holds.")] = False,
    further: Annotated[bool, typer.Option(help="Resume tasks whose examination stopped at a limit.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Print the manifests and examine nothing.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the manifests. Default: the folder that runs read.")
    ] = None,
    sandbox: Sandbox = "auto",
    mirror: Mirror = None,
) -> None:
    """Find out which tasks can be scored.

    A valid task's gold passes its tests and a stub fails them; the manifest says which suites catch it. You can stop
    at any time; the same command continues with the next task.
    """
    from executor.cache import cache_root
    from executor.doctor.values import Effort
    from experiments.checks.examination import Examination, examine_tasks, stored_manifests
    from experiments.progress import ConsoleProgress

    request = Examination(
        dataset=dataset,
        repos=tuple(repo or ()),
        tasks=tuple(task or ()),
        effort=Effort(budget, runs, mutants, patience, forgeries=forgeries, weak_too=weak_too),
        fresh=fresh,
        further=further,
        out=out,
        sandbox=sandbox,
        mirror=mirror,
        workers=workers,
    )
    found = stored_manifests(request) if show else examine_tasks(request, cache_root(), ConsoleProgress(stderr()))
    for manifest, ids in found:
        _print(manifest, ids)


def _print(manifest: HealthManifest, ids: Sequence[str]) -> None:
    from executor.doctor.manifest import rows, summary

    table = Table(box=None, pad_edge=False)
    for column in ("task", "function", "health", "score", "mutants", "stubs", "reached", "suites", "s", "because"):
        table.add_column(column, overflow="fold")
    for cells in rows(manifest):
        if cells[0] in ids:
            table.add_row(*map(escape, cells))
    stdout().print(table)
    say(summary(manifest, ids))
