"""What the plots of sides show, as data: `graft export` draws them in a page and for papers."""

from __future__ import annotations

import bisect
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from executor.grading.metrics import Estimate
from executor.values import Level
from experiments.compare.leaderboard import LeaderboardRow
from experiments.compare.sides import Side
from experiments.report.by_holes import HolesRow, describe_half_pass_hole_counts, make_rows_by_hole_count_if_multi_hole
from experiments.report.metrics import COMPARED, estimate_over_tasks
from experiments.run.records import SampleRecord
from experiments.run.sampling.rounds import make_repair_or_sample_cost_curve

# The upper ends of groups of samples by the share of true callees that the model saw, and their names.
_RECALL = ((0.0, "none"), (0.499, "under half"), (0.999, "half or more"), (1.0, "all"))
# A logarithmic axis from this ratio of the largest to the smallest on.
_WIDE = 8


@dataclass(frozen=True, slots=True)
class Point:
    """pass@1, or what the chart's `y_title` says, of `samples` samples of a side. `label` names a category, or says
    what x is. An estimate whose low and high are NaN has no interval."""

    side: str
    label: str
    x: float
    passed: Estimate
    samples: int


@dataclass(frozen=True, slots=True)
class Chart:
    """`name` can be a file's. `note` says in a sentence or two how to read it. scale: x is a category (its number from
    0), a number, or a number on a logarithmic axis. `lines`: a side's points belong together. `shares`: what
    is plotted is a share of 1."""

    name: str
    title: str
    x_title: str
    points: tuple[Point, ...]
    note: str = ""
    scale: Literal["category", "linear", "log"] = "category"
    lines: bool = False
    y_title: str = "pass@1"
    shares: bool = True


def make_charts(rows: Sequence[LeaderboardRow]) -> tuple[Chart, ...]:
    """The charts that these sides have data for. Points stand in the order of the rows."""
    sides = [row.side for row in rows]
    levels = [level.value for level in Level if any(record.level == level for s in sides for record in s.records)]
    repos = sorted({record.repo for side in sides for record in side.records})
    found = [_chart_pass_by_cost_or_tokens(rows)]
    if len(levels) > 1:
        points = _make_points_by_group(sides, levels, lambda record: levels.index(record.level))
        found.append(Chart("level", "By level", "how far away the true callees lie", points))
    if len(repos) > 1:
        points = _make_points_by_group(sides, repos, lambda record: repos.index(record.repo))
        found.append(Chart("repository", "By repository", "repository", points))
    found += [
        _chart_pass_by_tokens_until_stopped(sides),
        _chart_pass_by_context_budget_if_varied(sides) or _chart_pass_by_context_size(sides),
        _chart_pass_by_callee_recall(sides),
    ]
    return tuple(chart for chart in (*found, *_chart_figures_by_hole_count(sides)) if chart.points)


def _chart_pass_by_cost_or_tokens(rows: Sequence[LeaderboardRow]) -> Chart:
    """By price where every side's is known, else by tokens."""
    dollars = all(row.standing.cost for row in rows)
    points = []
    for row in rows:
        x = (row.standing.cost or 0.0) if dollars else row.standing.tokens
        words = f"{x:.4f} USD" if dollars else f"{x:.0f} tokens"
        points.append(Point(row.side.name, words, x, row.standing.reached, len(row.side.records)))
    x_title = f"{'USD' if dollars else 'tokens, in and out,'} per sample"
    note = "Up and to the left is better."
    return Chart("cost", "Cost against pass@1", x_title, tuple(points), note, _choose_scale(points))


def _chart_pass_by_tokens_until_stopped(sides: Sequence[Side]) -> Chart:
    points = [
        Point(
            side.name,
            point.stopped_after,
            point.tokens,
            Estimate(point.passed, math.nan, math.nan, point.tasks),
            len(side.records),
        )
        for side in sides
        for point in make_repair_or_sample_cost_curve(side.arm, side.records)
    ]
    note = "What each arm would have scored had it stopped earlier, over the tokens spent until then."
    title = "Rounds of repair, samples drawn anew"
    return Chart("rounds", title, "tokens per task", tuple(points), note, _choose_scale(points), lines=True)


def _chart_pass_by_context_budget_if_varied(sides: Sequence[Side]) -> Chart | None:
    """By the runs' context budgets; None where no arm has several."""
    alike: dict[tuple[str, str, str], list[tuple[int, Side]]] = defaultdict(list)
    for side in sides:
        budget = int(side.run.manifest.config.get("context_tokens", 0))
        alike[side.model, side.arm, side.variant_names_or_original].append((budget, side))
    parts = 3 if len({tree for _, _, tree in alike}) > 1 else 2
    points = [
        Point(" ".join(key[:parts]), f"{budget} tokens", budget, _estimate_pass_at_1(side.records), len(side.records))
        for key, found in alike.items()
        if len({budget for budget, _ in found}) > 1
        for budget, side in sorted(found, key=lambda item: item[0])
    ]
    if not points:
        return None
    title, x_title = "By context budget", "context budget in tokens"
    return Chart("context", title, x_title, tuple(points), scale="linear", lines=True)


