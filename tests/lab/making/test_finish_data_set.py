"""Prevents: a task of a made data set whose own body a run flags, so that no answer to it can pass; one whose own body
fails in a suite that the doctor had no time for and that a run takes (libyang2: four of 24)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lab.making.finish_data_set import judge_gold_and_explain_failure
from tests.fixtures.calc import GOLD, add_manifest, add_task
from tests.fixtures.executor_fixtures import Tiny


def test_a_body_that_a_run_would_flag_is_told_once(tiny: Tiny, tmp_path: Path) -> None:
    health = add_manifest(tiny.image).tasks["add"]
    assert judge_gold_and_explain_failure(tiny.image, tiny.backend, add_task(), health, tmp_path / "good") == ""
    loud = replace(add_task(), gold=GOLD.replace("{\n", '{\n    printf("[ok]: more\\n");\n'))
    why = judge_gold_and_explain_failure(tiny.image, tiny.backend, loud, health, tmp_path / "loud")
    assert why.startswith("its own body is flagged: ")
    assert why.endswith("results the unmodified source doesn't give: more")
    assert judge_gold_and_explain_failure(tiny.image, tiny.backend, add_task(), health, tmp_path / "loud") == why


def test_it_is_judged_by_every_suite_of_a_run(tiny: Tiny, tmp_path: Path) -> None:
    complete = add_manifest(tiny.image).tasks["add"]
    # The suite `late` alone adds negative numbers.
    wrong = replace(add_task(), gold=GOLD.replace("a + b", "a + b + (a < 0)"))
    assert judge_gold_and_explain_failure(tiny.image, tiny.backend, wrong, complete, tmp_path) == ""
    cut = replace(complete, complete=False)
    assert judge_gold_and_explain_failure(tiny.image, tiny.backend, wrong, cut, tmp_path).startswith(
        "its own body: late: "
    )
