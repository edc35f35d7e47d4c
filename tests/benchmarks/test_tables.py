"""Prevents: a cell with a bar in it that breaks its row, and a printed table read back with other cells."""

from __future__ import annotations

from benchmarks.tables import Column, read_tables, render_cells, render_table


def test_what_is_rendered_is_read_back() -> None:
    first = render_cells(("a", "b|c"), [("1", ""), ("x | y", "2")])
    tables = read_tables(f"words\n\n{first}\n{render_cells(('d',), [('3',)])}\n\nmore words\n")
    assert [table.head for table in tables] == [("a", "b|c"), ("d",)]
    assert [table.rows for table in tables] == [(("1", ""), ("x | y", "2")), (("3",),)]


def test_a_column_leads_into_what_a_row_holds() -> None:
    columns = (Column("name", 0), Column("share", (1, "half", "share"), ".2f"), Column("none", (1, "lacking")))
    rows = [("one", {"half": {"share": 0.5}})]
    assert read_tables(render_table(columns, rows))[0].rows == (("one", "0.50", "-"),)
