"""What tests of several folders need: the renamed example, a task of two functions, and answers of a file that may run
without isolation."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from executor.manifest.variant.values import VariantRecord
from executor.tasks.datasets import load_rows, make_task_from_row
from executor.values import Task
from experiments.report import predictions
from experiments.run.experiment import run_experiment
from tests.support.variants import renamed_example


@pytest.fixture
def variant(cache: Path) -> VariantRecord:
    return renamed_example(cache)


@pytest.fixture(scope="session")
def pair(example_root: Path) -> Task:
    """Two functions in a file each: one of C++, and one of C."""
    return next(make_task_from_row(r, example_root) for r in load_rows("example-pairs") if r.id == "hold-and-workdays")


@pytest.fixture
def trusted_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers in a file may run in the process sandbox, since the test wrote them."""
    monkeypatch.setattr(predictions, "run_experiment", partial(run_experiment, trusted=True))
