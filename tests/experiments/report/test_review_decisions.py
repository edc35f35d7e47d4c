"""Prevents: an honest answer with a flag that nobody can clear; a decision that holds for another text, changes what
the tests decided, or is lost when the logs are graded again or the run goes on; one without a name or a reason."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from executor.values import Outcome, Task
from experiments.report.regrade import regrade_logs
from experiments.report.review_decisions import list_open_and_decided_answers, record_decision_and_remake_report
from experiments.run.experiment import RunEnd
from experiments.run.manifest import read_manifest
from experiments.run.records import JOURNAL, SampleRecord, read_finished_records
from experiments.run.reviews import REVIEWS
from experiments.run.sampling.attribution import find_cause_of_outcome
from index.errors import ConfigError, TaskError
from tests.fixtures.run_fixtures import Runner
from tests.support.runs import Graft, make_run, record, refuse, report_of, succeed
from tests.support.scripts import fence, give_answers

TASK = "money-print"


@pytest.fixture(scope="module")
def shady(example_tasks: dict[str, Task]) -> str:
    """The gold, which does what no gold does."""
    return example_tasks[TASK].gold.replace("{", '{ static int done; if (!done++) system("true");', 1)


def _run(run_example: Runner, shady: str, gold: str) -> RunEnd:
    answers = {(TASK, number): fence(code) for number, code in enumerate((shady, gold, shady))}
    return run_example(answers=give_answers(answers), tasks=(TASK,), samples=3, audit="all", model="gold")


def _samples(run: Path) -> list[SampleRecord]:
    return sorted(read_finished_records(run), key=lambda record: record.sample)


def _outcomes(run: Path) -> list[Outcome]:
    return [record.graft.verdict.outcome for record in _samples(run)]


def test_a_decision_holds_for_its_text_and_stays(
    run_example: Runner, example_tasks: dict[str, Task], shady: str, graft: Graft
) -> None:
    gold = example_tasks[TASK].gold
    run = _run(run_example, shady, gold).run
    journal = (run / JOURNAL).read_bytes()
    assert _outcomes(run) == [Outcome.TO_REVIEW, Outcome.PASSED, Outcome.TO_REVIEW]
    out = succeed(graft, "grade", run, "--to-review")
    assert "none 0, none 2  open" in out and "system" in out
    assert "1 answers to review; 1 are open" in out

    words = ("--why", "runs `true` once,\nwhich does nothing", "--reviewer", "ada")
    succeed(graft, "grade", run, TASK, "--sample", 0, "--passed", *words)
    # Equal texts share the decision, and the journal stays.
    assert _outcomes(run) == [Outcome.PASSED] * 3
    assert (run / JOURNAL).read_bytes() == journal
    first = _samples(run)[0].graft.verdict
    assert first.flags and first.reason == "review: ada: runs `true` once, which does nothing"
    assert "Decided by a person" in (run / "report.md").read_text()
    again = regrade_logs(run, read_manifest(run))
    assert again.changes == () and again.records == read_finished_records(run)
    # The run that goes on sees it, and does nothing again.
    end = _run(run_example, shady, gold)
    assert [r.graft.verdict.outcome for r in end.records] == [Outcome.PASSED] * 3
    assert (run / JOURNAL).read_bytes() == journal

    # The last decision stands.
    succeed(graft, "grade", run, TASK, "--refused", *words)
    assert _outcomes(run) == [Outcome.TESTS_FAILED, Outcome.PASSED, Outcome.TESTS_FAILED]
    assert find_cause_of_outcome(_samples(run)[0]) == "forged results"
    assert "none 0, none 2  refused" in graft("grade", run, "--to-review")[1]
    assert len(report_of(run).reviews) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("money-prnt", "--passed", "--why", "x"), r"'money-prnt' is to review; did you mean 'money-print'\?"),
        ((TASK, "--arm", "hybrid", "--passed", "--why", "x"), r"no such answer .* there are \(arm, sample\): none 0"),
        ((TASK, "--passed", "--why", "x"), "2 answers to money-print are to review; choose by --arm, --sample"),
        ((TASK, "--sample", "0", "--passed"), "--why is empty: say who decides, and why"),
        ((TASK, "--sample", "0", "--why", "x"), "go with --passed or --refused"),
        (("--passed",), "name the one task on whose answer you decide"),
    ],
)
def test_a_decision_that_isnt_clear_is_one_line(
    words: tuple[str, ...], message: str, tmp_path: Path, graft: Graft
) -> None:
    run = _with_two(tmp_path)
    line = refuse(graft, "grade", run, *words)
    assert re.search(message, line)
    assert "\n" not in line
    assert not (run / REVIEWS).exists()


def _with_two(tmp_path: Path) -> Path:
    """A run with two texts to review, of one task."""
    places = {number: f"executions/{TASK}/{number}" for number in range(2)}
    records = [record(TASK, Outcome.TO_REVIEW, sample=n, execution=place) for n, place in places.items()]
    return make_run(tmp_path / "run", records)


def test_what_the_tests_decided_is_nobodys_to_change(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [record("a", Outcome.TESTS_FAILED)])
    with pytest.raises(TaskError, match="no answer to task 'a' is to review"):
        record_decision_and_remake_report(run, "a", None, None, passed=True, reviewer="ada", why="I like it")
    line = {"execution": "", "task_id": "a", "passed": True, "reviewer": "ada", "why": "x", "date": "2026-01-01"}
    (run / REVIEWS).write_text(json.dumps(line) + "\n")
    assert _outcomes(run) == [Outcome.TESTS_FAILED]


def test_a_damaged_decision_is_named_and_a_torn_one_skipped(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run = _with_two(tmp_path)
    record_decision_and_remake_report(run, TASK, None, 0, passed=True, reviewer="ada", why="fine")
    path = run / REVIEWS
    path.write_bytes(path.read_bytes() + b'{"execution": "exec')
    assert _outcomes(run) == [Outcome.PASSED, Outcome.TO_REVIEW]
    assert "reviews.jsonl:2: a torn line" in caplog.text
    # A line written after it isn't joined to it.
    record_decision_and_remake_report(run, TASK, None, 1, passed=False, reviewer="ada", why="prints results")
    assert _outcomes(run) == [Outcome.PASSED, Outcome.TESTS_FAILED]
    assert [answer.review is not None for answer in list_open_and_decided_answers(run)] == [True, True]
    path.write_bytes(path.read_bytes() + b"[" * 200_000 + b"\n")
    assert _outcomes(run) == [Outcome.PASSED, Outcome.TESTS_FAILED]
    path.write_text('{"execution": 1}\n')
    with pytest.raises(ConfigError, match=r"reviews.jsonl:1: no review; mend or delete this line"):
        read_finished_records(run)


def test_a_user_whom_the_machine_cannot_name_is_asked_for_one(
    tmp_path: Path, graft: Graft, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_no_name() -> str:
        raise KeyError("getpwuid(): uid not found: 54321")

    monkeypatch.setattr("getpass.getuser", find_no_name)
    words = ("grade", _with_two(tmp_path), TASK, "--sample", "0", "--passed", "--why", "it is right")
    assert "--reviewer is empty" in refuse(graft, *words)
    assert "passed" in succeed(graft, *words, "--reviewer", "ada")
