"""Prevents: a metric that stands in one output of a report and is missing in another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from executor.values import Outcome
from experiments.documents import format_markdown, print_document
from experiments.report import report_document, run_report
from experiments.report.metrics import METRICS, Figure, Group, Metric, make_decimal_format
from experiments.report.report_document import make_report_document
from experiments.report.run_end import format_report_json
from experiments.report.run_report import Report, make_report
from experiments.run.config import RunConfig
from experiments.run.experiment import RunEnd, run_experiment
from experiments.run.manifest import read_manifest
from experiments.run.records import read_finished_records
from experiments.run.sample_facts import HoleFacts
from tests.fixtures.run_fixtures import Runner
from tests.support.runs import make_run, record


def shortest_context(group: Group) -> Figure:
    """A metric that somebody adds."""
    return min(record.context_tokens for record in group.records)


def print_at_width(report: Report, width: int, *, details: bool = False) -> str:
    console = Console(width=width)
    with console.capture() as printed:
        print_document(console, make_report_document(report), details=details)
    return printed.get()


@pytest.fixture(scope="module")
def end(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> RunEnd:
    """A run of two golds."""
    out = tmp_path_factory.mktemp("render") / "run"
    keys = {"dataset": "example", "sandbox": "process", "model": "gold", "arms": ("none",), "audit": "none"}
    return run_experiment(RunConfig.model_validate({**keys, "limit": 2, "out": out}), cache)


@pytest.fixture
def report(end: RunEnd, monkeypatch: pytest.MonkeyPatch) -> Report:
    added = (*METRICS, Metric("shortest_context", shortest_context, "shortest", make_decimal_format(2)))
    monkeypatch.setattr(run_report, "METRICS", added)
    monkeypatch.setattr(report_document, "METRICS", added)
    return make_report(end.run, read_manifest(end.run), end.records)


def test_a_new_metric_is_one_function_and_one_line(report: Report) -> None:
    for text in (format_markdown(make_report_document(report)), print_at_width(report, 250)):
        assert "shortest" in text
        assert "0.00" in text
    assert [row["shortest_context"] for row in format_report_json(report)["rows"]] == [0]


def test_one_sample_a_task_needs_no_further_columns(report: Report) -> None:
    markdown = format_markdown(make_report_document(report))
    assert report.shown_k == ()
    assert "pass@1" in markdown
    assert "pass@2" not in markdown
    assert "| n |" not in markdown


def test_each_row_has_its_own_number_of_samples(run_example: Runner) -> None:
    """Prevents: a column "pass@5" in which an arm with three samples shows its pass@3."""
    end = run_example(model="gold", limit=2, arms=["none", "oracle"], samples=2)
    third = [replace(r, sample=2) for r in end.records if (r.arm, r.sample) == ("none", 1)]
    report = make_report(end.run, read_manifest(end.run), [*end.records, *third[:1]])
    table = make_report_document(report).sections[0].table
    assert table is not None
    assert table.head[-3:] == ("n", "pass@2", "pass@3")
    assert [row[-3:] for row in table.rows] == [("2-3", "100.0", "100.0 (1 tasks)"), ("2", "100.0", "-")]
    rows = format_report_json(report)["rows"]
    assert [row["n"] for row in rows] == [(2, 3), (2, 2)]
    assert [sorted(row["pass_at"]) for row in rows] == [[1, 2, 3], [1, 2]]


def test_rows_over_the_valid_tasks_stand_only_beside_others(end: RunEnd) -> None:
    """Prevents: a table in which every row stands twice, because every task is valid."""
    manifest = read_manifest(end.run)
    health = manifest.repos["example"].health
    assert health is not None
    ids = [record.task_id for record in end.records]
    whole = replace(health, health=dict.fromkeys(ids, "valid"))
    part = replace(health, health={ids[0]: "valid", ids[1]: "weak"})
    for known, rows in ((whole, 0), (part, 1)):
        repos = {"example": replace(manifest.repos["example"], health=known)}
        assert len(make_report(end.run, replace(manifest, repos=repos), end.records).valid_rows) == rows


def test_the_report_says_where_programs_had_more_rights(end: RunEnd) -> None:
    manifest = replace(read_manifest(end.run), sandbox="bwrap")
    lines = ("full", "a may call ptrace; b may call ptrace")
    records = [replace(r, confinement=line) for r, line in zip(end.records, lines, strict=True)]
    report = make_report(end.run, manifest, records)
    assert report.confinement == ("a may call ptrace: 1 of 2 samples", "b may call ptrace: 1 of 2 samples")
    assert "- a may call ptrace: 1 of 2 samples" in format_markdown(make_report_document(report))
    assert make_report(end.run, manifest, records[:1]).confinement == ()
    records = [replace(r, confinement="none") for r in records]
    assert make_report(end.run, manifest, records).confinement == ("no launcher was there: 2 of 2 samples",)


def test_the_report_says_how_many_tasks_have_twins(end: RunEnd) -> None:
    """Prevents: a score under realistic masking that nobody knows was read off a twin."""
    manifest = read_manifest(end.run)
    assert make_report(end.run, manifest, [replace(r, clones=0) for r in end.records]).twins == ()
    records = [replace(end.records[0], clones=3), *(replace(r, clones=0) for r in end.records[1:])]
    (line,) = make_report(end.run, manifest, records).twins
    assert line == "1 of 2 tasks have twins in the tree; these 3 functions were hidden"
    assert f"- {line}" in format_markdown(make_report_document(make_report(end.run, manifest, records)))
    shown = replace(manifest, config={**manifest.config, "masking": "realistic"})
    assert make_report(end.run, shown, records).twins[0].endswith("these 3 functions stayed to be seen")


def test_the_report_says_in_which_other_places_the_text_of_targets_stands(end: RunEnd) -> None:
    """Prevents: a macro or a comment that held the answer, and a report that speaks of functions alone."""
    manifest = read_manifest(end.run)
    records = [replace(end.records[0], copies=("comment", "macro", "comment")), *end.records[1:]]
    assert (
        "1 of 2 tasks have their text in places that are no function (comment 2, macro 1); these were hidden"
        in make_report(end.run, manifest, records).twins
    )


@pytest.mark.parametrize("clustered", [True, False])
def test_a_suite_is_told_by_repository_with_pooled_rows_over_clusters(tmp_path: Path, clustered: bool) -> None:
    """Prevents: a pooled interval of a suite over tasks in one output and over repositories in another."""
    records = [
        replace(
            record(f"{repo}-{number}", Outcome.PASSED if passes else Outcome.TESTS_FAILED),
            repo=repo,
            cluster=repo if clustered else "",
            holes=(HoleFacts("f", "a.c", True, True),) * 2 if number % 2 else (),
        )
        for repo, passes in (("metis", True), ("pcre3", False), ("sqlitecpp", True))
        for number in range(6)
    ]
    run = make_run(tmp_path / "run", records, dataset="graft-suite" if clustered else "tiny")
    report = make_report(run, read_manifest(run), read_finished_records(run))
    pooled = report.rows[0].get_estimate("pass_at_1")
    assert (pooled.tasks, round(pooled.value, 3)) == (18, 0.667)
    assert (pooled.low < 0.1) is clustered
    assert f"95 % interval: {100 * pooled.low:.0f} to" in report.lead[1]
    assert [row.pass_at_1.low < 0.1 for row in report.by_holes] == [clustered] * 2
    document = make_report_document(report)
    (table,) = [section.table for section in document.details if section.title == "By repository"]
    assert table is not None
    groups = ["metis", "pcre3", "sqlitecpp"]
    assert [row[1] for row in table.rows if "valid" not in row[1]] == groups + ["all"] * clustered
    assert ("a repository's being one cluster" in document.sections[0].items[0]) is clustered
    for width in (60, 80, 100, 160):
        lines = print_at_width(report, width, details=True).splitlines()
        assert all(len(line.rstrip()) <= width and line.count("[") == line.count("]") for line in lines)