def _chart_pass_by_context_size(sides: Sequence[Side]) -> Chart:
    sizes = sorted(record.context_tokens for side in sides for record in side.records if record.context_tokens)
    edges = [_round_up_to_two_digits(sizes[len(sizes) * part // 3 - 1]) for part in (1, 2, 3)] if sizes else []

    def find_context_size_group(record: SampleRecord) -> int:
        return bisect.bisect_left(edges[:2], record.context_tokens) + 1 if record.context_tokens else 0

    points = (
        _make_points_by_group(sides, ["no context", *(f"to {edge}" for edge in edges)], find_context_size_group)
        if edges
        else ()
    )
    note = "The samples by the context that each was shown, in tokens. Larger contexts go with harder tasks, too."
    return Chart("context", "By size of the context", "tokens of context", points, note)


def _round_up_to_two_digits(tokens: int) -> int:
    unit = int(10 ** max(len(str(tokens)) - 2, 0))
    return math.ceil(tokens / unit) * unit


def _chart_pass_by_callee_recall(sides: Sequence[Side]) -> Chart:
    def find_recall_group(record: SampleRecord) -> int | None:
        share = measure_callee_recall(record)
        return None if share is None else next(n for n, (end, _) in enumerate(_RECALL) if share <= end)

    points = _make_points_by_group(sides, [name for _, name in _RECALL], find_recall_group)
    note = "The samples by the share of the true callees that the model saw. Tasks without callees are left out."
    return Chart("recall", "Retrieval recall against success", "true callees seen", points, note)


def measure_callee_recall(record: SampleRecord) -> float | None:
    """The share of the true callees that the model saw; None where there is none, or none is known."""
    callees = record.callees
    return len(callees.shown) / len(callees.needed) if callees.known and callees.needed else None


def _make_points_by_group(
    sides: Sequence[Side], group_names: Sequence[str], group_of: Callable[[SampleRecord], int | None]
) -> tuple[Point, ...]:
    """A point for each side and group that has samples."""
    points = []
    for side in sides:
        groups: dict[int, list[SampleRecord]] = defaultdict(list)
        for record in side.records:
            group = group_of(record)
            if group is not None:
                groups[group].append(record)
        points += [
            Point(side.name, group_names[number], number, _estimate_pass_at_1(found), len(found))
            for number, found in sorted(groups.items())
        ]
    return tuple(points)


def _estimate_pass_at_1(records: Sequence[SampleRecord]) -> Estimate:
    return estimate_over_tasks(records, COMPARED["pass@1"])


def _chart_figures_by_hole_count(sides: Sequence[Side]) -> Iterator[Chart]:
    """What k functions at once do to each figure; no charts where every task asks for one."""
    rows = [(side, row) for side in sides for row in make_rows_by_hole_count_if_multi_hole(side.name, side.records)]
    half = " ".join(f"{line}." for line in describe_half_pass_hole_counts({side.name: side.records for side in sides}))
    together = "All k functions must pass together. "
    yield _chart_figure_by_hole_count("holes", "pass@1", rows, lambda row: row.pass_at_1, together + half)
    beside = "Each function with the others' golds in their places."
    yield _chart_figure_by_hole_count("holes-alone", "functions alone", rows, lambda row: row.alone, beside)
    yield _chart_figure_by_hole_count("holes-tokens", "tokens", rows, lambda row: row.tokens)
    yield _chart_figure_by_hole_count("holes-cost", "USD", rows, lambda row: row.cost or None)
    rounds = [(side, row) for side, row in rows if any(r.compilations for s, r in rows if s is side)]
    yield _chart_figure_by_hole_count("holes-compilations", "compiler rounds", rounds, lambda row: row.compilations)


def _chart_figure_by_hole_count(
    name: str,
    title: str,
    rows: Sequence[tuple[Side, HolesRow]],
    value_of: Callable[[HolesRow], Estimate | float | None],
    note: str = "The mean of a sample.",
) -> Chart:
    known = [(side, row, value) for side, row in rows if (value := value_of(row)) is not None]
    points = tuple(
        Point(
            side.name,
            str(row.holes),
            row.holes,
            value if isinstance(value, Estimate) else Estimate(value, math.nan, math.nan, row.pass_at_1.tasks),
            row.samples,
        )
        for side, row, value in known
    )
    shares = all(isinstance(value, Estimate) for _, _, value in known)
    x_title = "functions that a task asks for at once"
    return Chart(name, f"By number of functions: {title}", x_title, points, note, "category", True, title, shares)


def _choose_scale(points: Sequence[Point]) -> Literal["linear", "log"]:
    values = [point.x for point in points]
    return "log" if values and min(values) > 0 and max(values) / min(values) >= _WIDE else "linear"
