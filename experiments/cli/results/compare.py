"""graft compare and graft leaderboard: arms, models and runs against each other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from experiments.cli.options import ShownColumns, make_options_command_decorator, split_comma_list_without_repeats
from experiments.consoles import make_stdout_console


@dataclass(frozen=True, kw_only=True)
class SideOptions:
    """Which sides are ranked or compared, and how that is shown."""

    sides: Annotated[
        list[str],
        typer.Argument(metavar="RUN[:ARM]...", help="The folder of a run, for all its arms; or one arm of it."),
    ]
    arms: Annotated[str, typer.Option(help="Only these arms of the runs, separated by commas.")] = ""
    valid: Annotated[bool, typer.Option("--valid", help="Only the tasks that graft doctor found valid.")] = False
    details: Annotated[
        bool, typer.Option("--details", help="Also print what explains the table: columns, other judges, tasks.")
    ] = False
    columns: ShownColumns = "fit"
    json: Annotated[Path | None, typer.Option("--json", help="Also write all figures to this file.")] = None
    markdown: Annotated[Path | None, typer.Option("--markdown", help="Also write the tables to this file.")] = None


@dataclass(frozen=True, kw_only=True)
class CompareOptions(SideOptions):
    """What `graft compare` takes."""

    figure: Annotated[Literal["pass@1", "built", "exact"], typer.Option(help="The figure to compare.")] = "pass@1"
    baseline: Annotated[
        str, typer.Option(help="Compare each side only with this one: its arm, its name, or its number.")
    ] = ""
    list_tasks: Annotated[
        bool, typer.Option("--list-tasks", help="List the tasks that one side solved and the other didn't.")
    ] = False


@dataclass(frozen=True, kw_only=True)
class LeaderboardOptions(SideOptions):
    """What `graft leaderboard` takes."""

    by: Annotated[
        Literal["repository", "level"], typer.Option(help="Add a column for each repository, or for each level.")
    ] = "repository"
    prices: Annotated[
        Path | None,
        typer.Option(
            help="A YAML file of prices in USD for a million tokens: `openai/mine: {input: 0.5, output: 1.5}`."
        ),
    ] = None


@make_options_command_decorator(CompareOptions)
def compare(options: CompareOptions) -> None:
    """Compare arms, models or runs, task by task.

    For each pair of sides: the difference with its 95 % interval, the p-value of an exact test, corrected for the
    number of pairs, the same at equal cost, and the smallest difference that these tasks could show
    (docs/decisions/statistics.md says how each is computed)."""
    from experiments.compare.comparison_document import make_comparison_document, write_comparison_files
    from experiments.compare.pairs import compare_sides
    from experiments.compare.sides import read_sides
    from experiments.documents import print_document

    read = read_sides(options.sides, split_comma_list_without_repeats(options.arms), valid=options.valid)
    found = compare_sides(read, options.figure, options.baseline)
    write_comparison_files(found, read, options.json, options.markdown)
    document = make_comparison_document(found, read, list_one_sided_tasks=options.list_tasks)
    print_document(make_stdout_console(every_column=options.columns == "all"), document, details=options.details)


@make_options_command_decorator(LeaderboardOptions)
def leaderboard(options: LeaderboardOptions) -> None:
    """Rank the models and arms of many runs in one table.

    It has the cost of a solved task. Prices are those that the runs recorded, which litellm knows; --prices gives
    those of other models."""
    from experiments.compare.leaderboard import (
        make_leaderboard_document,
        rank_sides_with_samples_into_rows,
        read_prices,
        write_leaderboard_files,
    )
    from experiments.compare.sides import read_sides
    from experiments.documents import print_document

    known = read_prices(options.prices) if options.prices is not None else {}
    sides = read_sides(options.sides, split_comma_list_without_repeats(options.arms), valid=options.valid, fewest=1)
    places = rank_sides_with_samples_into_rows(sides, known)
    write_leaderboard_files(places, options.by, options.json, options.markdown)
    document = make_leaderboard_document(places, options.by)
    print_document(make_stdout_console(every_column=options.columns == "all"), document, details=options.details)
