"""A comparison as a document, and in files."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from experiments.compare.pairs import Comparison, EqualCost, Pair
from experiments.compare.sides import Side
from experiments.documents import Document, Section, make_document_without_empty_sections, write_markdown
from experiments.files import write_atomically
from experiments.report.headline import Standing, describe_winner_and_lead, make_standing
from experiments.report.metrics import MISSING, format_points_with_interval
from experiments.run.records import encode_json_value
from experiments.tables import EXTRA, MAIN, Column, Columns, Table, make_label_column, make_table

PAIR_COLUMNS: Columns[Pair] = {
    make_label_column("first"): lambda pair: pair.first,
    make_label_column("second"): lambda pair: pair.second,
    Column("tasks"): lambda pair: str(pair.difference.tasks),
    Column("first %", priority=EXTRA): lambda pair: f"{100 * pair.difference.first:.1f}",
    Column("second %", priority=EXTRA): lambda pair: f"{100 * pair.difference.second:.1f}",
    Column("difference", priority=MAIN): lambda pair: format_points_with_interval(pair.difference),
    Column("p", priority=EXTRA): lambda pair: f"{pair.difference.p:.3g}",
    Column("p (Holm)", priority=MAIN): lambda pair: f"{pair.p_holm:.3g}",
    Column("only first"): lambda pair: str(len(pair.first_only)),
    Column("only second"): lambda pair: str(len(pair.second_only)),
    Column("seen from"): lambda pair: MISSING if math.isnan(pair.seen_from) else f"{100 * pair.seen_from:.0f}",
}


def make_comparison_document(
    comparison: Comparison, sides: Sequence[Side], *, list_one_sided_tasks: bool = False
) -> Document:
    """All of the comparison; `list_one_sided_tasks` adds who solved what the other didn't."""
    runs = {name: shlex.quote(run) for name, _, run in comparison.sides}
    count = len(comparison.pairs)
    corrected = f" p (Holm): corrected for {count} comparisons." if count > 1 else ""
    solved = [
        Section(
            f"Solved by {winner} and not by {loser}",
            "How did the one do it, and why did the other fail?",
            items=tuple(f"{task}: graft show {runs[winner]} {task}; graft show {runs[loser]} {task}" for task in only),
        )
        for pair in comparison.pairs
        for winner, loser, only in (
            (pair.first, pair.second, pair.first_only),
            (pair.second, pair.first, pair.second_only),
        )
    ]
    return make_document_without_empty_sections(
        f"{comparison.figure}: {len(comparison.sides)} sides compared",
        _describe_best_pair(comparison, sides),
        "",
        [
            Section(
                "Pairs",
                table=make_table(comparison.pairs, PAIR_COLUMNS),
                items=(
                    f"difference: first - second, in points of {comparison.figure}.{corrected}",
                    _describe_smallest_detectable_difference(comparison),
                    *comparison.notes,
                    *(
                        f"{pair.first} and {pair.second}: {pair.left_out} tasks have samples on one side alone, and"
                        " count in none"
                        for pair in comparison.pairs
                        if pair.left_out
                    ),
                ),
            ),
            Section(
                "At equal cost",
                "What if the cheaper side is drawn again until an answer builds, for the price of the dearer side?",
                table=_make_equal_cost_table(comparison),
            ),
            *(solved if list_one_sided_tasks else ()),
        ],
        [
            Section(
                "How it is computed",
                "What do the columns mean?",
                items=(
                    f"Only tasks that both sides have count. {comparison.method}.",
                    "only first, only second: tasks that one side solved in a sample, and the other in none.",
                    "seen from: a smaller true difference, in points, would be missed in more than one run of five.",
                ),
            )
        ],
    )


def _describe_best_pair(comparison: Comparison, sides: Sequence[Side]) -> tuple[str, ...]:
    """The pair of the best side whose other side comes next."""
    standings = {side.name: make_standing(side.name, side.records, comparison.figure) for side in sides}

    def sort_pair_standings_best_first(pair: Pair) -> list[Standing]:
        return sorted((standings[pair.first], standings[pair.second]), key=lambda side: -side.reached.value)

    pair = max(
        comparison.pairs, key=lambda pair: [side.reached.value for side in sort_pair_standings_best_first(pair)]
    )
    best, other = sort_pair_standings_best_first(pair)
    value = pair.difference.value if best.name == pair.first else -pair.difference.value
    return describe_winner_and_lead(
        best, other, replace(pair.difference, value=value, p=pair.p_holm), comparison.figure
    )


def write_comparison_files(
    comparison: Comparison, sides: Sequence[Side], json: Path | None, markdown: Path | None
) -> None:
    """Write all of it as JSON, and as Markdown with the tasks."""
    if json is not None:
        write_atomically(json, encode_json_value(comparison, indent=1))
    if markdown is not None:
        write_markdown(markdown, make_comparison_document(comparison, sides, list_one_sided_tasks=True))


def _describe_smallest_detectable_difference(comparison: Comparison) -> str:
    pair = max(comparison.pairs, key=lambda pair: pair.difference.tasks)
    if math.isnan(pair.seen_from):
        return f"seen from: {pair.difference.tasks} tasks are too few to show any difference at the 5 % level."
    return (
        f"seen from: with these {pair.difference.tasks} tasks a true difference under"
        f" {100 * pair.seen_from:.0f} points would be missed in more than one run of five."
    )


def _make_equal_cost_table(comparison: Comparison) -> Table:
    columns: Columns[tuple[Pair, EqualCost]] = {
        make_label_column("first"): lambda item: item[0].first,
        make_label_column("second"): lambda item: item[0].second,
        make_label_column("cost"): lambda item: item[1].cost,
        make_label_column("drawn again"): lambda item: item[1].cheaper,
        Column("draws"): lambda item: f"{item[1].draws}{' (all)' if item[1].whole else ''}",
        Column("spent"): lambda item: f"{item[1].spent:.4g} of {item[1].budget:.4g}",
        Column("difference", priority=MAIN): lambda item: format_points_with_interval(item[1].difference),
        Column("p"): lambda item: f"{item[1].difference.p:.3g}",
    }
    return make_table([(pair, equal) for pair in comparison.pairs for equal in pair.equal_cost], columns)
