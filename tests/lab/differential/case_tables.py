"""Reads tables of bodies that are written as C, without quotes."""

from __future__ import annotations

import re
from typing import NamedTuple


class Case(NamedTuple):
    """`told` is what the comparison says; `parts` are the last lines of the case, `before` all others."""

    told: str
    before: str
    parts: list[str]


def read_cases(table: str, count: int) -> dict[str, Case]:
    """Title -> its case: a line `TITLE: what is told`, and indented lines, of which the last `count` are the case's
    parts. A line with a deeper indentation goes on with the one above it."""
    cases: dict[str, Case] = {}
    for block in re.split(r"\n(?=\S)", table.strip()):
        head, *lines = re.sub(r"\n {5,}", " ", block).split("\n")
        title, _, told = head.partition(": ")
        texts = [line.strip() for line in lines]
        cases[title] = Case(told, "\n".join(texts[:-count]), texts[-count:])
    return cases
