"""Charts (experiments.compare.charts) by matplotlib, for print: told apart by marks, not by colour alone."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from experiments.compare.charts import Chart, Point
from index.errors import ConfigError

# Okabe and Ito's colours, which people who see fewer colours tell apart, without the yellow that paper swallows.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKS = "osD^vPXh"
# Inches: a column of a two-column paper, and half again for the names beside it.
_SIZE = (5.2, 3.0)
# Side by side where several sides share a category: how much of it all of them take.
_SPREAD = 0.6
_SETTINGS: Mapping[str, Any] = {
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "graft",  # the same bytes each time
}

Kind = Literal["svg", "png"]


def plot(chart: Chart, sides: Sequence[str], kind: Kind) -> bytes:
    """The chart as a file's content. `sides`: all names, in the order of their colours. Raises ConfigError without
    matplotlib."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
        from matplotlib.ticker import LogLocator, NullLocator
    except ImportError:
        raise ConfigError("--figures needs matplotlib: pip install 'graft[figures]'") from None
    with matplotlib.rc_context(dict(_SETTINGS)):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.subplots()
        shown = [side for side in sides if any(point.side == side for point in chart.points)]
        for place, side in enumerate(shown):
            shift = _SPREAD * ((place + 0.5) / len(shown) - 0.5) if chart.scale == "category" else 0.0
            _draw_side(axes, chart, side, [p for p in chart.points if p.side == side], shift, sides.index(side))
        if chart.scale == "category":
            labels = {point.x: point.label for point in chart.points}
            axes.set_xticks(list(labels), list(labels.values()))
            axes.grid(visible=False, axis="x")
        elif chart.scale == "log":
            axes.set_xscale("log")
            axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
            axes.xaxis.set_minor_locator(NullLocator())
        axes.set(xlabel=chart.x_title, ylabel="pass@1, %", ylim=(-3, 103))
        figure.legend(loc="outside right upper", frameon=False)
        held = io.BytesIO()
        figure.savefig(held, format=kind, dpi=300, metadata={"Date": None} if kind == "svg" else None)
        return held.getvalue()


def _draw_side(axes: Any, chart: Chart, side: str, points: Sequence[Point], shift: float, number: int) -> None:
    """Its points with their intervals, where they have one."""
    values = [100 * point.passed.value for point in points]
    # A point without an interval has NaN there, and matplotlib draws no bar.
    reach = [
        [100 * (point.passed.value - point.passed.low) for point in points],
        [100 * (point.passed.high - point.passed.value) for point in points],
    ]
    axes.errorbar(
        [point.x + shift for point in points],
        values,
        yerr=reach,
        label=side,
        color=COLOURS[number % len(COLOURS)],
        marker=MARKS[number % len(MARKS)],
        markersize=4,
        linestyle="-" if chart.lines else "none",
        linewidth=1,
        elinewidth=0.8,
        capsize=2,
    )
