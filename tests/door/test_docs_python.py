"""Prevents: a page of examples that no longer run."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def test_the_examples_of_docs_python_run_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples" / "inventory", tmp_path / "inventory")
    monkeypatch.chdir(tmp_path / "inventory")
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    scope: dict[str, Any] = {"__name__": "__main__"}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for block in blocks:
            exec(compile(block, "docs/python.md", "exec"), scope)
    lines = printed.getvalue().splitlines()
    assert re.fullmatch(r"\d+ functions in \d+ files", lines[0])
    assert lines[1].startswith("core/date.c Span(")
    assert lines[2] == "['date_month_length']"
    assert lines[3] == "['int year;']"
    assert lines[4] == "True"
    assert [line.split()[0] for line in lines[5:7]] == ["lexical", "dense"]
    assert all("date_plus_months" not in line for line in lines[5:7])
    assert lines[7] == "3"
