"""A comparison in a terminal, as Markdown and as JSON."""

from __future__ import annotations

import math
from pathlib import Path

from rich.console import Console

from experiments.compare.pairs import Comparison, EqualCost, Pair
from experiments.files import write_atomically
from experiments.report.layout import Columns, Document, Section, TextTable, make_table
from experiments.report.metrics import points
from experiments.report.render import print_table, to_markdown
from experiments.run.records import dumps

PAIR_COLUMNS: Columns[Pair] = {
    "first": lambda pair: pair.first,
    "second": lambda pair: pair.second,
    "tasks": lambda pair: str(pair.difference.tasks),
    "first %": lambda pair: f"{100 * pair.difference.first:.1f}",
    "second %": lambda pair: f"{100 * pair.difference.second:.1f}",
    "difference": lambda pair: points(pair.difference),
    "p": lambda pair: f"{pair.difference.p:.3g}",
    "p (Holm)": lambda pair: f"{pair.p_holm:.3g}",
    "only first": lambda pair: str(len(pair.first_only)),
    "only second": lambda pair: str(len(pair.second_only)),
    "seen from": lambda pair: "-" if math.isnan(pair.seen_from) else f"{100 * pair.seen_from:.0f}",
}


def comparison_document(comparison: Comparison, *, tasks: bool = False) -> Document:
    """All of the comparison; `tasks` adds who solved what the other didn't."""
    runs = {name: run for name, _, run in comparison.sides}
    sections = [
        Section("Pairs", table=make_table(comparison.pairs, PAIR_COLUMNS, labels=2)),
        Section(
            "How to read it",
            items=(
                f"difference: first - second in points of {comparison.figure}, over the tasks that both have."
                f" {comparison.method}.",
                f"p (Holm): corrected for {len(comparison.pairs)} comparisons.",
                "only first, only second: tasks solved by one side in at least one sample and by the other in none.",
                *_power(comparison),
            ),
        ),
        Section(
            "At equal cost",
            "The cheaper side is drawn again until an answer builds, for what a task costs the dearer side.",
            table=_equal_cost(comparison),
        ),
        Section("What to know", items=(*comparison.notes, *_left_out(comparison))),
    ]
    if tasks:
        sections += [
            Section(
                f"Solved by {winner} and not by {loser}",
                items=tuple(
                    f"{task}: graft show {runs[winner]} {task}; graft show {runs[loser]} {task}" for task in only
                ),
            )
            for pair in comparison.pairs
            for winner, loser, only in (
                (pair.first, pair.second, pair.first_only),
                (pair.second, pair.first, pair.second_only),
            )
        ]
    title = f"{comparison.figure}: {len(comparison.sides)} sides compared"
    shown = tuple(s for s in sections if s.items or (s.table is not None and s.table.rows))
    return Document(title, "", title, shown)


def print_comparison(console: Console, comparison: Comparison, *, tasks: bool = False) -> None:
    """The tables, then the lines that say how to read them."""
    for number, section in enumerate(comparison_document(comparison, tasks=tasks).sections):
        if number:
            console.print(f"\n{section.title}", style="bold", markup=False)
        if section.text:
            console.print(section.text, style="dim", markup=False)
        if section.table is not None:
            print_table(console, section.table)
        for line in section.items:
            console.print(f"- {line}", markup=False, highlight=False)


def keep_comparison(comparison: Comparison, json: Path | None, markdown: Path | None) -> None:
    """Write all of it as JSON, and as Markdown with the tasks."""
    if json is not None:
        write_atomically(json, dumps(comparison, indent=1))
    if markdown is not None:
        text = to_markdown(comparison_document(comparison, tasks=True))
        write_atomically(markdown, text.encode("utf-8", "backslashreplace"))


def _power(comparison: Comparison) -> list[str]:
    pair = max(comparison.pairs, key=lambda pair: pair.difference.tasks)
    if math.isnan(pair.seen_from):
        return [f"seen from: {pair.difference.tasks} tasks are too few to show any difference at the 5 % level."]
    return [
        f"seen from: with these {pair.difference.tasks} tasks a true difference under"
        f" {100 * pair.seen_from:.0f} points would be missed in more than one run of five."
    ]


def _left_out(comparison: Comparison) -> list[str]:
    return [
        f"{pair.first} and {pair.second}: {pair.left_out} tasks have samples on one side alone, and count in none"
        for pair in comparison.pairs
        if pair.left_out
    ]


def _equal_cost(comparison: Comparison) -> TextTable:
    columns: Columns[tuple[Pair, EqualCost]] = {
        "first": lambda item: item[0].first,
        "second": lambda item: item[0].second,
        "cost": lambda item: item[1].cost,
        "drawn again": lambda item: item[1].cheaper,
        "draws": lambda item: f"{item[1].draws}{' (all)' if item[1].whole else ''}",
        "spent": lambda item: f"{item[1].spent:.4g} of {item[1].budget:.4g}",
        "difference": lambda item: points(item[1].difference),
        "p": lambda item: f"{item[1].difference.p:.3g}",
    }
    return make_table(((pair, equal) for pair in comparison.pairs for equal in pair.equal_cost), columns, labels=4)
