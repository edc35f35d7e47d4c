"""Prevents: a right answer lost, or a draft, a stub or an example taken for it, because of the shape that it came in.

The cases of tests/data/foreign stand for kinds; what else was tried of each kind follows them.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from agent.answer.extraction import extract_function
from index.build import build_index
from index.repo_index import open_index
from index.values import Target
from retrieval.ranker.training_groups import make_target as make_symbol_target
from tests.support.foreign import list_cases

CASES = list_cases("extract")


def find_target(tree: Path, case: dict[str, Any], tmp_path: Path) -> Target:
    """The case's function, as the index of the case's file or folder has it."""
    root = tmp_path / "tree"
    if tree.is_dir():
        shutil.copytree(tree, root)
    else:
        root.mkdir()
        shutil.copy(tree, root)
    build_index(root, tmp_path / "index", workers=1)
    index = open_index(tmp_path / "index", root)
    try:
        found = [entry.symbol for entry in index.functions if entry.symbol.name == case["target"]]
        return make_symbol_target(sorted(found, key=lambda symbol: symbol.span.first)[case.get("nth", 0)])
    finally:
        index.close()


@pytest.mark.parametrize(("folder", "case"), CASES, ids=[case["id"] for _, case in CASES])
def test_a_foreign_answer(folder, case, tmp_path):
    if "tree" in case:
        tree, answer = folder / case["tree"], folder / case["answer"]
        contains, lacks = case["contains"], case["lacks"]
    else:
        tree, answer = folder / case["file"], folder / case["file"] / "answer.md"
        contains, lacks = case["expect"]["candidate_contains"], case["expect"].get("candidate_lacks", [])
    found = extract_function(answer.read_text(), find_target(tree, case, tmp_path))
    assert found.code is not None, found.reason
    assert not [text for text in contains if text not in found.code], found.code
    assert not [text for text in lacks if text in found.code], found.code
