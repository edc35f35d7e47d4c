"""graft review: a person decides on answers that ended as `to_review`."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated

import typer

from experiments.consoles import say
from experiments.tables import print_rows
from index.errors import UserError


def review(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    task: Annotated[str | None, typer.Argument(help="The task on whose answer you decide.")] = None,
    arm: Annotated[str | None, typer.Option(help="The answer of this arm.")] = None,
    sample: Annotated[int | None, typer.Option(help="The answer of this sample.")] = None,
    passed: Annotated[
        bool | None, typer.Option("--passed/--refused", help="The answer is honest and counts as passed, or it fails.")
    ] = None,
    why: Annotated[str, typer.Option(help="What you saw, in a sentence. Reports quote it.")] = "",
    reviewer: Annotated[str, typer.Option(help="Who decides. Default: your user name.")] = "",
) -> None:
    """Decide on answers that Graft leaves to a person.

    An answer that passed its tests with a flag, or that no control run could test, ends as `to_review` and doesn't
    count as passed. Without a task all of them are listed, with the reason. Read one with `graft show RUN TASK`, then
    decide. The decision holds for that text alone; the journal keeps what Graft found, and the last decision stands.
    """
    from experiments.report.review import answers_to_review, checked_words, decide

    if task is None:
        if passed is not None or why or arm is not None or sample is not None:
            raise UserError("graft review: name the task on whose answer you decide")
        answers = answers_to_review(run)
        rows = [
            (
                answer.task_id,
                answer.named,
                "open" if answer.review is None else "passed" if answer.review.passed else "refused",
                "; ".join((*answer.flags, answer.reason)),
            )
            for answer in answers
        ]
        if rows:
            print_rows(("task", "arm, sample", "decision", "why"), rows)
        say(f"{len(rows)} answers to review; {sum(answer.review is None for answer in answers)} are open")
        return
    if passed is None:
        raise UserError(f"graft review {run} {task}: say --passed or --refused; `graft show {run} {task}` shows it")
    words = checked_words(reviewer or getpass.getuser(), why)
    for answer in decide(run, task, arm, sample, passed=passed, reviewer=words[0], why=words[1]):
        say(f"{answer.task_id} ({answer.named}): {'passed' if passed else 'refused'}")
    say(f"{run}/report.md is made anew")
