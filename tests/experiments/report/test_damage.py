"""Prevents: a run folder with a damaged or a missing file that can't be graded, shown or continued any more; a run
without a single answer that ends as a score of nought; a partial run that reads like a whole one; a demo that can't be
scored by the official rules."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from executor.values import Outcome, Task
from experiments.demo.command import read_scripted_answers
from experiments.demo.scripted_server import ScriptRule
from experiments.report.official_grade import make_and_keep_official_scores
from experiments.report.run_end import STOPPED, write_and_print_report
from experiments.run.experiment import run_experiment
from experiments.run.manifest import MANIFEST, read_manifest
from experiments.run.records import JOURNAL, read_finished_records
from index.errors import ConfigError
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.runs import Graft, example_config, refuse, succeed
from tests.support.scripts import fence_gold, make_gold_rule, match_prompt

TASKS = ("money-print", "text-trim")

pytestmark = pytest.mark.usefixtures("used_cache")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """A finished run of two golds."""
    out = tmp_path_factory.mktemp("whole") / "run"
    run_experiment(example_config(tasks=TASKS, out=out), cache)
    return out


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def go_on(run: Path, cache: Path) -> None:
    assert run_experiment(example_config(tasks=TASKS, out=run), cache).stopped == ""


DAMAGE: dict[str, tuple[str, Callable[[Path], object]]] = {
    "no expected tests": ("expected/example.json", lambda path: shutil.rmtree(path.parent)),
    "expected tests cut off": ("expected/example.json", lambda path: path.write_bytes(path.read_bytes()[:50])),
    "expected tests of another kind": ("expected/example.json", lambda path: path.write_text("[1]")),
    "execution cut off": ("executions/*/*/execution.json", lambda path: path.write_bytes(path.read_bytes()[:99])),
    "execution nested without end": ("executions/*/*/execution.json", lambda path: path.write_text("[" * 99_999)),
    "execution not UTF-8": ("executions/*/*/execution.json", lambda path: path.write_bytes(b'{"a": "\xff"}')),
    "no execution": ("executions/*/*/execution.json", lambda path: path.unlink()),
    "no log": ("executions/*/*/suite-c.log", lambda path: path.unlink()),
    "a folder in a log's place": ("executions/*/*/suite-c.log", lambda path: (path.unlink(), path.mkdir())),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file_is_named_and_the_rest_is_graded(graft: Graft, run: Path, cache: Path, kind: str) -> None:
    pattern, damage = DAMAGE[kind]
    path = min(run.glob(pattern))
    damage(path)
    code, out, err = graft("grade", run)
    assert code == STOPPED
    (line,) = err.strip().splitlines()
    assert str(path) in line
    assert "the run's own command" in line
    assert "graded 2 samples" in out
    assert "0 verdicts changed" in out
    # The fix that the line names.
    if path.is_dir():
        path.rmdir()
    go_on(run, cache)
    succeed(graft, "grade", run)


def test_a_damaged_manifest_is_a_users_error_with_a_way_out(graft: Graft, run: Path) -> None:
    for text in ("", "{", "[]", "\xff", "{}"):
        (run / MANIFEST).write_bytes(text.encode("latin-1"))
        for command in ("grade", "show"):
            line = refuse(graft, command, run)
            assert str(run / MANIFEST) in line
            assert "--replay" in line and "\n" not in line


def test_a_story_that_is_gone_or_damaged_is_left_out(graft: Graft, run: Path) -> None:
    gone, damaged = sorted(run.glob("samples/*/*/0.json"))
    gone.unlink()
    damaged.write_text("{")
    for path in (gone, damaged):
        code, out, err = graft("show", run, path.parent.name)
        assert (code, str(path) in err) == (0, True)
        assert "passed at tier tests" in out
    code, _, err = graft("grade", run, "--as", "official")
    assert (code, err.count("is left out")) == (2, 2)
    shutil.rmtree(run / "samples")
    succeed(graft, "show", run)


def test_damaged_lines_of_the_journal_are_done_again(graft: Graft, run: Path) -> None:
    lines = (run / JOURNAL).read_bytes().splitlines()
    (run / JOURNAL).write_bytes(b"\n".join([b"[" * 100_000, b"\xff\xfe", b"{}", lines[1], b'"' + lines[0][:70]]))
    for command in ("grade", "show"):
        out = succeed(graft, command, run)
        assert "partial run: none: 1 of 2 samples are finished" in out
        assert "not done" in out


@pytest.mark.parametrize("cut", [1, 300])
def test_a_run_goes_on_where_a_kill_cut_a_line(run: Path, cache: Path, cut: int) -> None:
    """With the newline alone gone the line is whole, and its sample isn't done again."""
    before = read_finished_records(run)
    (run / JOURNAL).write_bytes((run / JOURNAL).read_bytes()[:-cut])
    go_on(run, cache)
    assert len((run / JOURNAL).read_bytes().splitlines()) == (2 if cut == 1 else 3)
    after = read_finished_records(run)
    assert {record.key for record in after if record.passed} == {record.key for record in before}


