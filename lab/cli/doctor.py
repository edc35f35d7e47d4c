"""graft doctor: which tasks are worth a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from executor.cache import cache_root
from experiments.cli.options import Ray, TaskOptions, Variant, Workers, make_options_command_decorator
from experiments.consoles import print_line
from experiments.progress import ConsoleProgress
from experiments.tables import print_rows_as_wrapped_table
from index.errors import UserError
from lab.cli.task_choice import Manifests, make_task_choice_arguments


@dataclass(frozen=True, kw_only=True)
class DoctorOptions(TaskOptions):
    budget: Annotated[float, typer.Option(help="Seconds to spend on the mutants and stubs of one task.")] = 300.0
    runs: Annotated[int, typer.Option(min=1, help="How many times the gold must pass.")] = 3
    mutants: Annotated[int, typer.Option(min=0, help="Try at most this many mutants of each task.")] = 12
    patience: Annotated[
        float,
        typer.Option(help="Leave a mutant alone once it has passed suites that take this many seconds together."),
    ] = 60.0
    workers: Workers = None
    forgeries: Annotated[bool, typer.Option(help="Also try function bodies that cheat.")] = True
    weak_too: Annotated[bool, typer.Option(help="Try mutants even where an empty body passes every suite.")] = True
    fresh: Annotated[bool, typer.Option(help="Examine again what the manifest already holds.")] = False
    further: Annotated[bool, typer.Option(help="Resume tasks whose examination stopped at a limit.")] = False
    show: Annotated[bool, typer.Option("--show", help="Print the manifests and examine nothing.")] = False
    out: Manifests = None
    variant: Variant = None
    ray: Ray = None


@make_options_command_decorator(DoctorOptions)
def examine_which_tasks_are_valid(options: DoctorOptions) -> None:
    """Find out which tasks can be scored.

    A task is valid when its true body (the gold) passes each time, and an empty body (a stub) fails, in all that
    grades it: the repository's suites and Graft's plus tests. The manifest, which runs read, says so for each task and
    names the suites that judge it. You can stop at any time; the same command continues with the next task.
    """
    if options.ray is not None and options.show:
        raise UserError("--ray is for examinations; leave out --show")
    from lab.doctor.body_trial import Effort
    from lab.doctor.data_set_examination import DoctorRequest, read_stored_manifests
    from lab.doctor.manifest import make_manifest_rows, summarize_manifest
    from lab.wrong.commands import examine_tasks_and_plus_tests

    request = DoctorRequest(
        **make_task_choice_arguments(options),
        effort=Effort(
            options.budget,
            options.runs,
            options.mutants,
            options.patience,
            forgeries=options.forgeries,
            weak_too=options.weak_too,
        ),
        fresh=options.fresh,
        further=options.further,
        out=options.out,
        workers=options.workers,
        variant=options.variant,
        ray=options.ray,
    )
    if options.show:
        found = read_stored_manifests(request, cache_root())
    else:
        found = examine_tasks_and_plus_tests(request, cache_root(), ConsoleProgress())
    head = ("task", "function", "health", "score", "mutants", "stubs", "reached", "suites", "s", "because")
    for manifest, ids in found:
        print_rows_as_wrapped_table(head, (cells for cells in make_manifest_rows(manifest) if cells[0] in ids))
        print_line(summarize_manifest(manifest, ids))
