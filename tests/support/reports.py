"""A run's report, and its text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.documents import format_markdown
from experiments.report.report_document import make_report_document
from experiments.report.run_report import Report, make_report
from experiments.run.manifest import RunManifest, read_manifest
from experiments.run.records import SampleRecord, read_finished_records


def report_of(run: Path, records: Sequence[SampleRecord] | None = None, manifest: RunManifest | None = None) -> Report:
    """The report on a run's folder, or on these records and this manifest in the place of its own."""
    found = read_finished_records(run) if records is None else records
    return make_report(run, manifest or read_manifest(run), found)


def format_report(report: Report) -> str:
    return format_markdown(make_report_document(report))
