"""Prevents: a study that has to be put together by hand from its runs, or does finished samples again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.compare.study import run_study
from experiments.compare.study_file import read_matrix

# Slow: a whole study of several runs.
pytestmark = pytest.mark.slow


def test_a_study_ends_in_one_table_and_goes_on_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(
        "vary: {model: [stub, gold]}\ndataset: example\narms: [none]\nlimit: 2\nsandbox: process\n"
        f"out: {tmp_path / 'study'}\n"
    )
    matrix = read_matrix(path)
    assert matrix is not None
    assert run_study(matrix, cache) == 0
    printed = capsys.readouterr().out
    assert "USD/solved" in printed
    assert "p (Holm)" in printed
    places = json.loads((tmp_path / "study" / "leaderboard.json").read_text())
    assert [(place["model"], place["pass_at_1"]["value"]) for place in places] == [("gold", 1.0), ("stub", 0.0)]
    assert "| gold none | stub none | 2 |" in (tmp_path / "study" / "comparison.md").read_text()
    journal = tmp_path / "study" / "gold" / "journal.jsonl"
    before = journal.read_bytes()
    assert run_study(matrix, cache) == 0
    assert journal.read_bytes() == before
