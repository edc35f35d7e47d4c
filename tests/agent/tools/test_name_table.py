"""Prevents: a first search by name that reads all names of a large tree (six million in the kernel) once for each
table, and makes tables that it doesn't look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.tools.name_table import NameTable
from index.repo_index import RepoIndex
from index.values import Target
from tests.agent.conftest import TREE, index_files


def made(index: RepoIndex) -> set[str]:
    return {folder.name.rpartition("-")[0] for folder in (index.folder / "derived").glob("*")}


def test_a_search_by_name_makes_what_it_reads(
    sum_target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = index_files(tmp_path, TREE)
    readings: list[list[str]] = []
    names = index.qualified_names
    monkeypatch.setattr(index, "qualified_names", lambda: readings.append(names()) or readings[-1])
    view = index.hide(sum_target, "strict")
    before = made(index)
    table = NameTable(index)
    assert [symbol.name for symbol in table.search_symbols(view, "box_product", 5)] == ["box_product"]
    assert made(index) - before == {"tool-names"}
    assert table.find_nearest_names(view, "box_prodct", 1) == ["box_product"]
    table.prepare()
    assert made(index) - before >= {"tool-last-names", "tool-signatures", "graph"}
    assert len(readings) == 1
    index.close()
