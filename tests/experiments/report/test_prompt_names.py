"""Prevents: a report that blames the model for a name which no prompt showed, names of the gold that reach a prompt,
and a journal of an older Graft that can't be read."""

from __future__ import annotations

import json
from pathlib import Path

from executor.values import Outcome, Task
from experiments.documents import format_markdown
from experiments.report.prompt_names import measure_names_lacking_in_prompts
from experiments.report.report_document import make_report_document
from experiments.report.run_end import format_report_json
from experiments.report.run_report import make_report
from experiments.run.manifest import read_manifest
from experiments.run.records import JOURNAL, read_finished_records
from retrieval.text.terms import split_words
from tests.fixtures.run_fixtures import Runner
from tests.support.runs import Graft, make_run, record
from tests.support.scripts import read_story

FAILED = Outcome.TESTS_FAILED


def test_a_run_keeps_what_its_prompts_lacked(
    run_example: Runner, example_tasks: dict[str, Task], graft: Graft
) -> None:
    end = run_example(model="gold", tasks=["date-read", "money-print"], arms=("none", "oracle+"), context_tokens=3000)
    for found in read_finished_records(end.run):
        assert found.needed_names and found.missing_names is not None
        assert set(found.missing_names) <= set(found.needed_names)
        assert bool(found.missing_names) == (found.arm == "none")
        asked = read_story(end.run, found.arm, found.task_id).trajectory.messages[:-1]
        assert not set(found.missing_names) & set(split_words("\n".join(message.content for message in asked)))
    report = make_report(end.run, read_manifest(end.run), end.records)
    rows = [(row.arm, row.samples, row.answerable.value) for row in report.names]
    assert rows == [("none", 2, 0), ("oracle+", 2, 1)]
    _, shown, _ = graft("show", end.run, "date-read", "--arm", "none")
    (lacking,) = [r.missing_names for r in end.records if (r.arm, r.task_id) == ("none", "date-read")]
    assert lacking and f"weren't in the prompt: {lacking[0]}" in " ".join(shown.split())
    _, shown, _ = graft("show", end.run, "date-read", "--arm", "oracle+")
    assert "the prompt showed all" in shown


def test_passes_are_told_apart_by_what_the_prompt_showed(tmp_path: Path) -> None:
    records = [
        record("a", Outcome.PASSED, needed_names=(), missing_names=()),
        record("a", Outcome.PASSED, "lexical", needed_names=("f",), missing_names=()),
        record("a", FAILED, "lexical", 1, needed_names=("f",), missing_names=()),
        record("b", FAILED, "lexical", needed_names=("f", "g"), missing_names=("f", "g")),
        record("c", Outcome.PASSED, "lexical", needed_names=("f", "g"), missing_names=("g",)),
        record("d", Outcome.INFRA_ERROR, "lexical", needed_names=("f",), missing_names=("h",)),
        record("e", FAILED, "lexical"),
    ]
    row = measure_names_lacking_in_prompts("lexical", [r for r in records if r.arm == "lexical"])
    assert row is not None
    assert (row.samples, row.answerable.tasks) == (4, 3)
    assert (row.answerable.value, row.passed.value, row.passed_lacking.value) == (1 / 3, 0.5, 0.5)
    assert row.missing == (("g", 2), ("f", 1))
    run = make_run(tmp_path / "run", records, arms=("none", "lexical"))
    report = make_report(run, read_manifest(run), records)
    markdown = format_markdown(make_report_document(report))
    assert "## Names in the prompts" in markdown and "- lexical: g (2), f (1)" in markdown
    assert "| none | 1 | 100.0" in markdown
    assert [row["missing"] for row in format_report_json(report)["names"]] == [(), (("g", 2), ("f", 1))]


def test_what_an_older_journal_lacks_is_unknown(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [record("a", needed_names=("f",), missing_names=("f",))])
    lines = [json.loads(line) for line in (run / JOURNAL).read_text().splitlines()]
    for line in lines:
        del line["needed_names"], line["missing_names"]
    (run / JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in lines))
    (found,) = read_finished_records(run)
    assert found.needed_names is None and found.missing_names is None
    report = make_report(run, read_manifest(run), [found])
    assert report.names == () and "Names in the prompts" not in format_markdown(make_report_document(report))
