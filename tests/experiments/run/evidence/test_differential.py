"""The comparison with the gold in a run. Prevents: evidence that gets lost, or that is taken for a verdict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from executor.values import Outcome, Task
from experiments.run.experiment import run_experiment
from experiments.run.records import JOURNAL, Execution, read_journal
from experiments.run.sampling.executions import grade_execution
from experiments.run.workspace import Workspace
from lab.differential.compare_with_gold import compare_with_gold
from tests.support.leaky_task import TASK, make_config
from tests.support.runs import Graft

# Slow: each answer is compiled beside the gold.
pytestmark = pytest.mark.slow


def test_a_leak_that_passes_its_tests_fails_only_when_asked(
    space: Workspace, task: Task, execute: Callable[..., Execution]
) -> None:
    leak = task.gold.replace("free(hole->key);", "", 1)
    assert leak != task.gold
    runs = {
        compare: execute(leak, compare=compare, comparison=compare_with_gold)
        for compare in ("none", "passed", "strict")
    }
    assert runs["none"].differential is None
    found = runs["passed"].differential
    assert found is not None
    assert "the number of blocks of memory that are freed was 1, is 0" in found.line
    # It was kept, and isn't made again.
    assert runs["strict"].differential == found
    verdicts = {name: grade_execution(run, space.repos["example"].image.expected) for name, run in runs.items()}
    assert [verdict.outcome for verdict in verdicts.values()] == [Outcome.PASSED, Outcome.PASSED, Outcome.TESTS_FAILED]
    assert verdicts["strict"].reason == f"beside the gold: {found.line}"


def test_a_run_keeps_what_it_found_and_shows_it(graft: Graft, used_cache: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run_experiment(make_config(out=run, differential="passed"), used_cache, comparison=compare_with_gold)
    (record,) = read_journal(run / JOURNAL).values()
    assert record.differential.startswith("same on ")
    assert f"beside the gold: {record.differential}" in graft("show", run, TASK)[1]
