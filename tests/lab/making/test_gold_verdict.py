"""Prevents: a task of a made data set whose own body a run flags, so that no answer to it can pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lab.making.gold_verdict import judge_gold
from tests.fixtures.calc import GOLD, add_manifest, add_task
from tests.fixtures.executor_fixtures import Tiny


def test_a_body_that_a_run_would_flag_is_told_once(tiny: Tiny, tmp_path: Path) -> None:
    health = add_manifest(tiny.image).tasks["add"]
    assert judge_gold(tiny.image, tiny.backend, add_task(), health, tmp_path / "good") == ""
    loud = replace(add_task(), gold=GOLD.replace("{\n", '{\n    printf("[ok]: more\\n");\n'))
    why = judge_gold(tiny.image, tiny.backend, loud, health, tmp_path / "loud")
    assert why.startswith("its own body is flagged: ")
    assert why.endswith("results the unmodified source doesn't give: more")
    assert judge_gold(tiny.image, tiny.backend, add_task(), health, tmp_path / "loud") == why
