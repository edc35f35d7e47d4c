"""Prevents: a table of README.md or docs/ that was typed or edited by hand and isn't what its JSON gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.figures.pages import CHARTS, TABLES, fill_tables, find_pages
from benchmarks.record import ROOT


@pytest.mark.parametrize("page", find_pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_tables_are_what_their_json_gives(page) -> None:  # type: ignore[no-untyped-def]
    text = page.read_text(encoding="utf-8")
    assert fill_tables(text) == text, "run `make figures`"


@pytest.mark.parametrize("file", CHARTS, ids=lambda file: file.name)
def test_charts_are_what_their_json_gives(file: Path) -> None:
    assert file.read_bytes() == CHARTS[file](), "run `make figures`"


def test_every_table_stands_on_a_page() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in find_pages())
    assert [name for name in TABLES if f"<!-- figures: {name} -->" not in text] == []
