"""Markdown tables, and how repositories are called and figures are written in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

REPOSITORIES = ("redis", "bullet3", "openssl", "llvm-prebuilt", "example")
DISPLAY = {"llvm-prebuilt": "LLVM 18.1.8, functions matched", "example": "example (shipped)"}


def table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """A Markdown table whose first `left` columns are set left, the others right."""
    rule = ["---"] * left + ["---:"] * (len(head) - left)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *rows))


def rows_of(text: str) -> list[list[str]]:
    """The cells of a Markdown table's rows, without its head."""
    return [line.strip("| ").split(" | ") for line in text.splitlines()[2:]]


def display(repository: str) -> str:
    return DISPLAY.get(repository, repository)


def ratio(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