def test_damaged_rows_of_the_response_store_are_asked_for_anew(run_example: Runner, serve: Serve, task: Task) -> None:
    server = serve(default=ScriptRule(answer=fence_gold(task)))
    end = run_example(tasks=[task.id], api_base=server.base_url)
    with closing(sqlite3.connect(end.run / "responses.sqlite")) as connection, connection:
        connection.execute("UPDATE responses SET response = '{\"text\": [' || char(0)")
    (end.run / JOURNAL).unlink()
    for _ in range(2):
        again = run_example(tasks=[task.id], api_base=server.base_url)
        assert [record.graft.verdict.outcome for record in again.records] == [Outcome.PASSED]
        (end.run / JOURNAL).unlink()
    assert server.log.request_count == 2


def test_a_provider_that_is_dead_for_every_call_is_no_score(
    run_example: Runner, serve: Serve, capfd: pytest.CaptureFixture[str]
) -> None:
    server = serve(default=ScriptRule(status=401, answer="no such key"))
    keys = {"tasks": TASKS, "api_base": server.base_url, "max_attempts": 1}
    for _ in range(2):
        end = run_example(**keys)
        assert write_and_print_report(end) == STOPPED
        out, _ = capfd.readouterr()
        assert "pass@1" not in out
        assert end.stopped.startswith("no answer came to any of 2 samples, last: openai/scripted: 1 call failed")
        assert "\n" not in end.stopped
        assert "--retry-errors" in end.stopped


def test_a_partial_run_says_so_in_every_table(
    graft: Graft, run_example: Runner, serve: Serve, example_tasks: dict[str, Task]
) -> None:
    good, bad, late = (example_tasks[name] for name in ("money-print", "text-trim", "date-read"))
    server = serve(
        ScriptRule(match=match_prompt(bad), status=400, answer="bad request"),
        make_gold_rule(good),
        default=ScriptRule(answer="nothing"),
    )
    keys = {"concurrency": 1, "samples": 2, "max_attempts": 1}
    end = run_example(tasks=[good.id, bad.id, late.id], api_base=server.base_url, **keys)
    assert len(end.records) == 6
    lines = [line for line in (end.run / JOURNAL).read_bytes().splitlines() if b'"date-read"' not in line]
    (end.run / JOURNAL).write_bytes(b"\n".join(lines) + b"\n")
    said = "none: 4 of 6 samples are finished; 2 ended in a model error, counted as failed"
    for words in (("show", end.run, "--details"), ("grade", end.run)):
        out = succeed(graft, *words)
        assert f"partial run: {said}" in out
        heads = [line for line in out.splitlines() if "pass@1" in line]
        assert heads
        assert all("not done" in head and "model errors" in head for head in heads)
        assert ("none, partial" in out) == ("--details" in words), "the curve stands in the details"
    assert f"- {said}" in (end.run / "report.md").read_text()
    report = json.loads((end.run / "report.json").read_text())
    assert report["partial"] == [said]
    assert (report["rows"][0]["missing"], report["rows"][0]["model_errors"]) == (2, 2)
    by_level = {row["group"]: row["missing"] for row in report["by_level"]}
    assert by_level.get(late.level.value, 2) == 2


def test_the_demo_is_scored_by_the_official_rules(
    run_example: Runner, serve: Serve, task: Task, cache: Path, graft: Graft
) -> None:
    """Texts that Graft itself wrote may run without isolation; a model's never, whatever the folder says."""
    scripted = next(text for text in sorted(read_scripted_answers()) if "text_trim" in text)
    server = serve(ScriptRule(match=match_prompt(task), answer=scripted))
    ours = run_example(out="ours", tasks=[task.id], api_base=server.base_url).run
    out = succeed(graft, "grade", ours, "--as", "official")
    assert "Isolation: none." in out
    assert "1 failure run once more" in out and "by the rules yabloco." in out
    assert "by the rules mera." in succeed(graft, "grade", ours, "--as", "mera")
    assert "(isolation: none)" in succeed(graft, "show", ours)
    other = serve(default=ScriptRule(answer="```c\nint a_models(void);\n```"))
    theirs = run_example(out="theirs", tasks=[task.id], api_base=other.base_url).run
    assert "doesn't isolate" in refuse(graft, "grade", theirs, "--as", "official")
    records, manifest = read_finished_records(theirs), read_manifest(theirs)
    for model in (manifest.config["model"], "gold"):
        named = replace(manifest, config={**manifest.config, "model": model})
        with pytest.raises(ConfigError, match="doesn't isolate"):
            make_and_keep_official_scores(theirs, named, records, cache, read_scripted_answers())
