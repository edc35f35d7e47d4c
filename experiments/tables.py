"""One model of a table, and how it fits into a terminal: everything that prints rows makes a `Table`.

A long heading is wrapped at words, labels and texts at `+`, `-` and `/` too, and a figure is never broken. Where the
columns still don't fit, the least important ones are left out, and a line under the table names them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal, NamedTuple, TypeVar

import rich.table
from rich.align import Align
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from experiments.consoles import escape_control_characters, make_stdout_console

T = TypeVar("T")
Kind = Literal["label", "id", "text", "figure"]

MAIN, USUAL, EXTRA = 2, 1, 0
"""Priorities of columns: what the table is about, what is usually read beside it, and what goes first."""

_GAP = 2
# A label or a text gets so much room before another column is left out for it.
_ENOUGH: Mapping[Kind, int] = {"label": 16, "text": 24}
_BREAKS = re.compile(r"(?<=[-+/,:. ])")


@dataclass(frozen=True, slots=True)
class Column:
    """A label says which row it is, and is never left out; an id is a label that people copy, so it isn't broken
    either. A text is prose; it and labels stand to the left. A figure stands to the right and is never broken."""

    title: str
    kind: Kind = "figure"
    priority: int = USUAL


Columns = Mapping[Column, Callable[[T], str]]
"""Column -> what stands in it for an item."""


@dataclass(frozen=True, slots=True)
class Table:
    """Every row has a cell for each column."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def column_titles(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)


LeftOutTitles = tuple[str, ...]
"""The titles of the columns that a terminal has no room for."""


class DrawnTable(NamedTuple):
    """A table as a terminal of some width shows it."""

    drawn: rich.table.Table
    left_out: LeftOutTitles


def make_label_column(title: str) -> Column:
    """A column that says which row it is."""
    return Column(title, "label", MAIN)


def make_table(items: Iterable[T], columns: Columns[T]) -> Table:
    """One row an item, one cell a column."""
    rows = (tuple(escape_control_characters(cell(item)) for cell in columns.values()) for item in items)
    return Table(tuple(columns), tuple(rows))


def print_table(console: Console, table: Table, hint: str = "a wider terminal shows them") -> LeftOutTitles:
    """Print the columns that fit into the console's width, and a line on those that don't: `hint` says where they
    are. Returns the titles of those."""
    drawn, left_out = draw_table(table, console.width)
    console.print(drawn)
    if left_out:
        console.print(f"No room for: {', '.join(left_out)} ({hint})", style="dim", markup=False)
    return left_out


def print_rows_as_wrapped_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of text below their heads. A long cell is wrapped, never cut, and no column is left out."""
    columns = {make_label_column(title): itemgetter(place) for place, title in enumerate(head)}
    print_table(make_stdout_console(), make_table(rows, columns))


def draw_table(table: Table, width: int) -> DrawnTable:
    """The table for a terminal of this width, and the titles of the columns that it has no room for."""
    widths = _choose_fitting_columns_with_widths(table, width)
    drawn = rich.table.Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    for place, room in widths.items():
        column = table.columns[place]
        side: Literal["left", "right"] = "right" if column.kind == "figure" else "left"
        heading = Align(Text(column.title, justify=side), side, vertical="bottom")
        drawn.add_column(heading, width=room, justify=side, overflow="fold")
    for row in table.rows:
        drawn.add_row(
            *(
                Text(_break_cell_between_parts(row[place], table.columns[place], room))
                for place, room in widths.items()
            )
        )
    left_out = tuple(column.title for place, column in enumerate(table.columns) if place not in widths)
    return DrawnTable(drawn, left_out)


def _choose_fitting_columns_with_widths(table: Table, width: int) -> dict[int, int]:
    """The numbers of the columns that fit, with the width of each."""
    cells = [[row[place] for row in table.rows] for place in range(len(table.columns))]
    least = {place: _compute_least_readable_width(column, cells[place]) for place, column in enumerate(table.columns)}
    leaving = sorted(
        (place for place, column in enumerate(table.columns) if column.kind not in ("label", "id")),
        key=lambda place: (table.columns[place].priority, -place),
    )

    def compute_width_without_gaps() -> int:
        return width - _GAP * (len(least) - 1)

    for place in leaving:
        if sum(least.values()) > compute_width_without_gaps() and table.columns[place].priority == MAIN:
            # Before a figure goes that the table is about, labels do with less.
            least = {
                n: _compute_least_readable_width(table.columns[n], cells[n], for_easy_reading=False) for n in least
            }
        if sum(least.values()) <= compute_width_without_gaps():
            break
        del least[place]
    if sum(least.values()) > compute_width_without_gaps():
        # Labels alone, and too long: they are broken anywhere, ids last of all.
        ids = {place: width if table.columns[place].kind == "id" else 1 for place, width in least.items()}
        least = ids if sum(ids.values()) <= compute_width_without_gaps() else dict.fromkeys(least, 1)
    full = {place: max([least[place], *_measure_widths_of_all_lines(cells[place])]) for place in least}
    widths = _share_width_between_columns(compute_width_without_gaps(), least, full)
    return _share_width_between_columns(
        compute_width_without_gaps(), widths, {n: max(widths[n], cell_len(table.columns[n].title)) for n in widths}
    )


def _share_width_between_columns(room: int, least: Mapping[int, int], wished: Mapping[int, int]) -> dict[int, int]:
    """Every column at its wished width, or, where the room is too small, the wide ones alike."""
    widths = dict(least)
    for cap in range(1, max(wished.values(), default=0) + 1):
        wider = {place: max(width, min(wished[place], cap)) for place, width in least.items()}
        if sum(wider.values()) > room:
            break
        widths = wider
    return widths


def _compute_least_readable_width(column: Column, cells: Sequence[str], *, for_easy_reading: bool = True) -> int:
    """The width below which a word of the heading, a figure or a part of a label would be broken; `for_easy_reading`:
    and below which a label or a text is hard to read."""
    parts = [cell_len(part) for part in column.title.split()]
    if column.kind == "label":
        parts += [part for cell in cells for part in _measure_widths_of_all_lines(_BREAKS.split(cell))]
    widest = max(_measure_widths_of_all_lines(cells), default=0)
    if column.kind in ("figure", "id"):
        parts.append(widest)
    elif for_easy_reading:
        parts.append(min(widest, _ENOUGH[column.kind]))
    return max(parts, default=0)


def _measure_widths_of_all_lines(cells: Sequence[str]) -> list[int]:
    return [cell_len(line.rstrip()) for cell in cells for line in cell.splitlines()]


def _break_cell_between_parts(cell: str, column: Column, width: int) -> str:
    """The lines of a label or a text, broken where its parts meet; other cells as they are."""
    if column.kind not in ("label", "text") or cell_len(cell) <= width:
        return cell
    lines = [""]
    for part in _BREAKS.split(cell):
        if lines[-1] and cell_len((lines[-1] + part).rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.strip() for line in lines)
