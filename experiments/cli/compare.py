"""graft compare: arms, models and runs against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from experiments.consoles import stdout


def compare(
    sides: Annotated[
        list[str], typer.Argument(metavar="RUN[:ARM]...", help="Runs' folders with all their arms, or single arms.")
    ],
    arms: Annotated[str, typer.Option(help="Only these arms of the runs, divided by commas.")] = "",
    figure: Annotated[Literal["pass@1", "built", "exact"], typer.Option(help="What is compared.")] = "pass@1",
    baseline: Annotated[
        str, typer.Option(help="Compare each side with this one alone: its arm, its name, or its number.")
    ] = "",
    valid: Annotated[bool, typer.Option("--valid", help="Only the tasks that graft doctor found valid.")] = False,
    tasks: Annotated[
        bool, typer.Option("--tasks", help="List the tasks that one side solved and the other didn't.")
    ] = False,
    json: Annotated[Path | None, typer.Option("--json", help="Write all figures to this file too.")] = None,
    markdown: Annotated[Path | None, typer.Option("--markdown", help="Write the tables to this file too.")] = None,
) -> None:
    """Compare arms, models or runs, task by task.

    For each pair: the difference with its 95 % interval, an exact test, corrected for the number of pairs, the same at
    equal cost, and how small a difference these tasks can show."""
    from experiments.compare.pairs import compare as compare_sides
    from experiments.compare.show import keep_comparison, print_comparison
    from experiments.compare.sides import read_sides

    wanted = [arm.strip() for arm in arms.split(",") if arm.strip()]
    found = compare_sides(read_sides(sides, wanted, valid=valid), figure, baseline)
    keep_comparison(found, json, markdown)
    print_comparison(stdout(), found, tasks=tasks)
