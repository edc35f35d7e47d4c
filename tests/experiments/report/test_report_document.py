"""Prevents: a metric that stands in one output of a report and is missing in another; our own failures scored as a
model's, and samples of one task that weigh more than those of another; official figures by MERA's rules that count
samples which MERA never looks at; a report that blames the model for a name which no prompt showed."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from executor.manifest.false_passes import Passing
from executor.values import Outcome
from experiments.documents import print_document
from experiments.report import report_document, run_report
from experiments.report.metrics import (
    METRICS,
    Figure,
    Group,
    Metric,
    group_counted_and_official_samples,
    make_decimal_formatter,
    measure_pass_at_k,
)
from experiments.report.prompt_names import measure_names_lacking_in_prompts
from experiments.report.report_document import make_report_document
from experiments.report.run_end import make_report_json_fields
from experiments.report.run_report import Report
from experiments.run.manifest import read_manifest
from experiments.run.records import JOURNAL, SampleRecord, read_finished_records
from experiments.run.sample_facts import HoleFacts
from tests.support.runs import Graft, format_report, make_run, record, refuse, report_of, succeed

PASSED, BROKEN, FAILED = Outcome.PASSED, Outcome.INFRA_ERROR, Outcome.TESTS_FAILED


def measure(*records: SampleRecord) -> dict[str, Figure]:
    group = group_counted_and_official_samples(records)
    return {metric.key: metric.measure(group) for metric in METRICS}


def share(figure: Figure) -> tuple[float, int]:
    return figure.value, figure.tasks  # type: ignore[union-attr]


def test_an_infra_error_is_counted_and_scored_nowhere() -> None:
    ends = {"a": PASSED, "b": BROKEN, "c": Outcome.NO_ANSWER, "d": Outcome.MODEL_ERROR}
    found = measure(record("a", BROKEN, sample=1), *(record(task, end) for task, end in ends.items()))
    assert (found["tasks"], found["samples"], found["infra_errors"], found["model_errors"]) == (3, 3, 2, 1)
    assert share(found["pass_at_1"]) == share(found["exact_match"]) == (pytest.approx(1 / 3), 3)
    none = measure(record("a", BROKEN))
    assert (none["tasks"], share(none["pass_at_1"])[1], share(none["official_pass_at_1"])[1]) == (0, 0, 0)


def test_several_samples_are_averaged_per_task_first() -> None:
    records = [record("a", sample=n) for n in range(4)]
    records += [record("b", FAILED if n else PASSED, sample=n) for n in range(2)]
    found = measure(*records)
    assert (found["tasks"], found["samples"], share(found["pass_at_1"])) == (2, 6, (0.75, 2))
    assert share(found["built"]) == (1.0, 2)
    repeated = measure_pass_at_k(group_counted_and_official_samples(records))
    assert repeated.n == (2, 4)
    # Only task a has three samples.
    pass_at = {1: (0.75, 2), 2: (1.0, 2), 3: (1.0, 1), 4: (1.0, 1)}
    assert {k: share(figure) for k, figure in repeated.pass_at.items()} == pass_at


def report_on(folder: Path, *records: SampleRecord, **keys: Any) -> Report:
    return report_of(make_run(folder, records, **keys), records)


def test_mera_counts_the_first_sample_and_the_others_all(tmp_path: Path) -> None:
    records = [record("a", FAILED), record("a", sample=1), record("b"), record("b", FAILED, sample=1)]
    last = [record("c", FAILED), record("c", FAILED, sample=1)]
    (mera,) = report_on(tmp_path / "run", *records, *last, official="mera").rows
    assert mera.get_estimate("official_pass_at_1").value == pytest.approx(1 / 3)
    assert mera.get_estimate("official_exact_match").value == pytest.approx(1 / 3)
    records = [replace(r, official=replace(r.official, exact_match=r.sample == 1)) for r in records]
    for official, exact, title in (
        ("mera", 0.0, "| official pass@1, first sample |"),
        ("yabloco", 0.5, "| official pass@1 |"),
    ):
        report = report_on(tmp_path / official, *records, official=official)
        assert report.rows[0].get_estimate("official_exact_match").value == exact
        assert report.rows[0].get_estimate("pass_at_1").value == 0.5
        assert title in format_report(report)
    # One sample a task needs no word of it.
    assert "| official pass@1 |" in format_report(report_on(tmp_path / "one", record("a"), official="mera"))
    lost = report_on(tmp_path / "lost", record("a", sample=1), official="mera")
    assert lost.rows[0].get_estimate("official_pass_at_1").tasks == 0


def shortest_context(group: Group) -> Figure:
    """A metric that somebody adds."""
    return min(record.context_tokens for record in group.records)


def print_at_width(report: Report, width: int, *, details: bool = False) -> str:
    console = Console(width=width)
    with console.capture() as printed:
        print_document(console, make_report_document(report), details=details)
    return printed.get()


def test_a_new_metric_is_one_function_and_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    added = (*METRICS, Metric("shortest_context", shortest_context, "shortest", make_decimal_formatter(2)))
    monkeypatch.setattr(run_report, "METRICS", added)
    monkeypatch.setattr(report_document, "METRICS", added)
    report = report_on(tmp_path / "run", record("a"), record("b"))
    markdown = format_report(report)
    for text in (markdown, print_at_width(report, 250)):
        assert "shortest" in text
        assert "0.00" in text
    assert [row["shortest_context"] for row in make_report_json_fields(report)["rows"]] == [0]
    # One sample a task needs no further columns.
    assert report.shown_k == ()
    assert [part in markdown for part in ("pass@1", "pass@2", "| n |")] == [True, False, False]


def test_each_row_has_its_own_number_of_samples(tmp_path: Path) -> None:
    """Prevents: a column "pass@5" in which an arm with three samples shows its pass@3."""
    arms = ("none", "oracle")
    records = [record(task, PASSED, arm, n) for arm in arms for task in "ab" for n in range(2)]
    report = report_on(tmp_path / "run", *records, record("a", sample=2), arms=arms)
    table = make_report_document(report).sections[0].table
    assert table is not None
    assert table.column_titles[-3:] == ("n", "pass@2", "pass@3")
    assert [row[-3:] for row in table.rows[:2]] == [("2-3", "100.0", "100.0 (1 task)"), ("2", "100.0", "-")]
    rows = make_report_json_fields(report)["rows"]
    assert [(row["n"], sorted(row["pass_at"])) for row in rows] == [((2, 3), [1, 2, 3]), ((2, 2), [1, 2])]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two golds, of which one task is valid and one weak."""
    return make_run(tmp_path / "run", [record("a"), record("b")])


