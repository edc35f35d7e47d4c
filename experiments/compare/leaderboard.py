"""Runs become one table: a row for each model, arm and tree, the best first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Literal

from executor.grading.metrics import Estimate, estimate
from executor.values import Level
from experiments.compare.prices import Price, cost_of
from experiments.compare.sides import Side
from experiments.files import write_atomically
from experiments.report.layout import Columns, Document, Section, TextTable, make_table
from experiments.report.metrics import (
    COMPARED,
    MISSING,
    Value,
    false_pass,
    passed_plus,
    passed_same,
    percent,
    percent_with_interval,
    plus_false_pass,
    plus_solved_at_least,
    solved_at_least,
    task_means,
)
from experiments.report.render import to_markdown
from experiments.run.records import SampleRecord, dumps

Breakdown = Literal["repository", "level"]


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A row. `name` is the side's. `by_repository` and `by_level` hold pass@1 over a part of the tasks.
    `cost_per_solved`: USD of all samples over the number of those that passed; None where a price isn't known or
    nothing passed. `tokens`: in and out, a mean per sample."""

    name: str
    model: str
    arm: str
    tree: str
    run: str
    samples: int
    pass_at_1: Estimate
    passed_plus: Estimate
    passed_same: Estimate
    false_pass: Estimate
    solved_at_least: Estimate
    plus_false_pass: Estimate
    plus_solved_at_least: Estimate
    built: Estimate
    by_repository: Mapping[str, Estimate]
    by_level: Mapping[str, Estimate]
    tokens: float
    cost: float | None
    cost_per_solved: float | None
    partial: str


def leaderboard(sides: Sequence[Side], prices: Mapping[str, Price]) -> tuple[LeaderboardRow, ...]:
    """The sides by pass@1, the best first; equal ones by cost. A side without a counted sample has no row."""
    rows = [_row(side, prices) for side in sides if side.records]
    return tuple(sorted(rows, key=lambda row: (-row.pass_at_1.value, row.cost or 0.0, row.model, row.arm)))


def _row(side: Side, prices: Mapping[str, Price]) -> LeaderboardRow:
    costs = [cost_of(record.usage, side.model, prices) for record in side.records]
    cost = None if None in costs else sum(price for price in costs if price is not None)
    solved = sum(record.passed for record in side.records)
    levels = [level.value for level in Level]
    return LeaderboardRow(
        name=side.name,
        model=side.model,
        arm=side.arm,
        tree=side.tree,
        run=str(side.run),
        samples=len(side.records),
        pass_at_1=mean_over_tasks(side.records, COMPARED["pass@1"]),
        passed_plus=passed_plus(side.records),
        passed_same=passed_same(side.records),
        false_pass=false_pass(side.records),
        solved_at_least=solved_at_least(side.records),
        plus_false_pass=plus_false_pass(side.records),
        plus_solved_at_least=plus_solved_at_least(side.records),
        built=mean_over_tasks(side.records, COMPARED["built"]),
        by_repository=_parts(side.records, sorted({r.repo for r in side.records}), lambda record: record.repo),
        by_level=_parts(side.records, levels, lambda record: record.level),
        tokens=fmean(record.usage.prompt_tokens + record.usage.completion_tokens for record in side.records),
        cost=cost,
        cost_per_solved=None if cost is None or not solved else cost / solved,
        partial=side.partial,
    )


def _parts(
    records: Sequence[SampleRecord], names: Sequence[str], part_of: Callable[[SampleRecord], str]
) -> dict[str, Estimate]:
    return {
        name: mean_over_tasks(chosen, COMPARED["pass@1"])
        for name in names
        if (chosen := [r for r in records if part_of(r) == name])
    }


def mean_over_tasks(records: Sequence[SampleRecord], value: Value) -> Estimate:
    """Over tasks, each the mean of its samples."""
    return estimate(list(task_means(records, value).values()))


def leaderboard_table(rows: Sequence[LeaderboardRow], by: Breakdown = "repository") -> TextTable:
    """A row for each side; a column for each repository, or each level, that any row has."""

    def parts(row: LeaderboardRow) -> Mapping[str, Estimate]:
        return row.by_repository if by == "repository" else row.by_level

    def part(name: str) -> Callable[[LeaderboardRow], str]:
        return lambda row: percent(parts(row)[name]) if name in parts(row) else MISSING

    names = dict.fromkeys(name for row in rows for name in parts(row))
    several = len({row.tree for row in rows}) > 1
    # Runs may differ in a setting that has no column, as in a study.
    alike = len({(row.model, row.arm, row.tree) for row in rows}) < len(rows)
    columns: Columns[LeaderboardRow] = {
        "model": lambda row: row.model,
        "arm": lambda row: row.arm + (", partial" if row.partial else ""),
        **({"tree": lambda row: row.tree} if several else {}),
        **({"run": lambda row: Path(row.run).name} if alike else {}),
        "tasks": lambda row: str(row.pass_at_1.tasks),
        "samples": lambda row: str(row.samples),
        "pass@1": lambda row: percent_with_interval(row.pass_at_1),
        **{title: _shown(measure) for title, measure in _STRICTER.items() if any(measure(p).tasks for p in rows)},
        "built": lambda row: percent(row.built),
        **({name: part(name) for name in names} if len(names) > 1 else {}),
        "tokens": lambda row: f"{row.tokens:.0f}",
        "USD": lambda row: MISSING if row.cost is None else f"{row.cost:.2f}",
        "USD/solved": lambda row: MISSING if row.cost_per_solved is None else f"{row.cost_per_solved:.4f}",
    }
    return make_table(rows, columns, labels=2 + several + alike)


def _shown(measure: Callable[[LeaderboardRow], Estimate]) -> Callable[[LeaderboardRow], str]:
    return lambda row: percent_with_interval(measure(row))


# A column stands where any row has the figure.
_STRICTER: Mapping[str, Callable[[LeaderboardRow], Estimate]] = {
    "+ plus": lambda row: row.passed_plus,
    "+ same as gold": lambda row: row.passed_same,
    "wrong pass": lambda row: row.false_pass,
    "solved, at least": lambda row: row.solved_at_least,
    "wrong pass + plus": lambda row: row.plus_false_pass,
    "solved + plus, at least": lambda row: row.plus_solved_at_least,
}


def keep_leaderboard(rows: Sequence[LeaderboardRow], by: Breakdown, json: Path | None, markdown: Path | None) -> None:
    """Write all rows as JSON, and the table as Markdown."""
    if json is not None:
        write_atomically(json, b"[" + b",\n".join(map(dumps, rows)) + b"]\n")
    if markdown is not None:
        section = Section("Models and arms", table=leaderboard_table(rows, by))
        text = to_markdown(Document("Leaderboard", LEGEND, "", (section,)))
        write_atomically(markdown, text.encode("utf-8", "backslashreplace"))


LEGEND = (
    "Figures in %, pass@1 with its 95 % interval over tasks. Rows whose tasks differ in number or kind can't be ranked"
    " against each other: `graft compare` pairs them. USD/solved: the price of all samples over those that passed."
    " wrong pass: of wrong bodies, those that the same suites let pass; solved, at least: pass@1 without what may be"
    " passed so. + plus: what also passes Graft's own further tests; + same as gold: and does the same at each call."
)
