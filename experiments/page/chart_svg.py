"""A chart as inline SVG. Colours and shapes of the sides come from the style sheet's classes s0, s1, ..."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from executor.grading.metrics import Estimate
from experiments.page.charts import Chart, Point

TEMPLATES = Path(__file__).with_name("templates")
WIDTH, HEIGHT = 560, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 16, 12, 46
# As many colours and shapes as the style sheet and `_SHAPES` have; then they repeat.
COLOURS = 8
# More sides than this are told apart by the legend alone.
_NAMED = 8
_SHAPES = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M-4.5-4.5h9v9h-9z",
    "M0-6L6 0L0 6L-6 0z",
    "M0-5.5L5.5 4.5H-5.5z",
    "M0 5.5L5.5-4.5H-5.5z",
    "M-5-2h3v-3h4v3h3v4h-3v3h-4v-3h-3z",
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0zM-2 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0z",
    "M-4.5-4.5h9v9h-9zM-2-2v4h4v-4z",
)


@dataclass(frozen=True, slots=True)
class Axis:
    """Where a value stands in pixels, and the values that are marked with their names."""

    place: Callable[[float], float]
    ticks: tuple[tuple[float, str], ...]


def draw_chart(chart: Chart, names: Sequence[str]) -> Markup:
    """The chart. `names`: all sides, in the order of their colours."""
    x = _make_x_axis(chart)
    y = _make_y_axis(chart)
    sides = list(dict.fromkeys(point.side for point in chart.points))
    colour = {side: (names.index(side) if side in names else place) % COLOURS for place, side in enumerate(sides)}
    parts = [
        _draw_grid(x, y),
        _draw_text(_LEFT + (WIDTH - _LEFT - _RIGHT) / 2, HEIGHT - 6, chart.x_title, "middle", "axis"),
    ]
    for number, side in enumerate(sides):
        points = [point for point in chart.points if point.side == side]
        # Side by side where they share a category.
        shift = (number - (len(sides) - 1) / 2) * min(70 / len(sides), 14) if chart.scale == "category" else 0.0
        places = [(x.place(point.x) + shift, y.place(point.passed.value), point) for point in points]
        marks = [_draw_line(places)] if chart.lines else []
        marks += [_draw_mark(px, py, y, point, colour[side], shares=chart.shares) for px, py, point in places]
        parts.append(Markup('<g class="s{}">{}</g>').format(colour[side], Markup("").join(marks)))
    named = _select_named_points(chart, names)
    if len(named) <= _NAMED:
        parts.append(_draw_labels(named, x, y))
    return Markup(
        '<svg viewBox="0 0 {} {}" role="img" aria-labelledby="c-{} d-{}"><title id="c-{}">{}</title>'
        '<desc id="d-{}">{}</desc>{}</svg>'
    ).format(
        WIDTH,
        HEIGHT,
        *(chart.name,) * 3,
        chart.title,
        chart.name,
        f"{chart.y_title} against {chart.x_title}; the table below has the figures.",
        Markup("").join(parts),
    )


def draw_chart_file(chart: Chart, names: Sequence[str]) -> bytes:
    """The chart as a file of its own, for print: in light colours, with its legend. `names` as in `draw`."""
    css = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"(--\w+): light-dark\((#\w+),", css))
    rules = "\n".join(re.findall(r"^(?:\.s\d|svg \.).*$", css, re.MULTILINE))
    rules = re.sub(r"light-dark\((#\w+), #\w+\)", r"\1", re.sub(r"var\((--\w+)\)", lambda m: colours[m[1]], rules))
    shown = [name for name in names if any(point.side == name for point in chart.points)]
    rows = [
        Markup('<g class="s{0}" transform="translate({1} {2})"><path class="mark" d="{3}"/></g>{4}').format(
            names.index(name) % COLOURS,
            _LEFT + 8,
            HEIGHT + 14 + 18 * row,
            _SHAPES[names.index(name) % COLOURS],
            _draw_text(_LEFT + 20, HEIGHT + 18 + 18 * row, name, "start", "name"),
        )
        for row, name in enumerate(shown)
    ]
    height = HEIGHT + 14 + 18 * len(rows)
    inner = Markup(str(draw_chart(chart, names)).replace("<svg ", f'<svg width="{WIDTH}" height="{HEIGHT}" ', 1))
    text = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}"'
        ' font-family="sans-serif"><style>{2}</style>{3}{4}</svg>\n'
    ).format(WIDTH, height, Markup(rules), Markup("").join(rows), inner)
    return text.encode("utf-8", "backslashreplace")


def draw_interval_bar(value: Estimate, colour: int) -> Markup:
    """An estimate with its interval on a line from 0 to 100 %, for a table's cell. The cell's text says the same."""
    width, middle = 180, 12
    low, high, at = (4 + (width - 8) * share for share in (value.low, value.high, value.value))
    grid = Markup("").join(
        Markup('<path class="grid" d="M{:.1f} 2V22"/>').format(4 + (width - 8) * part / 4) for part in range(5)
    )
    return Markup(
        '<svg class="bar" viewBox="0 0 {} 24" aria-hidden="true">{}<g class="s{}"><path class="whisker"'
        ' d="M{:.1f} {m}H{:.1f}M{:.1f} 7v10M{:.1f} 7v10"/><path class="mark" transform="translate({:.1f} {m})"'
        ' d="{}"/></g></svg>'
    ).format(width, grid, colour % COLOURS, low, high, low, high, at, _SHAPES[colour % COLOURS], m=middle)


def draw_side_mark(colour: int) -> Markup:
    """A side's mark, for legends and tables."""
    return Markup(
        '<svg class="shape s{}" viewBox="-7 -7 14 14" aria-hidden="true"><path class="mark" d="{}"/></svg>'
    ).format(colour % COLOURS, _SHAPES[colour % COLOURS])