def test_rows_over_the_valid_tasks_stand_only_beside_others(run: Path) -> None:
    """Prevents: a table in which every row stands twice, because every task is valid."""
    manifest = read_manifest(run)
    assert len(report_of(run).valid_rows) == 1
    facts = manifest.repos["tiny"]
    assert facts.health is not None
    whole = replace(facts, health=replace(facts.health, health={"a": "valid", "b": "valid"}))
    assert report_of(run, None, replace(manifest, repos={"tiny": whole})).valid_rows == ()


def test_the_report_says_where_programs_had_more_rights(run: Path) -> None:
    manifest = replace(read_manifest(run), sandbox="bwrap")

    def report(*lines: str) -> Report:
        records = [record(task, confinement=line) for task, line in zip("ab", lines, strict=False)]
        return report_of(run, records, manifest)

    both = report("full", "a may call ptrace; b may call ptrace")
    assert both.confinement == ("a may call ptrace: 1 of 2 samples", "b may call ptrace: 1 of 2 samples")
    assert "- a may call ptrace: 1 of 2 samples" in format_report(both)
    assert report("full").confinement == ()
    assert report("none", "none").confinement == ("no launcher was there: 2 of 2 samples",)


def test_the_report_says_how_many_tasks_have_twins_and_where_else_their_text_stands(run: Path) -> None:
    """Prevents: a score under realistic masking that nobody knows was read off a twin, a macro or a comment."""
    assert report_of(run).twins == ()
    twins = [record("a", clones=3), record("b")]
    report = report_of(run, twins)
    line = "1 of 2 tasks have twins in the tree; these 3 functions were hidden"
    assert report.twins == (line,)
    assert f"- {line}" in format_report(report)
    manifest = read_manifest(run)
    shown = replace(manifest, config={**manifest.config, "masking": "realistic"})
    assert report_of(run, twins, shown).twins[0].endswith("these 3 functions stayed to be seen")
    copies = [record("a", copies=("comment", "macro", "comment")), record("b")]
    line = "1 of 2 tasks have their text in places that are no function (comment 2, macro 1); these were hidden"
    assert line in report_of(run, copies).twins


