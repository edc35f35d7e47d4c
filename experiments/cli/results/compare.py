"""graft compare and graft leaderboard: arms, models and runs against each other."""

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
    equal cost, and how small a difference these tasks can show. Intervals are Newcombe's, not a bootstrap's, which
    with few tasks covers the truth too seldom (docs/decisions/statistics.md)."""
    from experiments.compare.pairs import compare as compare_sides
    from experiments.compare.show import keep_comparison, print_comparison
    from experiments.compare.sides import read_sides

    wanted = [arm.strip() for arm in arms.split(",") if arm.strip()]
    found = compare_sides(read_sides(sides, wanted, valid=valid), figure, baseline)
    keep_comparison(found, json, markdown)
    print_comparison(stdout(), found, tasks=tasks)


def leaderboard(
    sides: Annotated[
        list[str], typer.Argument(metavar="RUN[:ARM]...", help="Runs' folders with all their arms, or single arms.")
    ],
    arms: Annotated[str, typer.Option(help="Only these arms of the runs, divided by commas.")] = "",
    by: Annotated[Literal["repository", "level"], typer.Option(help="The parts that have columns.")] = "repository",
    valid: Annotated[bool, typer.Option("--valid", help="Only the tasks that graft doctor found valid.")] = False,
    prices: Annotated[
        Path | None,
        typer.Option(help="A file of lines as `openai/mine: {input: 0.5, output: 1.5}`, USD for a million tokens."),
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="Write all figures to this file too.")] = None,
    markdown: Annotated[Path | None, typer.Option("--markdown", help="Write the table to this file too.")] = None,
) -> None:
    """Rank models and arms of many runs in one table, with what a solved task costs.

    Prices come from the runs (litellm's); --prices names those of models that litellm doesn't know."""
    from experiments.compare.leaderboard import LEGEND, keep_leaderboard, leaderboard_table
    from experiments.compare.leaderboard import leaderboard as rank
    from experiments.compare.prices import read_prices
    from experiments.compare.sides import read_sides
    from experiments.report.render import print_table

    wanted = [arm.strip() for arm in arms.split(",") if arm.strip()]
    known = read_prices(prices) if prices is not None else {}
    places = rank(read_sides(sides, wanted, valid=valid, fewest=1), known)
    keep_leaderboard(places, by, json, markdown)
    print_table(stdout(), leaderboard_table(places, by))
    stdout().print(LEGEND, style="dim", markup=False)
