"""graft audit plus: Graft's own further tests of a repository's tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from executor.cache import cache_root
from experiments.cli.options import (
    Dataset,
    Mirror,
    Repos,
    Tasks,
    Workers,
    make_options_command_decorator,
    split_comma_list_without_repeats,
)
from experiments.consoles import print_line
from experiments.progress import ConsoleProgress
from experiments.tables import print_rows_as_wrapped_table
from index.errors import ConfigError
from lab.cli.task_choice import Manifests
from lab.cli.wrong import BodyOptions

plus_app = typer.Typer(
    help="Try and list plus tests. Graft adds them to a repository's own where those leave documented behaviour open.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@dataclass(frozen=True, kw_only=True)
class PlusOptions(BodyOptions):
    runs: Annotated[int, typer.Option(min=1, help="How many times the gold must pass them.")] = 3
    workers: Workers = None


@dataclass(frozen=True, kw_only=True)
class JudgePlusOptions(PlusOptions):
    out: Manifests = None


@plus_app.command("check")
@make_options_command_decorator(PlusOptions)
def try_plus_tests_without_saving(options: PlusOptions) -> None:
    """Try plus tests while you write them.

    They run on the gold, on stubs and on the wrong bodies that aren't held back. Prints each wrong body that
    passes, with the reason why it is wrong. No manifest is changed. The exit status is 1 when a gold fails."""
    from lab.wrong.commands import check_plus_tests

    request = options.make_request(workers=options.workers)
    good, any_tried = True, False
    for task, found, survivors in check_plus_tests(request, options.runs, cache_root()):
        any_tried = True
        name, bodies = f"{task.id} {task.target.name}", len(found.bodies)
        if not found.has_gold_always_passed:
            good = False
            print_line(f"{name}: the gold FAILS in run {found.gold_passed + 1}: {found.reason}")
            continue
        print_line(
            f"{name}: gold {found.gold_passed} of {found.gold_runs} on {found.tests} tests, {found.cpu_s:.1f} CPU-s;"
            f" stubs killed {found.stubs_killed} of {found.stubs}; "
            + (f"bodies killed {bodies - len(survivors)} of {bodies}" if bodies else "no wrong bodies to try")
        )
        for body in survivors:
            apart = f" (only: {body.only})" if body.only else ""
            print_line(f"    passes: body {body.number}, {body.kind}{apart}: {body.why}")
    if not any_tried:
        raise ConfigError("no plus test names any of these tasks (docs/how-to/tasks/write-plus-tests.md)")
    raise typer.Exit(0 if good else 1)


@plus_app.command("judge")
@make_options_command_decorator(JudgePlusOptions)
def try_plus_tests_and_save_results(options: JudgePlusOptions) -> None:
    """Judge by the plus tests, and keep the result.

    They run on the gold, the stubs and all wrong bodies; the manifest holds the result. Plus tests that the gold fails
    judge no answer. The same command continues where it was stopped."""
    from lab.wrong.commands import judge_plus_tests
    from lab.wrong.pass_rate_tables import make_plus_rows

    request = options.make_request(out=options.out, workers=options.workers)
    head = ("task", "function", "tests", "golds", "stubs killed", "held back pass", "others pass", "CPU-s")
    for manifest, ids in judge_plus_tests(request, options.runs, cache_root(), ConsoleProgress()):
        print_rows_as_wrapped_table(head, make_plus_rows(manifest, ids))


@plus_app.command("show")
def list_plus_tests(
    dataset: Dataset = "yabloco",
    repos: Repos = "",
    tasks: Tasks = "",
    hidden: Annotated[
        bool,
        typer.Option("--hidden", help="Only tests that quote a hidden body alone, which no answer can know."),
    ] = False,
    mirror: Mirror = None,
) -> None:
    """List the plus tests.

    Says for each its task, and where the behaviour that it checks is documented."""
    from lab.wrong.plus_listing import (
        find_plus_tests_quoting_hidden_text_and_count_all,
        list_plus_tests_with_doc_references,
    )

    chosen = split_comma_list_without_repeats(repos), split_comma_list_without_repeats(tasks)
    if not hidden:
        found_tests = list_plus_tests_with_doc_references(dataset, *chosen, mirror)
        print_rows_as_wrapped_table(("task", "test", "stated"), found_tests)
        return
    found, count = find_plus_tests_quoting_hidden_text_and_count_all(dataset, *chosen, mirror, cache_root())
    print_line(f"{len(found)} of {count} plus tests quote nothing but a hidden body")
    if found:
        print_rows_as_wrapped_table(("plus test", "test"), found)
