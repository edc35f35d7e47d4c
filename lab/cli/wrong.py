"""graft audit wrong: bodies that compile and are wrong, and how many of them pass. graft audit plus: Graft's own tests
beside a repository's, and how many pass these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from executor.cache import cache_root
from experiments.cli.options import (
    Dataset,
    Mirror,
    Repos,
    TaskOptions,
    Tasks,
    Workers,
    make_options_command_decorator,
    split_comma_list_without_repeats,
)
from experiments.consoles import print_line
from experiments.progress import ConsoleProgress
from experiments.tables import print_rows_as_wrapped_table
from index.errors import ConfigError
from lab.cli.task_choice import Manifests, make_task_choice_arguments

if TYPE_CHECKING:
    from executor.manifest.health import HealthManifest
    from lab.wrong.commands import WrongRequest

wrong_app = typer.Typer(
    help="Measure how many plausible wrong bodies pass the tests.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
plus_app = typer.Typer(
    help="Try and list plus tests. Graft adds them to a repository's own where those leave documented behaviour open.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Bodies = Annotated[
    Path | None,
    typer.Option(
        help="The folder with a REPO.yaml of wrong bodies for each repository. Default: Graft's own, or wrong.yaml"
        " beside your recipe."
    ),
]


@dataclass(frozen=True, kw_only=True)
class BodyOptions(TaskOptions):
    bodies: Bodies = None

    def make_request(self, **further: Any) -> WrongRequest:
        from lab.wrong.commands import WrongRequest

        return WrongRequest(**make_task_choice_arguments(self), bodies=self.bodies, **further)


@dataclass(frozen=True, kw_only=True)
class JudgeOptions(BodyOptions):
    workers: Workers = None
    out: Manifests = None


@dataclass(frozen=True, kw_only=True)
class ChooseOptions(BodyOptions):
    cpu: Annotated[float, typer.Option(help="The most CPU seconds that the suites of one task may take together.")] = (
        5.0
    )
    runs: Annotated[int, typer.Option(min=1, help="How many times the gold must pass them.")] = 3
    out: Manifests = None


@dataclass(frozen=True, kw_only=True)
class PlusOptions(BodyOptions):
    runs: Annotated[int, typer.Option(min=1, help="How many times the gold must pass them.")] = 3
    workers: Workers = None


@dataclass(frozen=True, kw_only=True)
class JudgePlusOptions(PlusOptions):
    out: Manifests = None


@wrong_app.command("check")
@make_options_command_decorator(BodyOptions)
def check_wrong_bodies(options: BodyOptions) -> None:
    """Check that wrong bodies are well made.

    Each must fit its gold, differ from it and from the others, and compile. No tests run. What was compiled once
    isn't compiled again."""
    from lab.wrong.commands import check_bodies

    good = True
    for problems, counts in check_bodies(options.make_request(), cache_root(), ConsoleProgress()):
        good &= not problems
        for line in (*problems, counts):
            print_line(line)
    raise typer.Exit(0 if good else 1)


@wrong_app.command("judge")
@make_options_command_decorator(JudgeOptions)
def run_tests_on_wrong_bodies(options: JudgeOptions) -> None:
    """Run the tests on wrong bodies and count those that pass.

    Each is treated as a model's answer, and the suites that judge its task judge it. Only valid tasks are judged, in
    random order. The manifest keeps the result of each body, and reports show the false-pass rate. The same command
    continues where it was stopped."""
    from lab.wrong.commands import open_judged_repositories
    from lab.wrong.judge_bodies import judge_wrong_bodies

    progress = ConsoleProgress()
    for judged in open_judged_repositories(
        options.make_request(out=options.out, workers=options.workers), cache_root()
    ):
        _print_wrong_body_pass_rates(judge_wrong_bodies(judged, progress), judged.task_ids)


@wrong_app.command("choose")
@make_options_command_decorator(ChooseOptions)
def choose_further_judging_suites(options: ChooseOptions) -> None:
    """Let further suites judge, so that fewer wrong bodies pass.

    Taken are suites that call the function, as many as fit into --cpu. Those come first that kill most mutants and
    wrong bodies for their cost; bodies that are held back have no say. The manifest then names the suites, and
    `graft audit wrong judge` measures what they let pass."""
    from lab.wrong.commands import open_judged_repositories
    from lab.wrong.judge_bodies import choose_further_suites

    progress = ConsoleProgress()
    for judged in open_judged_repositories(options.make_request(out=options.out), cache_root()):
        manifest = choose_further_suites(judged, progress, suites_s=options.cpu, gold_runs=options.runs)
        chosen = [entry for key, entry in manifest.tasks.items() if key in judged.task_ids]
        seconds = sum(entry.cost_s for entry in chosen)
        count = sum(len(entry.suites) for entry in chosen)
        print_line(f"{manifest.repository}: {len(chosen)} tasks, {count} suites, {seconds:.0f} s for all")


@wrong_app.command("show")
def show_wrong_body_pass_rates(
    dataset: Dataset = "yabloco",
    repos: Repos = "",
    tasks: Tasks = "",
    out: Manifests = None,
) -> None:
    """Print what became of wrong bodies, from the manifest."""
    from lab.doctor.data_set_examination import DoctorRequest, read_stored_manifests

    request = DoctorRequest(
        dataset, split_comma_list_without_repeats(repos), split_comma_list_without_repeats(tasks), "auto", None, out
    )
    for manifest, ids in read_stored_manifests(request, cache_root()):
        _print_wrong_body_pass_rates(manifest, ids)


def _print_wrong_body_pass_rates(manifest: HealthManifest, ids: Sequence[str]) -> None:
    from lab.wrong.pass_rate_tables import make_wrong_body_rows, summarize_pass_rates_by_held_back

    head = ("task", "function", "held back", "rate", "others", "apart", "kinds that pass")
    print_rows_as_wrapped_table(head, make_wrong_body_rows(manifest, ids))
    for line in summarize_pass_rates_by_held_back(manifest, ids):
        print_line(line)


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
