"""graft audit: what a pass is worth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from executor.cache import cache_root
from experiments.cli.options import (
    TaskOptions,
    Workers,
    make_options_command_decorator,
    split_comma_list_without_repeats,
)
from experiments.cli.results.memory import memory
from experiments.consoles import print_line
from experiments.progress import ConsoleProgress
from experiments.tables import print_rows_as_wrapped_table
from lab.cli.task_choice import Manifests, make_task_choice_arguments
from lab.cli.wrong import BodyOptions, plus_app, wrong_app

audit_app = typer.Typer(
    help="Find out what a pass is worth: wrong bodies, plus tests, forgeries, memory.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
audit_app.add_typer(wrong_app, name="wrong")
audit_app.add_typer(plus_app, name="plus")


@dataclass(frozen=True, kw_only=True)
class DifferentialOptions(BodyOptions):
    answers: Annotated[
        Path | None, typer.Option(help="Compare the answers in this JSON lines file, which `graft grade` could read.")
    ] = None
    wrong: Annotated[bool, typer.Option("--wrong", help="Also compare the tasks' wrong bodies.")] = False
    out: Annotated[Path, typer.Option(help="The folder for the record and the logs.")] = Path("runs/differential")


@audit_app.command("differential")
@make_options_command_decorator(DifferentialOptions)
def compare_bodies_with_gold_by_call(options: DifferentialOptions) -> None:
    """Compare bodies with the gold, call by call.

    A body and the gold are built into the same program. At each call of the function that the task's tests make, the
    process forks and both run on the same state. What they return, errno and the memory that they reach are compared,
    and, told apart, what they give to the same functions of the repository.
    Without --answers and --wrong each gold is compared with itself. The same command continues where it was stopped.
    """
    from lab.differential.compare_bodies import compare_bodies
    from lab.doctor.data_set_examination import DoctorRequest

    compared = compare_bodies(
        DoctorRequest(**make_task_choice_arguments(options)),
        options.out,
        cache_root(),
        ConsoleProgress(),
        answers=options.answers,
        wrong=options.wrong,
        bodies=options.bodies,
    )
    for found in compared:
        seen = found.found
        words = (
            seen.difference_agreement_or_not_applicable_line,
            seen.perturbed_agreement_line_or_empty,
            seen.first_callee_difference_line_or_empty,
        )
        print_line(f"{found.repo} {found.function} {found.name}: {'; '.join(filter(None, words))}")


@dataclass(frozen=True, kw_only=True)
class ForgeOptions(TaskOptions):
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


@audit_app.command("forge")
@make_options_command_decorator(ForgeOptions)
def play_forgeries_on_valid_tasks(options: ForgeOptions) -> None:
    """Play the library of cheating answers on the valid tasks.

    Each goes the way of a model's answer. The exit status is 1 when one passes unflagged."""
    from experiments.run.config import RunConfig
    from lab.forgeries.forgery_record import Catch, make_catch_rows_per_forgery_class
    from lab.forgeries.play_forgeries import RECORD, play_forgeries

    choice = make_task_choice_arguments(options)
    choice["tasks"] = choice["tasks"] or ("valid",)
    record = play_forgeries(
        RunConfig(model="stub", arms=("none",), **choice, workers=options.workers),
        options.out,
        cache_root(),
        ConsoleProgress(),
        forgeries=split_comma_list_without_repeats(options.forgeries),
        sample=options.sample,
        seed=options.seed,
        unflagged=options.unflagged,
        fresh=options.fresh,
    )
    print_rows_as_wrapped_table(
        ("class", "forgeries", "trials", *(catch.value for catch in Catch)),
        make_catch_rows_per_forgery_class(record.played),
    )
    for trial in record.trials_passed_unflagged:
        what = f"{trial.forgery} on {trial.repo} {trial.function} ({trial.task_id})"
        print_line(f"PASSED UNFLAGGED: {what}, {options.out / trial.logs}")
    print_line(
        f"{len(record.played)} of {record.pairs} pairs of {record.forgeries} forgeries and {record.tasks} valid tasks"
        f" played; {len(record.trials_passed_unflagged)} passed unflagged; {options.out / RECORD}"
    )
    raise typer.Exit(1 if record.trials_passed_unflagged else 0)


@dataclass(frozen=True, kw_only=True)
class SabotageOptions(TaskOptions):
    wanted: Annotated[int, typer.Option(min=2, help="How many to find for each task and suite.")] = 3
    budget: Annotated[float, typer.Option(help="Seconds to spend on one suite.")] = 600.0
    fresh: Annotated[bool, typer.Option(help="Search again for what the manifest already holds.")] = False
    further: Annotated[
        bool, typer.Option(help="Search also where a suite has some, but lacks some for one of its tasks.")
    ] = False
    workers: Workers = None
    out: Manifests = None


@audit_app.command("sabotage")
@make_options_command_decorator(SabotageOptions)
def find_sabotages_for_control_runs(options: SabotageOptions) -> None:
    """Find functions that, when broken, make a suite fail.

    A control run breaks one of them beside an answer that passed, to see whether the suite still judges. The manifest
    keeps them."""
    from lab.doctor.data_set_examination import DoctorRequest, search_sabotages
    from lab.doctor.manifest import summarize_sabotages
    from lab.doctor.suite_sabotages import SearchEffort

    request = DoctorRequest(
        **make_task_choice_arguments(options),
        fresh=options.fresh,
        further=options.further,
        out=options.out,
        workers=options.workers,
        search=SearchEffort(options.wanted, options.budget),
    )
    for manifest, ids in search_sabotages(request, cache_root(), ConsoleProgress()):
        print_line(summarize_sabotages(manifest, ids))


audit_app.command()(memory)
