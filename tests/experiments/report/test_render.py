"""Prevents: a metric that stands in one output of a report and is missing in another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console

from experiments.report import layout, model
from experiments.report.layout import document
from experiments.report.metrics import METRICS, Figure, Group, Metric, decimals
from experiments.report.model import Report, make_report
from experiments.report.render import print_report, to_json, to_markdown
from experiments.run.experiment import RunEnd
from experiments.run.manifest import read_manifest


def shortest_context(group: Group) -> Figure:
    """A metric that somebody adds."""
    return min(record.context_tokens for record in group.records)


@pytest.fixture
def report(run_example: Callable[..., RunEnd], monkeypatch: pytest.MonkeyPatch) -> Report:
    added = (*METRICS, Metric("shortest_context", shortest_context, "shortest", decimals(2)))
    monkeypatch.setattr(model, "METRICS", added)
    monkeypatch.setattr(layout, "METRICS", added)
    end = run_example(model="gold", limit=2)
    return make_report(end.run, read_manifest(end.run), end.records)


def test_a_new_metric_is_one_function_and_one_line(report: Report) -> None:
    markdown = to_markdown(document(report))
    console = Console(width=250)
    with console.capture() as printed:
        print_report(console, report, levels=True)
    for text in (markdown, printed.get()):
        assert "shortest" in text
        assert "0.00" in text
    assert [row["shortest_context"] for row in to_json(report)["rows"]] == [0]


def test_a_column_without_a_figure_is_left_out(report: Report) -> None:
    assert report.k == 1
    assert "pass@1" in to_markdown(document(report))
    assert "pass@{" not in to_markdown(document(report))
    assert to_json(report)["rows"][0]["pass_at_k"] is None


def test_a_figure_of_the_wrong_kind_is_refused(report: Report) -> None:
    (row,) = report.rows
    assert row.number("tasks") == 2
    assert row.estimate("pass_at_1").value == 1.0
    with pytest.raises(TypeError, match="no interval"):
        row.estimate("tasks")
    with pytest.raises(TypeError, match="no plain number"):
        row.number("pass_at_1")


def test_the_report_says_where_programs_had_more_rights(run_example: Callable[..., RunEnd]) -> None:
    end = run_example(model="gold", limit=2)
    manifest = replace(read_manifest(end.run), sandbox="bwrap")
    lines = ("full", "a may call ptrace; b may call ptrace")
    records = [replace(r, confinement=line) for r, line in zip(end.records, lines, strict=True)]
    report = make_report(end.run, manifest, records)
    assert report.confinement == ("a may call ptrace: 1 of 2 samples", "b may call ptrace: 1 of 2 samples")
    assert "- a may call ptrace: 1 of 2 samples" in to_markdown(document(report))
    assert make_report(end.run, manifest, records[:1]).confinement == ()
    records = [replace(r, confinement="none") for r in records]
    assert make_report(end.run, manifest, records).confinement == ("no launcher was there: 2 of 2 samples",)


def test_the_report_says_how_many_tasks_have_twins(run_example: Callable[..., RunEnd]) -> None:
    """Prevents: a score under realistic masking that nobody knows was read off a twin."""
    end = run_example(model="gold", limit=2)
    manifest = read_manifest(end.run)
    assert make_report(end.run, manifest, [replace(r, clones=0) for r in end.records]).twins == ()
    records = [replace(end.records[0], clones=3), *(replace(r, clones=0) for r in end.records[1:])]
    (line,) = make_report(end.run, manifest, records).twins
    assert line == "1 of 2 tasks have twins in the tree; these 3 functions were hidden"
    assert f"- {line}" in to_markdown(document(make_report(end.run, manifest, records)))
    shown = replace(manifest, config={**manifest.config, "masking": "realistic"})
    assert make_report(end.run, shown, records).twins[0].endswith("these 3 functions stayed to be seen")
