"""graft import: what other programs ran, as runs of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from executor.cache import cache_root
from experiments.cli.options import Mirror, Overrides, add_mirror
from experiments.progress import ConsoleProgress

import_app = typer.Typer(help="Make runs of what other programs ran.", no_args_is_help=True, rich_markup_mode=None)


@import_app.callback()
def _keep_group_for_one_command() -> None:
    """Make runs of what other programs ran."""


@import_app.command("harbor")
def import_harbor(
    jobs: Annotated[Path, typer.Argument(metavar="JOBS", help="A job's folder, or a folder of jobs.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The run's folder. Of several agents: a folder of runs.")],
    overrides: Overrides = None,
    regrade: Annotated[
        bool,
        typer.Option("--regrade", help="Build and test here what the agents left. Default: the verifier's record."),
    ] = False,
    mirror: Mirror = None,
) -> None:
    """Make runs of the trials of Harbor's jobs, one for each agent with its model.

    Each trial is a sample, with verdict, tokens and cost; the agent's trajectory is its story, the agent's name its
    arm. docs/how-to/import-harbor-jobs.md tells what becomes of failed trials."""
    from experiments.harbor.jobs.import_jobs import import_jobs
    from experiments.report.run_end import write_and_print_report

    words = add_mirror(overrides, mirror)
    ends = import_jobs(jobs, out, words, cache_root(), ConsoleProgress(), regrade=regrade)
    raise typer.Exit(max([write_and_print_report(end) for end in ends]))
