"""graft show: a run's report, its page, its progress, or the story of one task."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.options import ShownColumns
from index.errors import UserError


def show(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    task: Annotated[str | None, typer.Argument(help="A task's id: what happened to it. Without it: the report.")] = (
        None
    ),
    arm: Annotated[str | None, typer.Option(help="Only this arm.")] = None,
    sample: Annotated[int | None, typer.Option(help="Only this sample.")] = None,
    full: Annotated[bool, typer.Option(help="Print whole prompts, answers and logs.")] = False,
    k: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Show pass@k for this k. May be repeated. Default: k as large as an arm's samples."),
    ] = None,
    original_names: Annotated[
        bool, typer.Option("--original-names", help="For a run on a variant: show the repository's own names.")
    ] = False,
    details: Annotated[
        bool, typer.Option("--details", help="Print the tables by level and by cause, control runs, every sample, ...")
    ] = False,
    columns: ShownColumns = "fit",
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the report as a page for the browser to this file.")
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Watch a run in progress: finished, passed, cost, rate and time left.")
    ] = False,
    once: Annotated[bool, typer.Option("--once", help="With --watch: print the state once, as one line.")] = False,
) -> None:
    """Show a run's report, or what happened to one of its tasks.

    With --watch a terminal shows a table that is kept up to date until the run ends; elsewhere a line is printed each
    minute."""
    if once and not watch:
        raise UserError("--once goes with --watch")
    if watch:
        from experiments.consoles import make_stdout_console
        from experiments.report.run_progress import watch_run

        return watch_run(run, make_stdout_console(), once=once)
    if html is not None:
        given = {"TASK": task, "--arm": arm, "--sample": sample, "--k": k or None, "--details": details or None}
        ignored = [name for name, value in given.items() if value is not None]
        if ignored:
            raise UserError(f"--html writes the whole page; leave out {', '.join(ignored)}")
        from experiments.cli.results.export import export_page

        return export_page([str(run)], html)
    from experiments.report.show_command import Selection, print_run_report_and_samples, show_task

    shown_k = tuple(sorted(set(k or ())))
    selection = Selection(arm, sample, shown_k, original_names)
    if task is None:
        return print_run_report_and_samples(run, selection, details=details, every_column=columns == "all")
    return show_task(run, task, selection, full=full)
