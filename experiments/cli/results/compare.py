"""graft compare and graft leaderboard: arms, models and runs against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from experiments.cli.options import ShownColumns
from experiments.consoles import stdout


def compare(
    sides: Annotated[
        list[str],
        typer.Argument(metavar="RUN[:ARM]...", help="The folder of a run, for all its arms; or one arm of it."),
    ],
    arms: Annotated[str, typer.Option(help="Only these arms of the runs, separated by commas.")] = "",
    figure: Annotated[Literal["pass@1", "built", "exact"], typer.Option(help="The figure to compare.")] = "pass@1",
    baseline: Annotated[
        str, typer.Option(help="Compare each side only with this one: its arm, its name, or its number.")
    ] = "",
    valid: Annotated[bool, typer.Option("--valid", help="Only the tasks that graft doctor found valid.")] = False,
    tasks: Annotated[
        bool, typer.Option("--tasks", help="List the tasks that one side solved and the other didn't.")
    ] = False,
    details: Annotated[
        bool, typer.Option("--details", help="Say what each column is and how it is computed.")
    ] = False,
    columns: ShownColumns = "fit",
    json: Annotated[Path | None, typer.Option("--json", help="Also write all figures to this file.")] = None,
    markdown: Annotated[Path | None, typer.Option("--markdown", help="Also write the tables to this file.")] = None,
) -> None:
    """Compare arms, models or runs, task by task.

    For each pair of sides: the difference with its 95 % interval, the p-value of an exact test, corrected for the
    number of pairs, the same at equal cost, and the smallest difference that these tasks could show
    (docs/decisions/statistics.md says how each is computed)."""
    from experiments.compare.pairs import compare as compare_sides
    from experiments.compare.show import comparison_document, keep_comparison
    from experiments.compare.sides import read_sides
    from experiments.documents import print_document

    wanted = [arm.strip() for arm in arms.split(",") if arm.strip()]
    read = read_sides(sides, wanted, valid=valid)
    found = compare_sides(read, figure, baseline)
    keep_comparison(found, read, json, markdown)
    document = comparison_document(found, read, tasks=tasks)
    print_document(stdout(every_column=columns == "all"), document, details=details)


def leaderboard(
    sides: Annotated[
        list[str],
        typer.Argument(metavar="RUN[:ARM]...", help="The folder of a run, for all its arms; or one arm of it."),
    ],
    arms: Annotated[str, typer.Option(help="Only these arms of the runs, separated by commas.")] = "",
    by: Annotated[
        Literal["repository", "level"], typer.Option(help="Add a column for each repository, or for each level.")
    ] = "repository",
    valid: Annotated[bool, typer.Option("--valid", help="Only the tasks that graft doctor found valid.")] = False,
    prices: Annotated[
        Path | None,
        typer.Option(
            help="A YAML file of prices in USD for a million tokens: `openai/mine: {input: 0.5, output: 1.5}`."
        ),
    ] = None,
    details: Annotated[bool, typer.Option("--details", help="Also print what other judges would say.")] = False,
    columns: ShownColumns = "fit",
    json: Annotated[Path | None, typer.Option("--json", help="Also write all figures to this file.")] = None,
    markdown: Annotated[Path | None, typer.Option("--markdown", help="Also write the table to this file.")] = None,
) -> None:
    """Rank the models and arms of many runs in one table.

    It has the cost of a solved task. Prices are those that the runs recorded, which litellm knows; --prices gives
    those of other models."""
    from experiments.compare.leaderboard import keep_leaderboard, leaderboard_document
    from experiments.compare.leaderboard import leaderboard as rank
    from experiments.compare.prices import read_prices
    from experiments.compare.sides import read_sides
    from experiments.documents import print_document

    wanted = [arm.strip() for arm in arms.split(",") if arm.strip()]
    known = read_prices(prices) if prices is not None else {}
    places = rank(read_sides(sides, wanted, valid=valid, fewest=1), known)
    keep_leaderboard(places, by, json, markdown)
    print_document(stdout(every_column=columns == "all"), leaderboard_document(places, by), details=details)
