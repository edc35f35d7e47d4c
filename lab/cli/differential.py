"""graft audit differential: does a body do what the gold does?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.options import TaskOptions, split_comma_separated_list, take_options
from experiments.consoles import get_shared_stderr_console, print_line


@dataclass(frozen=True, kw_only=True)
class DifferentialOptions(TaskOptions):
    """What `graft audit differential` takes."""

    answers: Annotated[
        Path | None, typer.Option(help="Compare the answers in this JSON lines file, which `graft grade` could read.")
    ] = None
    wrong: Annotated[bool, typer.Option("--wrong", help="Also compare the tasks' wrong bodies.")] = False
    bodies: Annotated[
        Path | None,
        typer.Option(help="With --wrong: the folder with a REPO.yaml for each repository. Default: Graft's own."),
    ] = None
    out: Annotated[Path, typer.Option(help="The folder for the record and the logs.")] = Path("runs/differential")


@take_options(DifferentialOptions)
def differential(options: DifferentialOptions) -> None:
    """Compare bodies with the gold, call by call.

    A body and the gold are built into the same program. At each call of the function that the task's tests make, the
    process forks and both run on the same state. What they return, errno and the memory that they reach are compared,
    and, told apart, what they give to the same functions of the repository.
    Without --answers and --wrong each gold is compared with itself. The same command continues where it was stopped.
    """
    from executor.cache import cache_root
    from experiments.progress import ConsoleProgress
    from lab.differential.compare_bodies import compare_bodies
    from lab.doctor.data_set_examination import DoctorRequest

    request = DoctorRequest(
        dataset=options.dataset,
        repos=split_comma_separated_list(options.repos),
        tasks=split_comma_separated_list(options.tasks),
        sandbox=options.sandbox,
        mirror=options.mirror,
    )
    compared = compare_bodies(
        request,
        options.out,
        cache_root(),
        ConsoleProgress(get_shared_stderr_console()),
        answers=options.answers,
        wrong=options.wrong,
        bodies=options.bodies,
    )
    for found in compared:
        words = filter(None, (found.found.line, found.found.perturbed_line, found.found.calls_line))
        print_line(f"{found.repo} {found.function} {found.name}: {'; '.join(words)}")
