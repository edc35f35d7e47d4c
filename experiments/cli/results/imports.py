"""graft import: what other programs ran, as runs of ours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.options import Mirror, Overrides, add_mirror, take_options
from experiments.consoles import get_shared_stderr_console

import_app = typer.Typer(help="Make runs of what other programs ran.", no_args_is_help=True, rich_markup_mode=None)


@import_app.callback()
def _describe_group() -> None:
    """Make runs of what other programs ran."""


@dataclass(frozen=True, kw_only=True)
class HarborOptions:
    """What `graft import harbor` takes."""

    jobs: Annotated[Path, typer.Argument(metavar="JOBS", help="A job's folder, or a folder of jobs.")]
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The run's folder. Of several agents: a folder of runs.")]
    overrides: Overrides = None
    regrade: Annotated[
        bool,
        typer.Option("--regrade", help="Build and test here what the agents left. Default: the verifier's record."),
    ] = False
    mirror: Mirror = None


@import_app.command("harbor")
@take_options(HarborOptions)
def import_harbor(options: HarborOptions) -> None:
    """Make runs of the trials of Harbor's jobs, one for each agent with its model.

    Each trial is a sample, with verdict, tokens and cost; the agent's trajectory is its story, the agent's name its
    arm. docs/how-to/import-harbor-jobs.md tells what becomes of failed trials."""
    from executor.cache import cache_root
    from experiments.harbor.jobs.import_jobs import import_jobs
    from experiments.progress import ConsoleProgress
    from experiments.report.run_end import keep_and_print_report

    words = add_mirror(options.overrides, options.mirror)
    progress = ConsoleProgress(get_shared_stderr_console())
    ends = import_jobs(options.jobs, options.out, words, cache_root(), progress, regrade=options.regrade)
    raise typer.Exit(max([keep_and_print_report(end) for end in ends]))
