"""Prevents: a failure that nobody can explain, because the story leaves out a prompt, the compiler's messages, the
callee that the model never saw, or a name which no prompt showed; names of the gold that reach a prompt; figures
of a renamed run that read as if published ones compared with them, and made-up names that nobody can read."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from rich.console import Console

from agent.values import Candidate, Trajectory
from executor.manifest.variant.values import VariantRecord
from executor.tasks import made_datasets
from executor.values import Outcome, Task
from experiments.demo.scripted_server import ScriptCall, ScriptRule
from experiments.documents import print_document
from experiments.report.official_grade import print_official_scores
from experiments.report.report_document import make_report_document
from experiments.report.run_end import make_report_json_fields, write_and_print_report
from experiments.report.show_command import Selection, print_run_report_and_samples, print_story, show_task
from experiments.report.story.stored_sample import StoredSample, read_sample
from experiments.report.story.task_texts import TaskText
from experiments.run.experiment import RunEnd
from experiments.run.manifest import read_manifest, write_manifest
from experiments.run.records import SampleRecord, read_finished_records
from experiments.run.sampling.attribution import collect_callee_facts, find_cause_of_outcome
from index.errors import ConfigError
from retrieval.text.terms import split_words
from retrieval.values import Context
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.runs import Graft, format_report, make_run, record, report_of, succeed
from tests.support.scripts import fence, read_story


def story_text(end: RunEnd, task: Task, record: SampleRecord, *, full: bool = False) -> str:
    text = TaskText(task.id, task.target.repo, "", place=task.target.path, gold=task.gold)
    return print_sample(read_sample(end.run, record), text, full=full)


def print_sample(sample: StoredSample, text: TaskText, *, full: bool = True) -> str:
    out = io.StringIO()
    print_story(Console(file=out, width=200), sample, text, full=full)
    return out.getvalue()


def require_parts(text: str, *parts: str) -> None:
    assert [part for part in parts if part not in text] == []


def record_of(end: RunEnd, arm: str) -> SampleRecord:
    (record,) = [record for record in end.records if record.arm == arm]
    return record


def test_a_compiler_message_brings_the_callee_and_the_story_tells_it(
    run_example: Runner, serve: Serve, example_tasks: dict[str, Task]
) -> None:
    task, name = example_tasks["date-plus-months"], "date_month_length"
    broken = task.gold.replace(f"{name}(", f"{name}s(")
    server = serve(ScriptRule(last=f"a name near {name}s", answer=fence(task.gold)), ScriptRule(answer=fence(broken)))
    end = run_example(tasks=[task.id], arms=["none", "none+compile", "none+compile0"], api_base=server.base_url)
    repaired, never = record_of(end, "none+compile"), record_of(end, "none")
    assert repaired.graft.verdict.outcome is Outcome.PASSED
    assert [entry.compiled for entry in repaired.rounds] == [False, True]
    assert (repaired.usage.calls, repaired.usage.compiles) == (2, 2)
    # All arms begin with the same request, which is asked once.
    assert server.log.request_count == 2
    text = story_text(end, task, repaired)
    require_parts(
        text,
        f"{name}s",
        f"shown: a name near {name}s",
        "compiler: compiles without a word",
        "Asked 2 (user)",
        "cause: passed",
        "the same text",
        f"{task.target.repo}/{task.target.path}",
    )
    assert never.graft.verdict.outcome is Outcome.BUILD_FAILED
    assert find_cause_of_outcome(never) == "never retrieved"
    assert (never.callees.known, name in never.callees.needed, name in never.callees.shown) == (True, True, False)
    text = story_text(end, task, never, full=True)
    require_parts(
        text,
        f"{name} (never seen, not used)",
        "cause: never retrieved",
        f"-    int length = {name}(d.year, d.month);",
        "status",
    )
    report = report_of(end.run)
    assert [row.causes for row in report.rows] == [{"never retrieved": 1}, {}, {"never retrieved": 1}]
    curve = [(point.arm, point.kind, point.count, point.passed) for point in report.curves]
    assert curve == [("none+compile", "repairs", 0, 0.0), ("none+compile", "repairs", 1, 1.0)]
    require_parts(
        format_report(report),
        "| arm | never retrieved |\n| --- | --- |\n| none | 1 |",
        "| none+compile | 1 repair | 100.0 |",
    )
    # Without its files it is told as far as it goes.
    sample = read_sample(Path("gone"), never)
    assert len(sample.problems) == 2
    require_parts(print_sample(sample, TaskText(task.id, "example", "")), "build_failed", "no story of it is kept")


def test_the_story_tells_what_an_agent_looked_up_and_handed_in(run_example: Runner, serve: Serve, task: Task) -> None:
    broken = {"code": task.gold[: task.gold.index("{")] + "{ strbuf_put_nothing(out); }"}
    check = ScriptCall(name="check", arguments=broken)
    look = ScriptCall(name="search", arguments={"query": "strbuf_append"})
    wrong = ScriptCall(name="read_symbl", arguments={"name": "strbuf"})
    server = serve(
        ScriptRule(turn=1, reasoning="what is there?", calls=(look, wrong, check)),
        ScriptRule(turn=2, last="strbuf_put_nothing", calls=(ScriptCall(name="submit", arguments=broken),)),
        ScriptRule(calls=(ScriptCall(name="submit", arguments={"code": task.gold.rstrip()}),)),
    )
    end = run_example(tasks=[task.id], arms=["agentic+compile"], api_base=server.base_url)
    usage = record_of(end, "agentic+compile").usage
    assert (usage.calls, usage.compiles) == (3, 3)
    text = story_text(end, task, record_of(end, "agentic+compile"), full=True)
    require_parts(
        text,
        "tool search",
        "strbuf_append",
        "-> a hint, no result",
        "did you mean 'read_symbol'",
        "Thoughts\n      what is there?",
        "strbuf_put_nothing",
        "Asked 3 (tool)",
        "ended: submitted (native tool calls)",
        "graft: passed",
        "cause: passed",
    )


def test_a_run_keeps_what_its_prompts_lacked(run_example: Runner, graft: Graft) -> None:
    end = run_example(model="gold", tasks=["date-read", "money-print"], arms=("none", "oracle+"), context_tokens=3000)
    lacking = ""
    for found in read_finished_records(end.run):
        assert found.needed_names and found.missing_names is not None
        assert set(found.missing_names) <= set(found.needed_names)
        assert bool(found.missing_names) == (found.arm == "none")
        asked = read_story(end.run, found.arm, found.task_id).trajectory.messages[:-1]
        assert not set(found.missing_names) & set(split_words("\n".join(message.content for message in asked)))
        lacking = found.missing_names[0] if (found.arm, found.task_id) == ("none", "date-read") else lacking
    rows = [(row.arm, row.samples, row.answerable.value) for row in report_of(end.run).names]
    assert rows == [("none", 2, 0), ("oracle+", 2, 1)]
    for arm, says in (("none", f"weren't in the prompt: {lacking}"), ("oracle+", "the prompt showed all")):
        assert says in " ".join(succeed(graft, "show", end.run, "date-read", "--arm", arm).split())


def test_what_the_language_says_is_no_callee(task: Task) -> None:
    item = replace(task.oracle[0], name="if", text="#define if(x) while (x)")  # as a vendored header has it
    branching = replace(
        task, gold="void f(int n) { if (n) helper(n); }", oracle=(item, replace(item, name="helper", text=""))
    )
    facts = collect_callee_facts(branching, None, Context((), 0, 0, ()), Trajectory((), (), Candidate("")), "")
    assert facts.needed == ("helper",)


def test_a_story_fetches_no_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, graft: Graft) -> None:
    """Prevents: minutes of a clone for a look at a run on a machine that never had the source."""
    fetch = Mock(side_effect=AssertionError)
    monkeypatch.setattr(made_datasets, "checkout_source", fetch)
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GRAFT_MIRROR", raising=False)  # a mirror is a source at hand
    run = make_run(tmp_path / "run", [record("a")], dataset="redis-hard")
    manifest = read_manifest(run)
    write_manifest(run, replace(manifest, repos={"redis": manifest.repos["tiny"]}))
    assert "There is no answer" in succeed(graft, "show", run, "a")
    fetch.assert_not_called()


# A renamed run


@pytest.mark.xdist_group("variant")
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


@pytest.mark.xdist_group("variant")
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
