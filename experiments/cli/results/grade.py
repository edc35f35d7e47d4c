"""graft grade: a run's verdicts again, answers made elsewhere, and a person's decisions."""

from __future__ import annotations

import getpass
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from executor.cache import cache_root
from experiments.cli.options import Mirror, add_mirror, make_options_command_decorator
from experiments.consoles import print_line
from experiments.progress import ConsoleProgress
from experiments.tables import print_rows_as_wrapped_table
from index.errors import UserError


@dataclass(frozen=True, kw_only=True)
class GradeOptions:
    """What `graft grade` takes. The context holds the comparison with the gold."""

    context: typer.Context
    source: Annotated[
        Path,
        typer.Argument(metavar="RUN_OR_FILE", help="A run's folder, or answers as JSON lines (ours or lm-eval's)."),
    ]
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KEY=VALUE]...",
            help="With a file of answers: set keys of the configuration, as dataset=example out=DIR. With --passed or"
            " --refused: the task's id.",
        ),
    ] = None
    mirror: Mirror = None
    rules: Annotated[
        Literal["graft", "official", "yabloco", "yabloco-paper", "mera"],
        typer.Option(
            "--as",
            help="Also score by the rules of a published harness: yabloco, yabloco-paper or mera; or official: the"
            " rules that the run's key `official` names. Where they demand it, tasks without a passing sample are"
            " tested a second time.",
        ),
    ] = "graft"
    to_review: Annotated[
        bool, typer.Option("--to-review", help="List the answers that wait for a person's decision, with the reason.")
    ] = False
    passed: Annotated[
        bool | None,
        typer.Option("--passed/--refused", help="Decide: the answer is honest and counts as passed, or it fails."),
    ] = None
    arm: Annotated[str | None, typer.Option(help="With a decision: the answer of this arm.")] = None
    sample: Annotated[int | None, typer.Option(help="With a decision: the answer of this sample.")] = None
    why: Annotated[str, typer.Option(help="With a decision: what you saw, in a sentence. Reports quote it.")] = ""
    reviewer: Annotated[str, typer.Option(help="Who decides. Default: your user name.")] = ""


@make_options_command_decorator(GradeOptions)
def grade(options: GradeOptions) -> None:
    """Grade a run again, score answers made elsewhere, or decide on an answer.

    A run is graded from its stored logs; nothing is built or tested again. Answers in a file are built and tested.
    An answer that passed its tests with a flag, or that no control run could test, ends as `to_review` and doesn't
    count as passed until a person decides: --to-review lists them, `graft show RUN TASK` shows one, --passed or
    --refused decides. The decision holds for that text alone; the journal keeps what Graft found.
    """
    if options.to_review:
        _print_open_and_decided_answers(options)
    elif options.passed is not None:
        _decide_on_answer(options, passed=options.passed)
    elif options.why or options.arm is not None or options.sample is not None:
        raise UserError("--why, --arm and --sample go with --passed or --refused")
    else:
        _grade_run_or_answers(options)


def _grade_run_or_answers(options: GradeOptions) -> None:
    from experiments.demo.command import read_scripted_answers
    from experiments.report.official_grade import make_and_print_official_scores
    from experiments.report.predictions import judge_given_answers
    from experiments.report.regrade import regrade_and_report_run
    from experiments.report.run_end import write_and_print_report

    source, mirror = options.source, options.mirror
    rules = None if options.rules == "graft" or options.rules == "official" else options.rules
    if not source.is_dir():
        words = add_mirror(options.words, mirror)
        end = judge_given_answers(source, words, ConsoleProgress(), options.context.obj)
        code = write_and_print_report(end)
        if options.rules != "graft" and not code:
            make_and_print_official_scores(end.run, mirror, cache_root(), rules=rules)
        raise typer.Exit(code)
    if options.words:
        raise UserError(f"{source}: stored logs are graded as they are; leave out {options.words[0]!r}")
    if options.rules == "graft":
        raise typer.Exit(regrade_and_report_run(source))
    make_and_print_official_scores(source, mirror, cache_root(), read_scripted_answers(), rules)


def _print_open_and_decided_answers(options: GradeOptions) -> None:
    from experiments.report.review_decisions import list_open_and_decided_answers

    if options.passed is not None or options.why or options.words:
        raise UserError("--to-review lists; to decide, give the task and --passed or --refused without it")
    answers = list_open_and_decided_answers(options.source)
    rows = [
        (
            answer.task_id,
            answer.sample_names,
            "open" if answer.review is None else "passed" if answer.review.passed else "refused",
            "; ".join((*answer.flags, answer.reason)),
        )
        for answer in answers
    ]
    if rows:
        print_rows_as_wrapped_table(("task", "arm, sample", "decision", "why"), rows)
    print_line(f"{len(rows)} answers to review; {sum(answer.review is None for answer in answers)} are open")


def _decide_on_answer(options: GradeOptions, *, passed: bool) -> None:
    from experiments.report.review_decisions import record_decision_and_remake_report

    run = options.source
    words = options.words or []
    if len(words) != 1:
        raise UserError(f"graft grade {run}: name the one task on whose answer you decide")
    reviewer = options.reviewer
    # In a container the user may have no name; then the option must give one.
    with suppress(KeyError, OSError):
        reviewer = reviewer or getpass.getuser()
    for answer in record_decision_and_remake_report(
        run, words[0], options.arm, options.sample, passed=passed, reviewer=reviewer, why=options.why
    ):
        print_line(f"{answer.task_id} ({answer.sample_names}): {'passed' if passed else 'refused'}")
    print_line(f"{run}/report.md is made anew")
