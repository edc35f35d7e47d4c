"""The one renderer of tables: columns and rows to Markdown, and printed Markdown back to rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

REPOSITORIES = ("redis", "bullet3", "openssl", "llvm-prebuilt", "example")
DISPLAY = {"llvm-prebuilt": "LLVM 18.1.8, functions matched", "example": "example (shipped)"}

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, what it shows of a row (a key, or a function of the row), and the format."""

    head: str
    value: str | Callable[[Row], object]
    form: str = ""

    def write_cell(self, row: Row) -> str:
        """The row's cell; "-" where the row has no such value."""
        value = row.get(self.value) if isinstance(self.value, str) else self.value(row)
        return "-" if value is None else f"{value:{self.form}}"


def render_table(columns: Sequence[Column], rows: Iterable[Row], left: int = 1) -> str:
    """A Markdown table with one line for each row, whose first `left` columns are set left, the others right."""
    cells = [[column.write_cell(row) for column in columns] for row in rows]
    return render_cells([column.head for column in columns], cells, left)


def render_cells(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """The same of cells that are text already."""
    rule = ["---"] * left + ["---:"] * (len(head) - left)
    lines = [head, rule, *([cell.replace("|", "\\|") for cell in cells] for cells in rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


@dataclass(frozen=True)
class PrintedTable:
    """A Markdown table that a benchmark printed, with the text between it and the table before it."""

    before: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def select_columns(self, *heads: str) -> PrintedTable:
        places = [self.head.index(head) for head in heads]
        rows = tuple(tuple(row[place] for place in places) for row in self.rows)
        return PrintedTable(self.before, heads, rows)

    def select_rows(self, is_kept: Callable[[Mapping[str, str]], bool]) -> PrintedTable:
        rows = tuple(row for row in self.rows if is_kept(dict(zip(self.head, row, strict=True))))
        return PrintedTable(self.before, self.head, rows)

    def render(self, left: int = 1) -> str:
        return render_cells(self.head, self.rows, left)


def read_tables(text: str) -> list[PrintedTable]:
    """The Markdown tables of a text, in their order."""
    tables: list[PrintedTable] = []
    before: list[str] = []
    lines = text.splitlines()
    place = 0
    while place < len(lines):
        is_head = lines[place].startswith("|") and lines[place + 1 : place + 2] and lines[place + 1].startswith("| --")
        if not is_head:
            before.append(lines[place])
            place += 1
            continue
        head, place = split_cells(lines[place]), place + 2
        rows = []
        # A table may follow upon another without an empty line between them.
        while place < len(lines) and lines[place].startswith("|"):
            if lines[place + 1 : place + 2] and lines[place + 1].startswith("| --"):
                break
            rows.append(split_cells(lines[place]))
            place += 1
        tables.append(PrintedTable("\n".join(before).strip(), head, tuple(rows)))
        before = []
    return tables


def split_cells(line: str) -> tuple[str, ...]:
    """The cells of a line `| a | b |`; empty ones too."""
    return tuple(cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split(" | "))


def write_repository(name: str) -> str:
    """A repository's name as tables show it."""
    return DISPLAY.get(name, name)


def write_ratio(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
