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
PAGE = ROOT / "docs" / "python.md"

# In one process with the plug-ins' tests: the example's image is built once.
# Slow: every example of the page is run.
pytestmark = [pytest.mark.xdist_group("door"), pytest.mark.slow]


def blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.usefixtures("used_cache")
def test_the_examples_of_docs_python_run_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples" / "inventory", tmp_path / "inventory")
    monkeypatch.chdir(tmp_path / "inventory")
    assert len(blocks()) >= 5
    scope: dict[str, Any] = {"__name__": "__main__"}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for block in blocks():
            exec(compile(block, str(PAGE), "exec"), scope)
    lines = printed.getvalue().splitlines()
    assert re.fullmatch(r"\d+ functions in \d+ files", lines[0])
    assert lines[1].startswith("core/date.c Span(")
    assert lines[2] == "['date_month_length']"
    assert lines[3] == "['int year;']"
    assert "date_month_length" in lines[4]
    assert lines[5] == "True"
    assert [line.split()[0] for line in lines[6:8]] == ["lexical", "dense"]
    assert all("date_plus_months" not in line for line in lines[6:8])
    assert lines[8:] == ["[('check-digit', 'passed')]", "1.0", "True", "True"]


def test_docs_python_uses_nothing_but_the_door() -> None:
    imports = [line for block in blocks() for line in block.splitlines() if re.match(r"\s*(from|import)\b", line)]
    assert imports == ["import graft"]
