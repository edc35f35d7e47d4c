"""What runs of several folders need: the renamed example, and answers of a file that may run without isolation."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from executor.manifest.variant.values import VariantRecord
from experiments.report import predictions
from experiments.run.experiment import run_experiment
from tests.support.variants import renamed_example


@pytest.fixture
def variant(cache: Path) -> VariantRecord:
    return renamed_example(cache)


@pytest.fixture
def trusted_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers in a file may run in the process sandbox, since the test wrote them."""
    monkeypatch.setattr(predictions, "run_experiment", partial(run_experiment, trusted=True))
