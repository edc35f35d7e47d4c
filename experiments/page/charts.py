"""What the plots of sides show, as data: `graft export` draws them in a page and for papers."""

from __future__ import annotations

import bisect
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from executor.grading.metrics import Estimate
from experiments.compare.leaderboard import LeaderboardRow, mean_over_tasks
from experiments.compare.sides import Side
from experiments.report.metrics import COMPARED
from experiments.run.records import SampleRecord
from experiments.run.sampling.rounds import make_cost_curve

# The upper ends of groups of samples by the share of true callees that the model saw, and their names.
_RECALL = ((0.0, "none"), (0.499, "under half"), (0.999, "half or more"), (1.0, "all"))
# A logarithmic axis from this ratio of the largest to the smallest on.
_WIDE = 8


@dataclass(frozen=True, slots=True)
class Point:
    """pass@1 of `samples` samples of a side. `label` names a category, or says what x is. An estimate whose low and
    high are NaN has no interval."""

    side: str
    label: str
    x: float
    passed: Estimate
    samples: int


@dataclass(frozen=True, slots=True)
class Chart:
    """`name` can be a file's. scale: x is a category (its number from 0), a number, or a number on a logarithmic axis.
    `lines`: a side's points belong together. `note` says in a sentence or two how to read it."""

    name: str
    title: str
    note: str
    x_title: str
    scale: Literal["category", "linear", "log"]
    lines: bool
    points: tuple[Point, ...]


def charts(rows: Sequence[LeaderboardRow]) -> tuple[Chart, ...]:
    """The charts that these sides have data for. Points stand in the order of the rows."""
    sides = [row.side for row in rows]
    found = (
        _cost(rows),
        _parts("level", "By level", "how far away the true callees lie", [(row.side, row.by_level) for row in rows]),
        _parts("repository", "By repository", "repository", [(row.side, row.by_repository) for row in rows]),
        _rounds(sides),
        _context(sides),
        _recall(sides),
    )
    return tuple(chart for chart in found if chart.points)


def _cost(rows: Sequence[LeaderboardRow]) -> Chart:
    """By price where every side's is known, else by tokens."""
    dollars = all(row.standing.cost for row in rows)
    points = []
    for row in rows:
        x = (row.standing.cost or 0.0) if dollars else row.standing.tokens
        words = f"{x:.4f} USD" if dollars else f"{x:.0f} tokens"
        points.append(Point(row.side.name, words, x, row.pass_at_1, row.samples))
    what = "USD" if dollars else "tokens, in and out,"
    return Chart(
        "cost",
        "Cost against pass@1",
        "Up and to the left is better.",
        f"{what} per sample",
        _scale([point.x for point in points]),
        False,
        tuple(points),
    )


def _parts(name: str, title: str, x_title: str, parts: Sequence[tuple[Side, Mapping[str, Estimate]]]) -> Chart:
    """Nothing where all tasks are of one part."""
    labels = list(dict.fromkeys(label for _, found in parts for label in found))
    points = [
        Point(side.name, label, labels.index(label), found[label], sum(_part(r, name) == label for r in side.records))
        for side, found in parts
        for label in labels
        if label in found
    ]
    return Chart(name, title, "", x_title, "category", False, tuple(points) if len(labels) > 1 else ())


def _part(record: SampleRecord, name: str) -> str:
    return record.level if name == "level" else record.repo


def _rounds(sides: Sequence[Side]) -> Chart:
    points = [
        Point(
            side.name,
            f"{point.count} {point.kind if point.count != 1 else point.kind.removesuffix('s')}",
            point.tokens,
            Estimate(point.passed, math.nan, math.nan, point.tasks),
            len(side.records),
        )
        for side in sides
        for point in make_cost_curve(side.arm, side.records)
    ]
    return Chart(
        "rounds",
        "Rounds of repair, samples drawn anew",
        "What each arm would have scored had it stopped earlier, over the tokens spent until then.",
        "tokens per task",
        _scale([point.x for point in points]),
        True,
        tuple(points),
    )


def _context(sides: Sequence[Side]) -> Chart:
    """By the runs' budgets where an arm has several; else by the context that each sample had."""
    budgets: dict[str, dict[int, Side]] = defaultdict(dict)
    for side in sides:
        budgets[f"{side.model} {side.arm}"][int(side.run.manifest.config.get("context_tokens", 0))] = side
    points = [
        Point(name, f"{budget} tokens", budget, _passed(found[budget].records), len(found[budget].records))
        for name, found in budgets.items()
        for budget in sorted(found)
        if len(found) > 1
    ]
    if points:
        return Chart("context", "By context budget", "", "context budget in tokens", "linear", True, tuple(points))
    sizes = sorted(record.context_tokens for side in sides for record in side.records if record.context_tokens)
    edges = [_round_up(sizes[len(sizes) * part // 3 - 1]) for part in (1, 2, 3)] if sizes else []

    def group(record: SampleRecord) -> int:
        return bisect.bisect_left(edges[:2], record.context_tokens) + 1 if record.context_tokens else 0

    return Chart(
        "context",
        "By size of the context",
        "The samples by the context that each was shown, in tokens. Larger contexts go with harder tasks, too.",
        "tokens of context",
        "category",
        False,
        _grouped(sides, ["no context", *(f"to {edge}" for edge in edges)], group) if edges else (),
    )


def _round_up(tokens: int) -> int:
    """Up, to two digits."""
    unit = int(10 ** max(len(str(tokens)) - 2, 0))
    return math.ceil(tokens / unit) * unit


def _recall(sides: Sequence[Side]) -> Chart:
    def group(record: SampleRecord) -> int | None:
        callees = record.callees
        if not callees.known or not callees.needed:
            return None
        share = len(callees.shown) / len(callees.needed)
        return next(number for number, (end, _) in enumerate(_RECALL) if share <= end)

    return Chart(
        "recall",
        "Retrieval recall against success",
        "The samples by the share of the true body's callees that the model saw. Tasks without callees are left out.",
        "true callees seen",
        "category",
        False,
        _grouped(sides, [name for _, name in _RECALL], group),
    )


def _grouped(
    sides: Sequence[Side], names: Sequence[str], group_of: Callable[[SampleRecord], int | None]
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
            Point(side.name, names[number], number, _passed(found), len(found))
            for number, found in sorted(groups.items())
        ]
    return tuple(points)


def _passed(records: Sequence[SampleRecord]) -> Estimate:
    return mean_over_tasks(records, COMPARED["pass@1"])


def _scale(values: Sequence[float]) -> Literal["linear", "log"]:
    return "log" if values and min(values) > 0 and max(values) / min(values) >= _WIDE else "linear"
