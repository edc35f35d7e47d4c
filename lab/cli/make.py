"""graft make: any C or C++ repository becomes a data set of its own."""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from executor.cache import cache_root
from experiments.cli.options import Mirror, Sandbox, Workers, make_options_command_decorator
from experiments.consoles import print_line
from experiments.progress import ConsoleProgress
from index.errors import UserError

# Of the time that --minutes gives: the search for control runs comes after the doctor.
_SHARE_OF_CONTROLS = 0.2
_TASKS, _HARD_TASKS = 50, 20
_LINES = "5-60"


@dataclass(frozen=True, kw_only=True)
class MakeOptions:
    source: Annotated[
        str,
        typer.Argument(
            help="A folder, the URL of a git repository, or debian:NAME for a source package. With --hard also a"
            " repository that comes with Graft, by its name: redis, openssl, bullet3."
        ),
    ]
    out: Annotated[Path, typer.Option(help="The folder to make the data set in.")]
    rev: Annotated[str | None, typer.Option(help="The commit, tag or branch of a git repository.")] = None
    since: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d"],
            help="Only functions whose body changed on this day or later, according to git. Models may have learnt"
            " older ones.",
        ),
    ] = None
    limit: Annotated[int | None, typer.Option(min=1, help="How many tasks to make (50 unless given).")] = None
    lines: Annotated[
        str | None, typer.Option(help="The fewest and the most lines that a function may have (5-60 unless given).")
    ] = None
    holes: Annotated[
        str | None,
        typer.Option(help="How many functions each task asks for: a number (1 unless given), or a range as 1-4."),
    ] = None
    hard: Annotated[
        bool,
        typer.Option(
            "--hard",
            help="Hard tasks: clusters of 1, 2, 4, 8 and 16 functions that the tests notice, within --holes (1-16"
            " unless given); --limit (20 unless given) of each size, of 16 half as many.",
        ),
    ] = False
    until: Annotated[
        Literal["detect", "build", "choose", "reach", "doctor", "write"],
        typer.Option(help="Stop after this stage, to look at what it found. The same command without it continues."),
    ] = "write"
    minutes: Annotated[
        float | None,
        typer.Option(
            min=1,
            help="End after about so many minutes: functions that aren't examined by then are left, and the data set"
            " is written with the tasks that were found. The same command continues where it stopped.",
        ),
    ] = None
    setup_model: Annotated[
        str | None,
        typer.Option(
            help="Let this model correct make.yaml while the build or its tests fail, as model=NAME of a run."
        ),
    ] = None
    setup_url: Annotated[str | None, typer.Option(help="The model's server, as api_base=URL of a run.")] = None
    setup_rounds: Annotated[int, typer.Option(min=1, help="How often the model may change make.yaml.")] = 5
    setup_cost: Annotated[float | None, typer.Option(min=0, help="Stop when the model has cost so many USD.")] = None
    workers: Workers = None
    sandbox: Sandbox = "auto"
    mirror: Mirror = None


@make_options_command_decorator(MakeOptions)
def make_data_set(options: MakeOptions) -> None:
    """Make a data set from a C or C++ repository.

    The repository's own tests prove each task. First, what Graft found out about the build and the tests is
    written to OUT/make.yaml. Correct a line there and run the same command again: it continues from the first
    stage that the line affects. From then on the file counts, and not the options.
    """
    from executor.repository.recipe import recipe_names
    from executor.sandbox.choose import choose_backend
    from executor.sandbox.scheduled import log_machine_use
    from lab.making.hard_tasks import choose_task_counts_by_size, describe_task_counts_by_size, make_hard_set_of_recipe
    from lab.making.make_benchmark import make_benchmark
    from lab.making.settings import MOST_HOLES, ChooseSettings, MakeRequest

    band = _parse_number_range_or_none(options.lines or _LINES)
    if band is None:
        raise UserError(f"--lines {options.lines}: give the fewest and the most, as 5-60")
    if options.hard and (options.lines or options.since):
        given = "--lines" if options.lines else "--since"
        raise UserError(f"{given} and --hard: leave one out; hard tasks are chosen by what the tests notice")
    holes = options.holes or (f"1-{MOST_HOLES}" if options.hard else "1")
    count = _parse_number_range_or_none(holes if "-" in holes else f"{holes}-{holes}")
    if count is None or count[1] > MOST_HOLES:
        raise UserError(f"--holes {holes}: give a number of functions, or the fewest and the most, as 1-4")
    if options.hard and not choose_task_counts_by_size(*count, 1):
        raise UserError(f"--holes {holes}: hard tasks have 1, 2, 4, 8 or 16 functions, and none of these is in it")
    choose = ChooseSettings(
        tasks=options.limit or (_HARD_TASKS if options.hard else _TASKS),
        lines=band,
        holes=count,
        hard=options.hard,
        since=options.since.date() if options.since is not None else None,
    )
    backend = choose_backend(options.sandbox, cache_root(), options.workers).backend
    allowed_s = math.inf if options.minutes is None else 60 * options.minutes
    started = time.time()
    wanted = MakeRequest(
        options.source,
        options.out,
        options.rev,
        options.mirror,
        choose,
        options.until,
        started + (1 - _SHARE_OF_CONTROLS) * allowed_s,
        started + allowed_s,
    )
    progress = ConsoleProgress()
    is_shipped = options.source in recipe_names() and not Path(options.source).exists()
    if is_shipped and not options.hard:
        raise UserError(f"{options.source} comes with Graft: add --hard, or give its folder or URL")
    if is_shipped and options.setup_model:
        raise UserError(f"--setup-model: leave it out; the recipe of {options.source} comes with Graft")
    if is_shipped:
        made = make_hard_set_of_recipe(wanted, backend, cache_root(), progress)
    elif options.setup_model is None:
        made = make_benchmark(wanted, backend, cache_root(), progress)
    else:
        from lab.setup.model_repair import SetupModel, make_benchmark_with_repairs

        setup = SetupModel(options.setup_model, options.setup_url, options.setup_rounds, options.setup_cost)
        made = make_benchmark_with_repairs(wanted, backend, cache_root(), setup, progress)
    log_machine_use(backend)
    if options.until != "write":
        said = options.out / "make.yaml"
        found = f"; {said} says what was found out" if said.is_file() else ""
        print_line(f"{options.out}: stopped after {options.until}{found}")
        return
    if options.hard:
        sizes = choose_task_counts_by_size(*count, choose.tasks)
        print_line(f"clusters by their functions: {describe_task_counts_by_size(made.tasks, sizes)}")
    tasks = len(made.tasks)
    short = "" if tasks >= made.wanted else f" of {made.wanted} wanted"
    print_line(f"{options.out}: {tasks} tasks{short}, {made.examined} functions examined")
    if short:
        print_line(f"{options.out / 'README.md'} says why the others aren't tasks")
    print_line(f"{made.controlled} of {tasks} tasks have a control run, which breaks what must fail their tests")
    print_line(f"next: graft run dataset={options.out} model=gold arms=none")


def _parse_number_range_or_none(text: str) -> tuple[int, int] | None:
    """`5-60` as (5, 60); None for anything else."""
    found = re.fullmatch(r"(\d{1,4})-(\d{1,4})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        return None
    return int(found[1]), int(found[2])
