"""The report as a person reads it in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from experiments.report.model import (
    CURVE_HEAD,
    Report,
    Row,
    causes,
    cells,
    curve_cells,
    head,
    judged_by,
    named,
    outcomes,
)
from experiments.run.attribution import cause_of, detail_of
from experiments.run.records import SampleRecord
from experiments.run.rounds import CostPoint
from experiments.run.validity import told


def print_report(console: Console, report: Report, *, levels: bool = False) -> None:
    """The table of arms, the repositories where there are several, on demand the levels, and what to know of it."""
    console.print(f"{report.model} on {report.dataset_version}, sandbox {report.sandbox}, {judged_by(report)}")
    console.print(_table("arm", (*report.rows, *report.valid_rows), report.k))
    groups = [("repository", report.by_repo), *([("level", report.by_level)] if levels else [])]
    for title, rows in groups:
        if len({row.group for row in rows}) > 1:
            console.print(_table(("arm", title), rows, report.k))
    for row in report.rows:
        cost = "unknown" if row.cost is None else f"{row.cost:.4f} USD"
        cpu = "" if row.build_cpu_s is None else f"; text to linked, median: {row.build_cpu_s:.2f} CPU-s"
        console.print(f"{row.arm}: {outcomes(row)}; cost {cost}{cpu}")
        if row.causes:
            console.print(f"{row.arm}: failed, by cause: {causes(row)}")
    if report.curves:
        console.print(_curves(report.curves))
    for line in report.left_out:
        console.print(f"left out: {line}", markup=False)
    if report.model_errors:
        console.print(
            f"{report.model_errors} samples ended in a model error and count as failed;"
            " graft run ... --retry-errors does them again",
        )
    if report.infra:
        console.print(f"{len(report.infra)} infrastructure errors, scored nowhere; run again to retry:")
        for line in report.infra[:5]:
            console.print(f"  {line}", markup=False)
    if report.flagged:
        console.print(f"{len(report.flagged)} samples are flagged for review (report.md lists them)")
    for one in report.validity:
        console.print(told(one), markup=False)
    listed = " (report.md lists those that aren't valid)" if report.not_valid else ""
    console.print(f"Intervals: 95 % over tasks{listed}.", style="dim")
    console.print(f"Full record: {report.run} (report.md, report.json, journal.jsonl; graft show {report.run} TASK)")


def print_samples(console: Console, records: Iterable[SampleRecord]) -> None:
    table = Table(box=None, pad_edge=False)
    for column in ("task", "arm", "sample", "outcome", "tier", "official", "exact", "cause", "about"):
        table.add_column(column, overflow="fold")
    for record in records:
        verdict = record.graft.verdict
        table.add_row(
            record.task_id,
            record.arm,
            str(record.sample),
            verdict.outcome.value,
            verdict.tier.value,
            record.official.verdict.outcome.value,
            "yes" if record.graft.exact_match else "no",
            cause_of(record),
            escape(detail_of(record)[:100]),
        )
    console.print(table)


def _curves(points: Sequence[CostPoint]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in CURVE_HEAD:
        table.add_column(column, justify="left" if column in ("arm", "stopped after") else "right", no_wrap=True)
    for point in points:
        table.add_row(*curve_cells(point))
    return table


def _table(names: str | tuple[str, str], rows: Sequence[Row], k: int) -> Table:
    table = Table(box=None, pad_edge=False)
    keys = (names,) if isinstance(names, str) else names
    for column in (*keys, *head(k)):
        table.add_column(column, justify="left" if column in keys else "right", no_wrap=True)
    for row in rows:
        lead = (named(row),) if len(keys) == 1 else (row.arm, row.group)
        table.add_row(*lead, *cells(row, k))
    return table
