"""The one renderer of tables: columns and rows to Markdown, and printed Markdown back to rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple

from experiments.consoles import print_line

REPOSITORIES = ("redis", "bullet3", "openssl", "llvm-prebuilt", "example")
DISPLAY = {"llvm-prebuilt": "LLVM 18.1.8, functions matched", "example": "example (shipped)"}

Key = str | int


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, what it shows of a row, and the format. `value`: a key or place of the row,
    several that lead into what it holds, or a function of the row."""

    head: str
    value: Key | tuple[Key, ...] | Callable[[Any], object]
    form: str = ""

    def write_cell(self, row: Any) -> str:
        """The row's cell; "-" where the row has no such value."""
        value: Any = row
        if callable(self.value):
            value = self.value(row)
        else:
            for key in self.value if isinstance(self.value, tuple) else (self.value,):
                value = value.get(key) if isinstance(value, Mapping) else value[key]
        return "-" if value is None else f"{value:{self.form}}"


def render_table(columns: Sequence[Column], rows: Iterable[Any], left: int = 1) -> str:
    """A Markdown table with one line for each row, whose first `left` columns are set left, the others right."""
    cells = [[column.write_cell(row) for column in columns] for row in rows]
    return render_cells([column.head for column in columns], cells, left)


def render_cells(head: Sequence[str], rows: Iterable[Sequence[object]], left: int = 1) -> str:
    """The same of cells that are shown as they are."""
    rule = ["---"] * left + ["---:"] * (len(head) - left)
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |" for cells in (head, rule, *rows)
    )


class TitledTable(NamedTuple):
    """A table under its title."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]

    def render(self) -> str:
        """Without the title."""
        rows = ([f"{value:.3f}" if isinstance(value, float) else value for value in row] for row in self.rows)
        return render_cells(self.head, rows)


def print_tables(tables: Iterable[TitledTable]) -> None:
    """Each below its title."""
    for table in tables:
        print_line(f"\n{table.title}\n\n{table.render()}")


class PrintedTable(NamedTuple):
    """A Markdown table that a benchmark printed."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_tables(text: str) -> list[PrintedTable]:
    """The Markdown tables of a text, in their order; one may follow upon another without an empty line."""
    lines = text.splitlines()
    rules = [place for place, line in enumerate(lines) if re.match(r"\|[ |:-]*---", line)]
    ends = [*(place - 1 for place in rules[1:]), len(lines)]
    return [
        PrintedTable(
            split_cells(lines[rule - 1]),
            tuple(map(split_cells, takewhile(lambda line: line.startswith("|"), lines[rule + 1 : end]))),
        )
        for rule, end in zip(rules, ends, strict=True)
    ]


def split_cells(line: str) -> tuple[str, ...]:
    """The cells of a line `| a | b |`; empty ones too."""
    return tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1]))


def write_repository(name: str) -> str:
    """A repository's name as tables show it."""
    return DISPLAY.get(name, name)


def write_ratio(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
