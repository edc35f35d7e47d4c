"""Runs become one table: a row for each model, arm and tree, the best first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from agent.values import Usage
from executor.grading.metrics import Estimate
from executor.values import Level
from experiments.compare.sides import Side
from experiments.documents import Document, Section, make_document_without_empty_sections, write_markdown
from experiments.files import write_atomically
from experiments.report.headline import Standing, describe_best_side_against_next, make_standing
from experiments.report.metrics import COMPARED, Figure, estimate_over_tasks, format_percent, make_decimal_formatter
from experiments.report.report_document import make_figure_columns
from experiments.report.run_report import make_report_row
from experiments.run.records import SampleRecord, encode_json_value
from experiments.tables import EXTRA, Column, Columns, Table, make_label_column, make_table
from index.errors import ConfigError
from index.user_files import StrictModel, explain_first_validation_problem, read_yaml

Breakdown = Literal["repository", "level"]


class Price(StrictModel):
    """What tokens of a model cost, where litellm doesn't know it: USD for a million."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


def read_prices(path: Path) -> dict[str, Price]:
    """Model -> price. Raises ConfigError that names the file, the model and the key."""
    prices: dict[str, Price] = {}
    for model, value in read_yaml(path, ConfigError).items():
        try:
            prices[model] = Price.model_validate(value)
        except ValidationError as error:
            raise ConfigError(f"{path}: {model}: {explain_first_validation_problem(error, Price)}") from error
    return prices


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A side's row. `figures` as in a report; `parts` holds pass@1 over each part of the tasks.
    `cost_per_solved`: USD of all samples over the number of those that passed; None where a price isn't known or
    nothing passed."""

    side: Side
    figures: Mapping[str, Figure]
    standing: Standing
    parts: Mapping[Breakdown, Mapping[str, Estimate]]
    cost_per_solved: float | None


def rank_sides_with_samples_into_rows(
    sides: Sequence[Side], prices: Mapping[str, Price]
) -> tuple[LeaderboardRow, ...]:
    """The sides by pass@1, the best first; equal ones by cost. A side without a counted sample has no row."""
    rows = [_make_leaderboard_row(side, prices) for side in sides if side.records]
    return tuple(
        sorted(
            rows,
            key=lambda row: (-row.standing.reached.value, row.standing.cost or 0.0, row.side.model, row.side.arm),
        )
    )


def _make_leaderboard_row(side: Side, prices: Mapping[str, Price]) -> LeaderboardRow:
    records, price = side.records, prices.get(side.model)
    if price is not None:
        records = tuple(replace(record, usage=_price_usage(record.usage, price)) for record in records)
    row = make_report_row(side.arm, "all", records)
    solved = sum(record.passed for record in records)
    return LeaderboardRow(
        side=side,
        figures=row.figures,
        standing=make_standing(side.name, records),
        parts={
            "repository": _estimate_pass_by_part(records, sorted({r.repo for r in records}), lambda r: r.repo),
            "level": _estimate_pass_by_part(records, [level.value for level in Level], lambda r: r.level),
        },
        cost_per_solved=row.get_number("cost") / solved if row.figures["cost"] is not None and solved else None,
    )


def _price_usage(usage: Usage, price: Price) -> Usage:
    return replace(usage, cost=(usage.prompt_tokens * price.input + usage.completion_tokens * price.output) / 1e6)


def _estimate_pass_by_part(
    records: Sequence[SampleRecord], names: Sequence[str], part_of: Callable[[SampleRecord], str]
) -> dict[str, Estimate]:
    return {
        name: estimate_over_tasks(chosen, COMPARED["pass@1"])
        for name in names
        if (chosen := [r for r in records if part_of(r) == name])
    }


def make_leaderboard_table(rows: Sequence[LeaderboardRow], by: Breakdown = "repository") -> Table:
    """A row for each side; a column for each repository, or each level, that any row has."""

    def make_part_cell_formatter(name: str) -> Callable[[LeaderboardRow], str]:
        return lambda row: format_percent(row.parts[by].get(name))

    names = dict.fromkeys(name for row in rows for name in row.parts[by])
    several = len({row.side.variant_names_or_original for row in rows}) > 1
    # Runs may differ in a setting that has no column, as in a study.
    alike = len({(row.side.model, row.side.arm, row.side.variant_names_or_original) for row in rows}) < len(rows)
    columns: dict[Column, Callable[[LeaderboardRow], str]] = {
        make_label_column("model"): lambda row: row.side.model,
        make_label_column("arm"): lambda row: row.side.arm + (", partial" if row.side.partial else ""),
        **({make_label_column("tree"): lambda row: row.side.variant_names_or_original} if several else {}),
        **({make_label_column("run"): lambda row: row.side.run.path.name} if alike else {}),
    }
    for column, cell in make_figure_columns(rows).items():
        # The official score of a side depends on its run's rules; `graft show` has it.
        if not column.title.startswith("official"):
            columns[column] = cell
        if column.title == "pass@1" and len(names) > 1:
            columns.update({Column(name): make_part_cell_formatter(name) for name in names})
    if any(row.cost_per_solved is not None for row in rows):
        columns[Column("USD/solved")] = lambda row: make_decimal_formatter(4)(row.cost_per_solved)
    columns[Column("samples", priority=EXTRA)] = lambda row: str(len(row.side.records))
    return make_table(rows, columns)


def make_leaderboard_document(rows: Sequence[LeaderboardRow], by: Breakdown = "repository") -> Document:
    """The table below the sentence that says which side is ahead."""
    judges = make_figure_columns(rows, "judges")
    priced = any(row.cost_per_solved is not None for row in rows)
    sides: Columns[LeaderboardRow] = {make_label_column("side"): lambda row: row.side.name}
    return make_document_without_empty_sections(
        "Leaderboard",
        describe_best_side_against_next([row.standing for row in rows]),
        "",
        [
            Section(
                "Models and arms",
                table=make_leaderboard_table(rows, by),
                items=(
                    "Figures in %, pass@1 with its 95 % interval over tasks. Rows whose tasks differ in number or kind"
                    " can't be ranked against each other: `graft compare` pairs them.",
                    *(("USD/solved: the price of all samples over those that passed.",) if priced else ()),
                    *describe_judges_and_false_pass_rates(rows),
                ),
            ),
        ],
        [
            Section(
                "Other judges",
                "How much would pass by looser and by stricter tests?",
                make_table(rows if judges else (), {**sides, **judges}),
            )
        ],
    )


def describe_judges_and_false_pass_rates(rows: Sequence[LeaderboardRow]) -> tuple[str, ...]:
    """Lines on what judged the answers: where it was the suites alone, and how many wrong bodies it lets pass."""
    by_suites = dict.fromkeys(f"{row.side.by_suites}." for row in rows if row.side.by_suites)
    rates = sorted(found.value for row in rows if isinstance(found := row.figures["false_pass"], Estimate))
    span = " to ".join(dict.fromkeys(f"{100 * rate:.1f}" for rate in (*rates[:1], *rates[-1:])))
    return (*by_suites, *((f"Of wrong bodies that look right these tests let pass {span} %.",) if span else ()))


def write_leaderboard_files(
    rows: Sequence[LeaderboardRow], by: Breakdown, json: Path | None, markdown: Path | None
) -> None:
    """Write all rows as JSON, and the table as Markdown."""
    if json is not None:
        write_atomically(
            json,
            b"[" + b",\n".join(encode_json_value(_merge_side_and_figures_into_dict(row)) for row in rows) + b"]\n",
        )
    if markdown is not None:
        write_markdown(markdown, make_leaderboard_document(rows, by))


def _merge_side_and_figures_into_dict(row: LeaderboardRow) -> dict[str, Any]:
    side = row.side
    return {
        "name": side.name,
        "model": side.model,
        "arm": side.arm,
        "tree": side.variant_names_or_original,
        "run": str(side.run.path),
        **row.figures,
        **{f"by_{what}": found for what, found in row.parts.items()},
        "cost_per_solved": row.cost_per_solved,
        "partial": side.partial,
    }
