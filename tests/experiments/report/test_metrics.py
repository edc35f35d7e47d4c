"""Prevents: our own failures scored as a model's, and samples of one task that weigh more than those of another."""

from __future__ import annotations

import pytest

from executor.values import Outcome
from experiments.report.metrics import METRICS, Figure, measure_pass_at_k, score_cells, score_group
from experiments.run.records import SampleRecord
from tests.support.runs import record

BROKEN, FAILED = Outcome.INFRA_ERROR, Outcome.TESTS_FAILED


def measure(*records: SampleRecord) -> dict[str, Figure]:
    group = score_group(score_cells(records))
    return {metric.key: metric.measure(group) for metric in METRICS}


def share(figure: Figure) -> tuple[float, int]:
    return figure.value, figure.tasks  # type: ignore[union-attr]


def test_an_infra_error_is_counted_and_scored_nowhere() -> None:
    ends = {"a": Outcome.PASSED, "b": BROKEN, "c": Outcome.NO_ANSWER, "d": Outcome.MODEL_ERROR}
    found = measure(record("a", BROKEN, sample=1), *(record(task, end) for task, end in ends.items()))
    assert (found["tasks"], found["samples"], found["infra_errors"], found["model_errors"]) == (3, 3, 2, 1)
    assert share(found["pass_at_1"]) == share(found["exact_match"]) == (pytest.approx(1 / 3), 3)
    none = measure(record("a", BROKEN))
    assert (none["tasks"], share(none["pass_at_1"])[1], share(none["official_pass_at_1"])[1]) == (0, 0, 0)


def test_several_samples_are_averaged_per_task_first() -> None:
    records = [record("a", sample=n) for n in range(4)]
    records += [record("b", FAILED if n else Outcome.PASSED, sample=n) for n in range(2)]
    found = measure(*records)
    assert (found["tasks"], found["samples"], share(found["pass_at_1"])) == (2, 6, (0.75, 2))
    assert share(found["built"]) == (1.0, 2)
    repeated = measure_pass_at_k(score_group(score_cells(records)))
    # Only task a has three samples.
    assert (repeated.n, {k: share(figure) for k, figure in repeated.pass_at.items()}) == (
        (2, 4),
        {1: (0.75, 2), 2: (1.0, 2), 3: (1.0, 1), 4: (1.0, 1)},
    )