def draw_stacked_bar(counts: Mapping[int, int]) -> Markup:
    """Shares of a whole beside each other: the number of a class in the style sheet -> its count."""
    whole = sum(counts.values()) or 1
    at, parts = 0.0, []
    for kind, count in counts.items():
        width = 400 * count / whole
        parts.append(Markup('<rect class="k{}" x="{:.2f}" y="0" width="{:.2f}" height="18"/>').format(kind, at, width))
        at += width
    return Markup(
        '<svg class="stack" viewBox="0 0 400 18" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    ).format(Markup("").join(parts))


def _make_x_axis(chart: Chart) -> Axis:
    room = WIDTH - _LEFT - _RIGHT
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
    return Axis(lambda value: _TOP + (1 - value / top) * (HEIGHT - _TOP - _BOTTOM), ticks)


def _choose_tick_step(most: float) -> float:
    """A round number that divides the axis in some five parts."""
    rough = most / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    return next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)


def _draw_grid(x: Axis, y: Axis) -> Markup:
    bottom = HEIGHT - _BOTTOM
    lines = [
        Markup('<path class="grid" d="M{} {:.1f}H{}"/>').format(_LEFT, y.place(value), WIDTH - _RIGHT)
        for value, _ in y.ticks
    ]
    words = [_draw_text(_LEFT - 6, y.place(value) + 4, name, "end", "tick") for value, name in y.ticks]
    words += [_draw_text(x.place(value), bottom + 18, name, "middle", "tick") for value, name in x.ticks]
    return Markup("").join([*lines, *words])


def _draw_text(x: float, y: float, words: str, anchor: str, kind: str) -> Markup:
    return Markup('<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(
        kind, x, y, anchor, words
    )


def _draw_line(places: Sequence[tuple[float, float, Point]]) -> Markup:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places)
    return Markup('<path class="line" d="M{}"/>').format(path)


def _draw_mark(x: float, y: float, axis: Axis, point: Point, colour: int, *, shares: bool) -> Markup:
    passed = point.passed
    whisker = Markup("")
    if not math.isnan(passed.low):
        ends = f"M{x:.1f} {axis.place(passed.low):.1f}V{axis.place(passed.high):.1f}"
        whisker = Markup('<path class="whisker" d="{}"/>').format(ends)
    return Markup('{}<path class="mark" transform="translate({:.1f} {:.1f})" d="{}"><title>{}</title></path>').format(
        whisker,
        x,
        y,
        _SHAPES[colour],
        f"{point.side}, {point.label}: {format_estimate(passed, shares=shares)}, {point.samples} samples",
    )


def format_estimate(value: Estimate, *, shares: bool = True) -> str:
    """`55.6 % [34, 75]`; `1234` of what is no share."""
    if not value.tasks:
        return "-"
    if not shares:
        return f"{value.value:.0f}" if value.value >= 100 else f"{value.value:.3g}"
    middle = f"{100 * value.value:.1f} %"
    return middle if math.isnan(value.low) else f"{middle} [{100 * value.low:.0f}, {100 * value.high:.0f}]"


def _select_named_points(chart: Chart, names: Sequence[str]) -> Sequence[Point]:
    """The points that get their side's name: all of a plot with few, and a line's last where no legend has it."""
    if chart.lines:
        return list({point.side: point for point in chart.points if point.side not in names}.values())
    return [] if chart.scale == "category" else chart.points


def _draw_labels(points: Sequence[Point], x: Axis, y: Axis) -> Markup:
    """Each point's side beside it, on the side with more room; moved down where two would meet."""
    taken: list[tuple[float, float, float]] = []
    parts = []
    for point in sorted(points, key=lambda point: -point.passed.value):
        px, py = x.place(point.x), y.place(point.passed.value) + 4
        left = px > _LEFT + (WIDTH - _LEFT - _RIGHT) * 0.6
        start, end = (px - 10 - 7 * len(point.side), px - 10) if left else (px + 10, px + 10 + 7 * len(point.side))
        while any(abs(py - other) < 14 and start < last and first < end for first, last, other in taken):
            py += 14
        taken.append((start, end, py))
        parts.append(_draw_text(end if left else start, py, point.side, "end" if left else "start", "name"))
    return Markup("").join(parts)
