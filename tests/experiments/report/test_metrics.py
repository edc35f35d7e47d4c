"""Prevents: our own failures scored as a model's, and samples of one task that weigh more than those of another;
official figures by MERA's rules that count samples which MERA never looks at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from executor.values import Outcome
from experiments.documents import format_markdown
from experiments.report.metrics import METRICS, Figure, make_group, measure_pass_at_k
from experiments.report.report_document import make_report_document
from experiments.report.run_report import Report, make_report
from experiments.run.manifest import read_manifest
from experiments.run.records import SampleRecord
from tests.support.runs import make_run, record

BROKEN, FAILED = Outcome.INFRA_ERROR, Outcome.TESTS_FAILED


def measure(*records: SampleRecord) -> dict[str, Figure]:
    group = make_group(records)
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
    repeated = measure_pass_at_k(make_group(records))
    # Only task a has three samples.
    assert (repeated.n, {k: share(figure) for k, figure in repeated.pass_at.items()}) == (
        (2, 4),
        {1: (0.75, 2), 2: (1.0, 2), 3: (1.0, 1), 4: (1.0, 1)},
    )


def reported(folder: Path, records: list[SampleRecord], official: str) -> Report:
    run = make_run(folder / official, records, official=official)
    return make_report(run, read_manifest(run), records)


def test_mera_counts_the_first_sample_and_the_others_all(tmp_path: Path) -> None:
    records = [record("a", FAILED), record("a", sample=1), record("b"), record("b", FAILED, sample=1)]
    (mera,) = reported(tmp_path, [*records, record("c", FAILED), record("c", FAILED, sample=1)], "mera").rows
    assert mera.get_estimate("official_pass_at_1").value == pytest.approx(1 / 3)
    assert mera.get_estimate("official_exact_match").value == pytest.approx(1 / 3)
    first = [replace(r, official=replace(r.official, exact_match=r.sample == 1)) for r in records]
    for official, exact, title in (
        ("mera", 0.0, "| official pass@1, first sample |"),
        ("yabloco", 0.5, "| official pass@1 |"),
    ):
        report = reported(tmp_path / "exact", first, official)
        assert report.rows[0].get_estimate("official_exact_match").value == exact
        assert report.rows[0].get_estimate("pass_at_1").value == 0.5
        assert title in format_markdown(make_report_document(report))


def test_one_sample_a_task_needs_no_word_of_it(tmp_path: Path) -> None:
    report = reported(tmp_path, [record("a"), record("b")], "mera")
    assert "| official pass@1 |" in format_markdown(make_report_document(report))
    lost = reported(tmp_path / "lost", [record("a", sample=1)], "mera")
    assert lost.rows[0].get_estimate("official_pass_at_1").tasks == 0
