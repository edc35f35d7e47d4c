"""Prevents: a copy of the target that stays readable because the parser saw no function there: behind attribute
macros, in K&R functions, lambdas, macros, comments, strings, dead code, notes. All that a model can get is read.

The cases of tests/data/foreign whose *target* is spelt strangely (a8) are tests of the index, not of this module.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.index.shown_texts import Reading, list_shown_texts
from index.build import build_index
from index.repo_index import open_index
from retrieval.ranker.training_groups import make_target
from tests.support.foreign import list_cases
from tests.support.targets import find_function

CASES = [(folder, case) for folder, case in list_cases("hide", "hiding") if not case["id"].startswith("a8-")]


def squeeze(text: str) -> str:
    """A text without what a comment, a string, a macro or the tools' line numbers put between its tokens."""
    unnumbered = re.sub(r"^ *\d+ ", "", text, flags=re.MULTILINE)
    return re.sub(r'\\n|[\s"\\*]+', "", unnumbered)


def list_secrets(case: dict) -> list[str]:
    return case.get("secret") or case["expect"]["not_visible"]


@pytest.mark.parametrize(("folder", "case"), CASES, ids=[case["id"] for _, case in CASES])
def test_no_copy_can_be_read(tmp_path: Path, folder: Path, case: dict) -> None:
    tree = folder / case.get("tree", case.get("file"))
    build_index(tree, tmp_path, workers=1)
    index = open_index(tmp_path, tree)
    target = make_target(find_function(index, case["target"]))
    secrets = [squeeze(secret) for secret in list_secrets(case)]
    raw = squeeze("".join(path.read_text() for path in sorted(tree.rglob("*.*"))))
    assert all(raw.count(secret) >= 2 for secret in secrets), "the tree holds the copy"
    paths = [file.path for file in index.source_files]
    words = re.findall(r"[a-z]{4,}", " ".join(list_secrets(case)))
    shown = list(list_shown_texts(Reading(index, (target,)), target, paths, words))
    assert len(shown) > 20
    for secret in secrets:
        assert [where for where, text in shown if secret in squeeze(text)] == [], secret
    index.close()
