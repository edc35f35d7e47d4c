"""Prevents: the figures of a renamed run that read as if they compared with published ones, and answers in made-up
names that nobody can read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from executor.manifest.variant.values import VariantRecord
from executor.values import Task
from experiments.demo.scripted_server import ScriptRule
from experiments.documents import print_document
from experiments.report.official_grade import print_official_scores
from experiments.report.report_document import make_report_document
from experiments.report.run_end import make_report_json_fields, write_and_print_report
from experiments.report.show_command import Selection, print_run_report_and_samples, show_task
from index.errors import ConfigError
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.runs import format_report, make_run, record, report_of

pytestmark = pytest.mark.xdist_group("variant")


def test_every_output_says_that_it_is_renamed(variant: VariantRecord, run_example: Runner) -> None:
    end = run_example(model="gold", variant="renamed", tasks=("text-trim",))
    write_and_print_report(end)
    line = f"example: renamed:style=nonsense,seed=1, map {variant.digest}: {len(variant.names)} identifiers renamed"
    report = report_of(end.run)
    console = Console(width=250)
    with console.capture() as printed:
        print_document(console, make_report_document(report), details=True)
        print_official_scores(console, [], report, 0)
    for text in (printed.get(), (end.run / "report.md").read_text()):
        assert line in text
        assert "95.0 % of those that golds use" in text
        assert "proved 2026-11-22 in process: 2 of 2 suites" in text
        assert "official pass@1 (not comparable)" in text
        assert "official exact (not comparable)" in text
        assert not re.search(r"official (pass@1|exact) +(?!\(not)[|e]", text)
    plain = json.loads((end.run / "report.json").read_text())
    assert plain["official_comparable"] is False
    assert plain["variants"][0].startswith(line)


def test_a_run_on_the_original_says_nothing_of_it(tmp_path: Path) -> None:
    report = report_of(run := make_run(tmp_path / "run", [record("a")]))
    assert "comparable" not in format_report(report)
    assert make_report_json_fields(report)["official_comparable"] is True
    with pytest.raises(ConfigError, match="tiny wasn't renamed there"):
        show_task(run, "a", Selection(original_names=True), full=False)


@pytest.mark.usefixtures("used_cache")
def test_answers_are_read_back(
    variant: VariantRecord,
    run_example: Runner,
    serve: Serve,
    example_tasks: dict[str, Task],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    callee, own = variant.names["text_skip_space"], variant.names["date_read"]
    answer = f"```c\nint {own}(const char *s) {{ return {callee}(s, {callee}_x); }}\n```"
    server = serve(default=ScriptRule(answer=answer))
    keys = {"tasks": ("date-read",), "arms": ("oracle+compile", "agentic"), "repair_rounds": 1}
    end = run_example(variant="renamed", api_base=server.base_url, **keys)
    capsys.readouterr()
    show_task(end.run, "date-read", Selection(), full=True)
    assert callee in capsys.readouterr().out
    show_task(end.run, "date-read", Selection(original_names=True), full=True)
    shown = capsys.readouterr().out
    new = set(variant.names.values())
    assert set(re.findall(r"\w+", shown)) & new == set()
    # The gold beside the answer is the original's.
    gold = example_tasks["date-read"].gold.splitlines()
    assert f"-{gold[0]}" in shown or f" {gold[0]}" in shown
    assert "return text_skip_space(s," in shown
    print_run_report_and_samples(end.run, Selection(original_names=True), details=True)
    assert "official (not comparable)" in capsys.readouterr().out
