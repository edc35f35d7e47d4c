"""Prevents: official figures of a run by MERA's rules that count samples which MERA never looks at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from executor.values import Outcome
from experiments.documents import format_markdown
from experiments.report.report_document import make_report_document
from experiments.report.run_report import Report, make_report
from experiments.run.manifest import read_manifest
from experiments.run.records import SampleRecord
from tests.support.runs import make_run, record


def reported(folder: Path, records: list[SampleRecord], official: str) -> Report:
    run = make_run(folder / official, records, official=official)
    return make_report(run, read_manifest(run), records)


def test_mera_counts_the_first_sample_and_the_others_all(tmp_path: Path) -> None:
    failed = Outcome.TESTS_FAILED
    records = [record("a", failed), record("a", sample=1), record("b"), record("b", failed, sample=1)]
    (mera,) = reported(tmp_path, [*records, record("c", failed), record("c", failed, sample=1)], "mera").rows
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
