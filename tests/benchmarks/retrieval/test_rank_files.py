"""Prevents: a comparison of two rankers that pairs the wrong targets, or reports a gain that isn't in the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.retrieval.rank_files import compared, scores_in


def written(path: Path, ranks: list[int]) -> Path:
    rows = [
        {"repo": "tree", "target": f"f{at // 2}", "callee": f"c{at}", "ranks": {"learned": rank}}
        for at, rank in enumerate(ranks)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_gain_is_counted_by_callee(tmp_path: Path) -> None:
    before = scores_in(written(tmp_path / "before", [1, 12, 0, 30]), "learned")
    after = scores_in(written(tmp_path / "after", [1, 9, 0, 8]), "learned")
    table = compared(before, after)
    assert table.title == "4 callees of 2 functions of tree"
    assert next(row for row in table.rows if row[:2] == ("pooled", "recall@10"))[2:4] == (0.25, 0.75)
    assert next(row for row in table.rows if row[:2] == ("tree", "recall@50"))[2:4] == (0.75, 0.75)


def test_other_targets_are_refused(tmp_path: Path) -> None:
    before = scores_in(written(tmp_path / "before", [1, 12, 0, 30]), "learned")
    after = scores_in(written(tmp_path / "after", [1, 9]), "learned")
    with pytest.raises(ValueError):
        compared(before, after)
