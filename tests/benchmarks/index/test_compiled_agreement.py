"""Prevents: the index losing or inventing functions and calls that a compiler sees, on a sample that is shipped."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from benchmarks.index.compiled_agreement import compare_tree
from benchmarks.index.compiled_tree import read_view
from index.build import build_index
from index.repo_index import open_index
from tests.support.foreign import list_cases

VIEW = Path(__file__).parents[2] / "data" / "clang" / "foreign.json"


def test_the_index_agrees_with_clang_on_the_foreign_inputs(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    for folder, case in list_cases("index"):
        name = case.get("file", case.get("tree"))
        shutil.copy(folder / name, root / f"{folder.name}-{name}")
    build_index(root, tmp_path / "index", workers=1)
    index = open_index(tmp_path / "index", root)
    found = compare_tree(index, read_view(json.loads(VIEW.read_text())))
    index.close()
    assert found.functions + found.whole[1] == 98
    assert found.whole[0] == found.whole[1], found
    assert found.found >= 0.995 * found.functions, found
    assert found.invented <= 0.002 * found.compared, found
    hit, total = (sum(column) for column in zip(*found.calls.values(), strict=True))
    assert hit >= 0.97 * total, found
    assert found.wrong <= 0.03 * (found.right + found.wrong), found
