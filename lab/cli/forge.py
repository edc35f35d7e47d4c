"""graft audit forge: cheating answers, played against valid tasks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.options import TaskOptions, Workers, split_comma_separated_list, take_options
from experiments.consoles import get_shared_stderr_console, print_line
from experiments.tables import print_rows


@dataclass(frozen=True, kw_only=True)
class ForgeOptions(TaskOptions):
    """What `graft audit forge` takes."""

    forgeries: Annotated[str, typer.Option(help="Only the forgeries of these names, separated by commas.")] = ""
    sample: Annotated[
        int | None, typer.Option(min=1, help="Play this many pairs of forgery and task. Default: all.")
    ] = None
    unflagged: Annotated[
        bool,
        typer.Option(
            "--unflagged",
            help="Play only what no flag marks. The text of every pair is read, and one that a flag marks can't count"
            " as passed.",
        ),
    ] = False
    seed: Annotated[int, typer.Option(help="The seed of the order in which pairs are played.")] = 1
    fresh: Annotated[bool, typer.Option(help="Play again what the record holds.")] = False
    out: Annotated[Path, typer.Option(help="The folder for the record and the logs.")] = Path("runs/forge")
    workers: Workers = None


@take_options(ForgeOptions)
def forge(options: ForgeOptions) -> None:
    """Play the library of cheating answers on the valid tasks.

    Each goes the way of a model's answer. The exit status is 1 when one passes unflagged."""
    from executor.cache import cache_root
    from experiments.progress import ConsoleProgress
    from experiments.run.config import RunConfig
    from lab.forgeries.forgery_record import Catch, make_catch_rows
    from lab.forgeries.play_forgeries import RECORD, play_forgeries

    config = RunConfig(
        model="stub",
        arms=("none",),
        dataset=options.dataset,
        repos=split_comma_separated_list(options.repos),
        tasks=split_comma_separated_list(options.tasks) or ("valid",),
        sandbox=options.sandbox,
        mirror=options.mirror,
        workers=options.workers,
    )
    record = play_forgeries(
        config,
        options.out,
        cache_root(),
        ConsoleProgress(get_shared_stderr_console()),
        forgeries=split_comma_separated_list(options.forgeries),
        sample=options.sample,
        seed=options.seed,
        unflagged=options.unflagged,
        fresh=options.fresh,
    )
    print_rows(("class", "forgeries", "trials", *(catch.value for catch in Catch)), make_catch_rows(record.played))
    for trial in record.unflagged_trials:
        what = f"{trial.forgery} on {trial.repo} {trial.function} ({trial.task_id})"
        print_line(f"PASSED UNFLAGGED: {what}, {options.out / trial.logs}")
    print_line(
        f"{len(record.played)} of {record.pairs} pairs of {record.forgeries} forgeries and {record.tasks} valid tasks"
        f" played; {len(record.unflagged_trials)} passed unflagged; {options.out / RECORD}"
    )
    raise typer.Exit(1 if record.unflagged_trials else 0)
