"""graft plus: Graft's own further tests of a repository's tasks."""

from __future__ import annotations

from typing import Annotated

import typer

from experiments.cli.options import Dataset, Mirror, Repos, Sandbox
from experiments.consoles import say, stderr
from experiments.tables import print_rows
from index.errors import ConfigError
from lab.cli.wrong import Bodies, Manifests, Tasks

plus_app = typer.Typer(
    help="Try and list plus tests. Graft adds them to a repository's own where those leave documented behaviour open.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Runs = Annotated[int, typer.Option(min=1, help="How many times the gold must pass them.")]


@plus_app.command()
def check(
    dataset: Dataset = "yabloco",
    repo: Repos = None,
    task: Tasks = None,
    bodies: Bodies = None,
    runs: Runs = 3,
    sandbox: Sandbox = "auto",
    mirror: Mirror = None,
) -> None:
    """Try plus tests while you write them.

    They run on the gold, on stubs and on the wrong bodies that aren't held back. Prints each wrong body that
    passes, with the reason why it is wrong. No manifest is changed. The exit status is 1 when a gold fails."""
    from executor.cache import cache_root
    from lab.wrong.commands import WrongRequest, check_plus

    request = WrongRequest(dataset, tuple(repo or ()), tuple(task or ()), bodies, sandbox, mirror)
    good, any_tried = True, False
    for tried in check_plus(request, runs, cache_root()):
        any_tried = True
        found, name = tried.found, f"{tried.task.id} {tried.task.target.name}"
        if not found.sound:
            good = False
            say(f"{name}: the gold FAILS in run {found.gold_passed + 1}: {found.reason}")
            continue
        say(
            f"{name}: gold {found.gold_passed} of {found.gold_runs} on {found.tests} tests, {found.cpu_s:.1f} CPU-s;"
            f" stubs killed {found.stubs_killed} of {found.stubs}; bodies killed"
            f" {len(found.bodies) - len(tried.survivors)} of {len(found.bodies)}"
        )
        for body in tried.survivors:
            apart = f" (only: {body.only})" if body.only else ""
            say(f"    passes: body {body.number}, {body.kind}{apart}: {body.why}")
    if not any_tried:
        raise ConfigError("no plus test names any of these tasks (docs/how-to/tasks/write-plus-tests.md)")
    raise typer.Exit(0 if good else 1)


@plus_app.command()
def judge(
    dataset: Dataset = "yabloco",
    repo: Repos = None,
    task: Tasks = None,
    bodies: Bodies = None,
    runs: Runs = 3,
    out: Manifests = None,
    sandbox: Sandbox = "auto",
    mirror: Mirror = None,
) -> None:
    """Judge by the plus tests, and keep the result.

    They run on the gold, the stubs and all wrong bodies; the manifest holds the result. Reports have a column
    `plus`, over the tasks whose gold passed each time. The same command continues where it was stopped."""
    from executor.cache import cache_root
    from experiments.progress import ConsoleProgress
    from lab.wrong.commands import WrongRequest, judge_plus_tests
    from lab.wrong.figures import plus_rows

    request = WrongRequest(dataset, tuple(repo or ()), tuple(task or ()), bodies, sandbox, mirror, out)
    for manifest, ids in judge_plus_tests(request, runs, cache_root(), ConsoleProgress(stderr())):
        head = ("task", "function", "tests", "golds", "stubs killed", "held back pass", "others pass", "CPU-s")
        print_rows(head, plus_rows(manifest, ids))


@plus_app.command()
def show(dataset: Dataset = "yabloco", repo: Repos = None, task: Tasks = None) -> None:
    """List the plus tests.

    Says for each its task, and where the behaviour that it checks is documented."""
    from lab.wrong.commands import plus_tests

    print_rows(("task", "test", "stated"), plus_tests(dataset, tuple(repo or ()), tuple(task or ())))