@pytest.mark.parametrize("clustered", [True, False])
def test_a_suite_is_told_by_repository_with_pooled_rows_over_clusters(tmp_path: Path, clustered: bool) -> None:
    """Prevents: a pooled interval of a suite over tasks in one output and over repositories in another."""
    records = [
        record(
            f"{repo}-{number}",
            PASSED if passes else FAILED,
            repo=repo,
            cluster=repo if clustered else "",
            holes=(HoleFacts("f", "a.c", True, True),) * 2 if number % 2 else (),
            needed_names=("f",),
            missing_names=() if passes else ("f",),
            wrong=Passing(int(passes), 1),
        )
        for repo, passes in (("metis", True), ("pcre3", False), ("sqlitecpp", True))
        for number in range(6)
    ]
    report = report_of(make_run(tmp_path / "run", records, dataset="graft-suite" if clustered else "tiny"))
    pooled = report.rows[0].get_estimate("pass_at_1")
    assert (pooled.tasks, round(pooled.value, 3)) == (18, 0.667)
    assert (pooled.low < 0.1) is clustered
    assert f"95 % interval: {100 * pooled.low:.0f} to" in report.lead[1]
    assert [row.pass_at_1.low < 0.1 for row in report.by_holes] == [clustered] * 2
    assert (report.names[0].answerable, report.rows[0].get_estimate("false_pass")) == (pooled, pooled)
    document = make_report_document(report)
    (table,) = [section.table for section in document.details if section.title == "By repository"]
    assert table is not None
    groups = ["metis", "pcre3", "sqlitecpp"]
    assert [row[1] for row in table.rows if "valid" not in row[1]] == groups + ["all"] * clustered
    assert ("a repository's being one cluster" in document.sections[0].items[0]) is clustered
    for width in (60, 80, 100, 160):
        lines = print_at_width(report, width, details=True).splitlines()
        assert all(len(line.rstrip()) <= width and line.count("[") == line.count("]") for line in lines)


def test_passes_are_told_apart_by_what_the_prompt_showed(tmp_path: Path) -> None:
    def asked(task: str, end: Outcome, needed: str, missing: str, sample: int = 0) -> SampleRecord:
        return record(task, end, "lexical", sample, needed_names=tuple(needed), missing_names=tuple(missing))

    lexical = [
        asked("a", PASSED, "f", ""),
        asked("a", FAILED, "f", "", sample=1),
        asked("b", FAILED, "fg", "fg"),
        asked("c", PASSED, "fg", "g"),
        asked("d", BROKEN, "f", "h"),
        record("e", FAILED, "lexical"),
    ]
    row = measure_names_lacking_in_prompts("lexical", lexical)
    assert row is not None
    assert (row.samples, row.answerable.tasks) == (4, 3)
    assert (row.answerable.value, row.passed.value, row.passed_lacking.value) == (1 / 3, 0.5, 0.5)
    assert row.missing == (("g", 2), ("f", 1))
    none = record("a", PASSED, needed_names=(), missing_names=())
    report = report_on(tmp_path / "run", none, *lexical, arms=("none", "lexical"))
    markdown = format_report(report)
    assert "## Names in the prompts" in markdown and "- lexical: g (2), f (1)" in markdown
    assert "| none | 1 | 100.0" in markdown
    assert [row["missing"] for row in make_report_json_fields(report)["names"]] == [(), (("g", 2), ("f", 1))]


