"""A chart as inline SVG. Colours and shapes of the sides come from the style sheet's classes s0, s1, ..."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import jinja2
from markupsafe import Markup

from executor.grading.metrics import Estimate
from experiments.page.charts import Chart, Point

TEMPLATES = Path(__file__).with_name("templates")
WIDTH, HEIGHT = 560, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, WIDTH - 16, 12, HEIGHT - 46
# As many colours and shapes as the style sheet and marks.svg.j2 have; then they repeat.
_COLOURS = 8
# More sides than this are told apart by the legend alone.
_NAMED = 8


@lru_cache
def load_template(name: str) -> jinja2.Template:
    """A template of this package. All that is put into it is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


@dataclass(frozen=True, slots=True)
class Axis:
    """Where a value stands in pixels, and the values that are marked with their names."""

    place: Callable[[float], float]
    ticks: tuple[tuple[float, str], ...]


def draw_chart(chart: Chart, side_names: Sequence[str], *, has_size: bool = False) -> Markup:
    """The chart. `side_names`: all sides, in the order of their colours; `has_size`: it gets a size."""
    x, y = _make_x_axis(chart), _make_y_axis(chart)
    sides = list(dict.fromkeys(point.side for point in chart.points))
    groups = []
    for number, side in enumerate(sides):
        # Side by side where they share a category.
        shift = (number - (len(sides) - 1) / 2) * min(70 / len(sides), 14) if chart.scale == "category" else 0.0
        points = [point for point in chart.points if point.side == side]
        marks = [(x.place(point.x) + shift, y.place(point.passed.value), point) for point in points]
        groups.append(((side_names.index(side) if side in side_names else number) % _COLOURS, marks))
    named = _select_points_to_label(chart, side_names)
    drawn = load_template("chart.svg.j2").render(
        chart=chart,
        alone=has_size,
        x=x,
        y=y,
        groups=groups,
        labels=_place_labels(named, x, y) if len(named) <= _NAMED else (),
        width=WIDTH,
        height=HEIGHT,
        left=_LEFT,
        right=_RIGHT,
        bottom=_BOTTOM,
        words=format_estimate,
        isnan=math.isnan,
    )
    return Markup("".join(drawn.splitlines()))


def draw_chart_file(chart: Chart, side_names: Sequence[str]) -> bytes:
    """The chart as a file of its own, for print: in light colours, with its legend. `side_names` as in
    `draw_chart`."""
    css = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"(--\w+): light-dark\((#\w+),", css))
    rules = "\n".join(re.findall(r"^(?:\.s\d|svg \.).*$", css, re.MULTILINE))
    rules = re.sub(r"light-dark\((#\w+), #\w+\)", r"\1", re.sub(r"var\((--\w+)\)", lambda m: colours[m[1]], rules))
    shown = {point.side for point in chart.points}
    legend = [(number % _COLOURS, name) for number, name in enumerate(side_names) if name in shown]
    text = load_template("chart_file.svg.j2").render(
        rules=Markup(rules),
        legend=legend,
        chart=draw_chart(chart, side_names, has_size=True),
        width=WIDTH,
        height=HEIGHT + 14 + 18 * len(legend),
        left=_LEFT,
        top=HEIGHT + 14,
    )
    return f"{text}\n".encode("utf-8", "backslashreplace")


def _make_x_axis(chart: Chart) -> Axis:
    room = _RIGHT - _LEFT
    if chart.scale == "category":
        labels = {point.x: point.label for point in sorted(chart.points, key=lambda point: point.x)}
        order = list(labels)
        width = room / len(order)
        return Axis(lambda value: _LEFT + (order.index(value) + 0.5) * width, tuple(labels.items()))
    values = [point.x for point in chart.points]
    if chart.scale == "log":
        low, high = math.log10(min(values)) - 0.1, math.log10(max(values)) + 0.1
        marked = [d * 10**e for e in range(math.floor(low), math.ceil(high) + 1) for d in (1, 2, 5)]
        ticks = [(tick, f"{tick:g}") for tick in marked if low <= math.log10(tick) <= high]
        return Axis(lambda value: _LEFT + room * (math.log10(value) - low) / (high - low), tuple(ticks))
    step = _choose_tick_step(max(values) or 1.0)
    top = max(values) * 1.08 or 1.0
    ticks = [(step * n, f"{step * n:g}") for n in range(int(top / step) + 1)]
    return Axis(lambda value: _LEFT + room * value / top, tuple(ticks))


def _make_y_axis(chart: Chart) -> Axis:
    most = max(point.passed.value for point in chart.points) or 1.0
    step = 0.25 if chart.shares else _choose_tick_step(most)
    top = 1.0 if chart.shares else step * math.ceil(most / step)
    ticks = tuple((step * n, f"{25 * n} %" if chart.shares else f"{step * n:g}") for n in range(round(top / step) + 1))
    return Axis(lambda value: _TOP + (1 - value / top) * (_BOTTOM - _TOP), ticks)


def _choose_tick_step(most: float) -> float:
    """A round number that divides the axis in some five parts."""
    rough = most / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    return next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)


def format_estimate(value: Estimate, *, shares: bool = True) -> str:
    """`55.6 % [34, 75]`; `1234` of what is no share."""
    if not value.tasks:
        return "-"
    if not shares:
        return f"{value.value:.0f}" if value.value >= 100 else f"{value.value:.3g}"
    middle = f"{100 * value.value:.1f} %"
    return middle if math.isnan(value.low) else f"{middle} [{100 * value.low:.0f}, {100 * value.high:.0f}]"


def _select_points_to_label(chart: Chart, side_names: Sequence[str]) -> Sequence[Point]:
    """The points that get their side's name: all of a plot with few, and a line's last where no legend has it."""
    if chart.lines:
        return list({point.side: point for point in chart.points if point.side not in side_names}.values())
    return [] if chart.scale == "category" else chart.points


class Label(NamedTuple):
    """`anchor`: the end of the text that stands at `x`, as SVG says it."""

    x: float
    y: float
    text: str
    anchor: str


def _place_labels(points: Sequence[Point], x: Axis, y: Axis) -> Iterator[Label]:
    """Each point's side beside it, on the side with more room; moved down where two would meet: x, y, text, anchor."""
    taken: list[tuple[float, float, float]] = []
    for point in sorted(points, key=lambda point: -point.passed.value):
        px, py = x.place(point.x), y.place(point.passed.value) + 4
        left = px > _LEFT + (_RIGHT - _LEFT) * 0.6
        start, end = (px - 10 - 7 * len(point.side), px - 10) if left else (px + 10, px + 10 + 7 * len(point.side))
        while any(abs(py - other) < 14 and start < last and first < end for first, last, other in taken):
            py += 14
        taken.append((start, end, py))
        yield Label(end if left else start, py, point.side, "end" if left else "start")
