"""graft doctor: which tasks are worth a point."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.cli.options import Dataset, Mirror, Ray, Repos, Sandbox, Variant
from experiments.consoles import say, stderr
from experiments.tables import print_rows
from index.errors import UserError

if TYPE_CHECKING:
    from executor.manifest.health import HealthManifest


def doctor(
    dataset: Dataset = "yabloco",
    repo: Repos = None,
    task: Annotated[list[str] | None, typer.Option(help="Only the task with this id. May be repeated.")] = None,
    budget: Annotated[float, typer.Option(help="Seconds to spend on the mutants and stubs of one task.")] = 300.0,
    runs: Annotated[int, typer.Option(min=1, help="How many times the gold must pass.")] = 3,
    mutants: Annotated[int, typer.Option(min=0, help="Try at most this many mutants of each task.")] = 12,
    patience: Annotated[
        float,
        typer.Option(help="Leave a mutant alone once it has passed suites that take this many seconds together."),
    ] = 60.0,
    workers: Annotated[int, typer.Option(min=1, help="How many tasks to examine at once.")] = 1,
    forgeries: Annotated[bool, typer.Option(help="Also try function bodies that cheat.")] = True,
    weak_too: Annotated[bool, typer.Option(help="Try mutants even where an empty body passes every suite.")] = True,
    fresh: Annotated[
        bool,
        typer.Option(
            help="Examine again what the manifest already holds. With --forge: play again what the record holds."
        ),
    ] = False,
    further: Annotated[bool, typer.Option(help="Resume tasks whose examination stopped at a limit.")] = False,
    sabotage: Annotated[
        bool,
        typer.Option(
            "--sabotage",
            help="Examine no task. Find functions that, when broken, make a suite fail: control runs break them to"
            " see whether the suite still judges.",
        ),
    ] = False,
    sabotages: Annotated[
        int, typer.Option(min=2, help="With --sabotage: how many to find for each task and suite.")
    ] = 3,
    sabotage_budget: Annotated[float, typer.Option(help="With --sabotage: seconds to spend on one suite.")] = 600.0,
    show: Annotated[bool, typer.Option("--show", help="Print the manifests and examine nothing.")] = False,
    forge: Annotated[
        bool,
        typer.Option(
            "--forge", help="Examine no task. Play the library of cheating answers (forgeries) on the valid tasks."
        ),
    ] = False,
    forgery: Annotated[
        list[str] | None, typer.Option(help="With --forge: only the forgery of this name. May be repeated.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="With --forge: play this many pairs of forgery and task. Default: all.")
    ] = None,
    unflagged: Annotated[
        bool,
        typer.Option(
            "--unflagged",
            help="With --forge: play only what no flag marks. The text of every pair is read, and one that a flag"
            " marks can't count as passed.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(help="With --forge: the seed of the order in which pairs are played.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The folder to write manifests to. Default: where runs read them. With --forge: the folder for the"
            " record and the logs. Default: runs/forge."
        ),
    ] = None,
    sandbox: Sandbox = "auto",
    mirror: Mirror = None,
    variant: Variant = None,
    ray: Ray = None,
) -> None:
    """Find out which tasks can be scored.

    A task is valid when its true body (the gold) passes its tests each time and an empty body (a stub) fails them. The
    manifest, which runs read, says so for each task and names the suites that judge it. You can stop at any time; the
    same command continues with the next task.
    """
    if forge and variant is not None:
        raise UserError("--forge plays over the original repositories; leave out --variant")
    if ray is not None and (forge or sabotage or show):
        raise UserError("--ray is for examinations; leave out --forge, --sabotage and --show")
    if forge:
        names = (tuple(repo or ()), tuple(task or ()), tuple(forgery or ()))
        raise typer.Exit(_forge(dataset, *names, sample, seed, unflagged, fresh, out, sandbox, mirror, workers))
    if forgery or sample or unflagged:
        raise UserError("--forgery, --sample and --unflagged belong to --forge")
    from executor.cache import cache_root
    from experiments.progress import ConsoleProgress
    from lab.doctor.effort import Effort
    from lab.doctor.examination import Examination, examine_tasks, search_sabotages, stored_manifests
    from lab.doctor.manifest import sabotage_summary
    from lab.doctor.sabotage_search import SearchEffort

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
        search=SearchEffort(sabotages, sabotage_budget),
        variant=variant,
        ray=ray,
    )
    if show:
        found = stored_manifests(request, cache_root())
    else:
        examine = search_sabotages if sabotage else examine_tasks
        found = examine(request, cache_root(), ConsoleProgress(stderr()))
    for manifest, ids in found:
        if sabotage:
            say(sabotage_summary(manifest, ids))
        else:
            _print(manifest, ids)


def _forge(
    dataset: str,
    repos: tuple[str, ...],
    tasks: tuple[str, ...],
    forgeries: tuple[str, ...],
    sample: int | None,
    seed: int,
    unflagged: bool,
    fresh: bool,
    out: Path | None,
    sandbox: str,
    mirror: Path | None,
    workers: int,
) -> int:
    """Play the forgeries and print what became of them. Returns the exit status: 1 when any passed unflagged."""
    from executor.cache import cache_root
    from experiments.progress import ConsoleProgress
    from lab.forgeries.forging import RECORD, Forging, play_forgeries
    from lab.forgeries.record import Catch, rows

    folder = out or Path("runs") / "forge"
    request = Forging(
        dataset, repos, tasks, forgeries, sample, seed, unflagged, fresh, folder, sandbox, mirror, workers
    )
    record = play_forgeries(request, cache_root(), ConsoleProgress(stderr()))
    print_rows(("class", "forgeries", "trials", *(catch.value for catch in Catch)), rows(record.played))
    for trial in record.unflagged:
        what = f"{trial.forgery} on {trial.repo} {trial.function} ({trial.task_id})"
        say(f"PASSED UNFLAGGED: {what}, {folder / trial.logs}")
    say(
        f"{len(record.played)} of {record.pairs} pairs of {record.forgeries} forgeries and {record.tasks} valid tasks"
        f" played; {len(record.unflagged)} passed unflagged; {folder / RECORD}"
    )
    return 1 if record.unflagged else 0


def _print(manifest: HealthManifest, ids: Sequence[str]) -> None:
    from lab.doctor.manifest import rows, summary

    head = ("task", "function", "health", "score", "mutants", "stubs", "reached", "suites", "s", "because")
    print_rows(head, (cells for cells in rows(manifest) if cells[0] in ids))
    say(summary(manifest, ids))
