"""Grade the stored logs of a run again, by today's parsers and rules. Nothing is run, no model is asked."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from executor.repository.recipe import find_recipe
from executor.values import ExpectedTests, Outcome
from experiments.consoles import make_stdout_console
from experiments.documents import print_document
from experiments.files import Journal, lock_folder
from experiments.report.metrics import format_count
from experiments.report.report_document import make_report_document
from experiments.report.run_end import STOPPED, write_report_json_and_markdown
from experiments.report.run_report import make_report
from experiments.run.manifest import RunManifest, read_manifest, write_manifest
from experiments.run.pass_rule import WITH_PLUS
from experiments.run.records import (
    JOURNAL,
    SampleRecord,
    Scored,
    apply_rule_and_stored_reviews,
    encode_json_value,
    read_json_file,
    read_records_before_pass_rule,
)
from experiments.run.sample_facts import AuditFacts
from experiments.run.sampling.executions import (
    EXPECTED,
    collect_control_run_state_and_costs,
    describe_plus_test_result_or_empty,
    grade_stored_execution,
)
from index.errors import GraftError, InfraError

log = logging.getLogger(__name__)

PlusTestResult = str


@dataclass(frozen=True, slots=True)
class Regraded:
    """The records with today's verdicts, a line for each verdict that changed, and one for each file without which a
    sample couldn't be graded: it keeps its verdict. `manifest` names the rule that the verdicts follow; `entries` are
    the records that differ from the journal's, as it holds them."""

    manifest: RunManifest
    records: tuple[SampleRecord, ...]
    entries: tuple[SampleRecord, ...]
    changes: tuple[str, ...]
    problems: tuple[str, ...]


def regrade_and_report_run(run: Path) -> int:
    """Grade the run's stored logs again, replace its report, and print what changed. From then on all that reads the
    run reads the new verdicts, and plus tests decide in a run of an older Graft too, where their results are stored.
    Returns the exit code: 0, or STOPPED when a sample couldn't be graded. Raises ConfigError for a folder that holds
    no run or no finished sample, or in which a graft works."""
    manifest = read_manifest(run)
    done = regrade_logs(run, manifest)
    if done.manifest != manifest or done.entries:
        with lock_folder(run), closing(Journal(run / JOURNAL)) as journal:
            for record in done.entries:
                journal.append(encode_json_value(record))
            write_manifest(run, done.manifest)
    report = make_report(run, done.manifest, done.records)
    write_report_json_and_markdown(run, report)
    console = make_stdout_console()
    print_document(
        console,
        make_report_document(report),
        hint=f"graft show {shlex.quote(str(run))} --columns all and report.md have them",
    )
    console.print()
    graded, changed = format_count(len(done.records), "sample"), format_count(len(done.changes), "verdict")
    console.print(f"graded {graded} from their logs; {changed} changed")
    for change in done.changes:
        console.print(f"  {change}", markup=False)
    for problem in done.problems:
        log.warning(f"graft: {problem}")
    return STOPPED if done.problems else 0


def regrade_logs(run: Path, manifest: RunManifest) -> Regraded:
    """Grade the run's stored logs again. A sample for which a damaged or missing file is needed keeps its verdict.
    Raises ConfigError when no sample is finished."""
    stored = read_records_before_pass_rule(run)
    expected: dict[str, ExpectedTests | str] = {
        name: _read_expected_tests_or_problem(run, name) for name in dict.fromkeys(record.repo for record in stored)
    }
    fresh: list[SampleRecord] = []
    problems: list[str] = []
    for record in stored:
        graft, audit, plus = _grade_score_again(run, record, record.graft, expected[record.repo], problems)
        official, _, _ = _grade_score_again(run, record, record.official, expected[record.repo], problems)
        fresh.append(replace(record, graft=graft, official=official, audit=audit, plus=plus))
    after = _upgrade_pass_rule_to_plus(manifest, fresh)
    records = apply_rule_and_stored_reviews(run, fresh, after.pass_rule)
    changes = [
        f"{record.task_id} ({record.arm}, sample {record.sample}, {reading}):"
        f" {_format_outcome_and_reason(before)} -> {_format_outcome_and_reason(now)}"
        for record, new in zip(apply_rule_and_stored_reviews(run, stored, manifest.pass_rule), records, strict=True)
        for reading, before, now in (("graft", record.graft, new.graft), ("official", record.official, new.official))
        if before.verdict != now.verdict
    ]
    entries = tuple(new for old, new in zip(stored, fresh, strict=True) if new != old)
    return Regraded(after, records, entries, tuple(changes), tuple(dict.fromkeys(problems)))


def _format_outcome_and_reason(scored: Scored) -> str:
    return f"{scored.verdict.outcome.value} ({scored.verdict.reason})"


def _upgrade_pass_rule_to_plus(manifest: RunManifest, records: Sequence[SampleRecord]) -> RunManifest:
    """The manifest under the rule that plus tests decide too; as it is where they didn't run, or not on each answer
    that passed its suites."""
    if manifest.pass_rule == WITH_PLUS or not manifest.config.get("plus"):
        return manifest
    tasks = {name: sorted({r.task_id for r in records if r.repo == name}) for name in manifest.repos}
    repos = {
        name: replace(facts, plus_tasks=() if facts.variant else _list_tasks_with_plus_tests(name, tasks[name]))
        for name, facts in manifest.repos.items()
    }
    known = {task for facts in repos.values() for task in facts.plus_tasks}
    if any(record.task_id in known and record.passed_suites and not record.plus for record in records):
        return manifest
    return replace(manifest, repos=repos, pass_rule=WITH_PLUS)


def _list_tasks_with_plus_tests(recipe_name: str, tasks: Sequence[str]) -> tuple[str, ...]:
    try:
        recipe = find_recipe(recipe_name)
    except GraftError:
        return ()
    return tuple(task for task in tasks if recipe.list_plus_tests_of_task(task))


def _read_expected_tests_or_problem(run: Path, name: str) -> ExpectedTests | str:
    """What has to pass in the repository, or why that isn't known."""
    try:
        return read_json_file(ExpectedTests, run / EXPECTED / f"{name}.json")
    except InfraError as error:
        return f"{error}; the samples of {name} keep their verdicts; the run's own command writes it again"


def _grade_score_again(
    run: Path, record: SampleRecord, scored: Scored, expected_or_problem: ExpectedTests | str, problems: list[str]
) -> tuple[Scored, AuditFacts, PlusTestResult]:
    """The score with today's verdict, what its control run showed and what further tests say; as they are where there
    is no such verdict. Why a file can't be graded is added to `problems`."""
    kept = scored, record.audit, record.plus
    # Nothing ran where there is no execution (no answer, a model's error), or Graft itself failed.
    if not scored.execution or scored.verdict.outcome is Outcome.INFRA_ERROR:
        return kept
    if isinstance(expected_or_problem, str):
        problems.append(expected_or_problem)
        return kept
    try:
        execution, verdict = grade_stored_execution(
            run, scored.execution, find_recipe(record.repo), expected_or_problem
        )
    except (GraftError, OSError) as error:
        problems.append(f"{error}; {record.name} keeps its verdict; the run's own command builds and tests it again")
        return kept
    return (
        replace(scored, verdict=verdict),
        collect_control_run_state_and_costs(execution.run, verdict),
        describe_plus_test_result_or_empty(execution, expected_or_problem),
    )