def test_what_an_older_journal_lacks_is_unknown(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [record("a", needed_names=("f",), missing_names=("f",))])
    line = json.loads((run / JOURNAL).read_text())
    del line["needed_names"], line["missing_names"]
    (run / JOURNAL).write_text(json.dumps(line) + "\n")
    (found,) = read_finished_records(run)
    assert found.needed_names is None and found.missing_names is None
    report = report_of(run)
    assert report.names == () and "Names in the prompts" not in format_report(report)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--arm", "oracl"), "run: no finished sample of arm 'oracl'; did you mean 'oracle'?"),
        (("a", "--arm", "xyz"), "run: task a: no finished sample of arm 'xyz'; arms: none, oracle"),
        (("--sample", 9), "run: no finished sample 9; arms: none, oracle; samples: 0"),
        (("a", "--sample", 4, "--arm", "oracle"), "run: task a: no finished sample 4; arms: oracle; samples: 0"),
        (("--k", 5), "run: --k 5: the run has 1 sample a task"),
        (("a", "--html", "x.html", "--sample", 0), "--html writes the whole page; leave out TASK, --sample"),
        (("--html", "x.html", "--k", 1, "--details"), "--html writes the whole page; leave out --k, --details"),
    ],
)
def test_what_cannot_be_shown_is_one_line(
    graft: Graft, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    make_run(Path("run"), [record("a", arm=arm) for arm in ("none", "oracle")])
    assert refuse(graft, "show", "run", *words) == f"graft: {says}"


def test_the_commands_to_type_next_can_be_pasted(
    graft: Graft, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_run(Path("my run"), [record("a")])
    lines = succeed(graft, "show", "my run").splitlines()[-4:]
    commands = [shlex.split(line[17:]) for line in lines]
    assert [line[:17].rstrip()[-1] for line in lines] == [":"] * 4
    assert [words[2] for words in commands] == ["my run"] * 4
    assert commands[1][-1] == commands[3][-1].replace(".md", ".html") == "my run/report.html"


def test_a_run_in_which_no_model_answered_opens_with_that(tmp_path: Path) -> None:
    """Prevents: nobody's answers that read as a score."""
    lost = [record(task, end) for task, end in zip("ab", (Outcome.MODEL_ERROR, BROKEN), strict=True)]
    report = report_on(tmp_path / "run", *lost)
    assert report.lead == ("No model answered: every scored sample ended in a model error.",)
    assert report.partial[0].startswith("none: 1 ended in a model error, counted as failed; 1 ended in an infra")
    assert "\n- 1 sample ended in a model error; " in format_report(report)


def test_one_task_is_not_some_tasks(tmp_path: Path) -> None:
    report = report_on(tmp_path / "run", record("a", wrong=Passing(1, 2)))
    assert report.judged_by[-1].endswith(" %, over 1 task.")


@pytest.mark.parametrize("plus", ["passed", ""])
def test_nothing_passes_by_the_suites_alone_either(tmp_path: Path, plus: str) -> None:
    """Prevents: `-` for an arm that passes nothing, and a column of noughts in a run without plus tests."""
    records = [record("a", FAILED), record("a", arm="oracle", plus=plus)]
    report = report_on(tmp_path / "run", *records, arms=("none", "oracle"))
    assert report.rows[0].get_estimate("suites_pass_at_1").value == 0.0
    assert ("| suites only |" in format_report(report)) is bool(plus)
