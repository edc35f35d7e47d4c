"""graft wrong: bodies that compile and are wrong, and how many of them pass."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.options import Dataset, Mirror, Repos, Sandbox
from experiments.consoles import say, stderr

wrong_app = typer.Typer(
    help="Check and judge wrong bodies: how many plausible wrong answers pass a task's tests?",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Tasks = Annotated[list[str] | None, typer.Option(help="Only the task with this id. May be repeated.")]
Bodies = Annotated[
    Path | None,
    typer.Option(help="Folder of the files REPO.yaml. Default: Graft's own, or wrong.yaml beside your recipe."),
]


@wrong_app.command()
def check(
    dataset: Dataset = "yabloco",
    repo: Repos = None,
    task: Tasks = None,
    bodies: Bodies = None,
    sandbox: Sandbox = "auto",
    mirror: Mirror = None,
) -> None:
    """Are the bodies well made? Each must fit its gold, differ from it and from the others, and compile.

    No test runs. What was compiled once isn't compiled again."""
    from executor.cache import cache_root
    from experiments.checks.wrong import WrongRequest, check_bodies
    from experiments.progress import ConsoleProgress

    request = WrongRequest(dataset, tuple(repo or ()), tuple(task or ()), bodies, sandbox, mirror)
    good = True
    for found in check_bodies(request, cache_root(), ConsoleProgress(stderr())):
        good &= not found.problems
        for line in found.problems:
            say(line)
        say(
            f"{found.repository}: {found.bodies} wrong bodies ({found.held} held back) of {found.tasks} tasks,"
            f" {len(found.problems)} problems; {found.every - found.tasks} tasks have none"
        )
    raise typer.Exit(0 if good else 1)
