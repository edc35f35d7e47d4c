"""Grade the stored logs of a run again, by today's parsers and rules. Nothing is run, no model is asked."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path

from executor.repository.recipe import find_recipe
from executor.values import ExpectedTests, Outcome
from experiments.consoles import stdout
from experiments.documents import print_document
from experiments.report.finish import STOPPED, keep_report
from experiments.report.layout import document
from experiments.report.model import make_report
from experiments.run.facts import AuditFacts
from experiments.run.manifest import read_manifest
from experiments.run.records import SampleRecord, Scored, finished_records, loads
from experiments.run.reviews import read_reviews, reviewed
from experiments.run.sampling.executions import EXPECTED, audit_facts, plus_line, verdict_again
from index.errors import GraftError, InfraError

log = logging.getLogger(__name__)

Again = tuple[Scored, AuditFacts, str]


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A sample whose verdict differs from the journalled one."""

    arm: str
    task_id: str
    sample: int
    reading: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Regraded:
    """The records with today's verdicts, what changed, and a line for each file without which a sample couldn't be
    graded: it keeps its verdict."""

    records: tuple[SampleRecord, ...]
    changes: tuple[VerdictChange, ...]
    problems: tuple[str, ...]


def regrade_run(run: Path) -> int:
    """Grade the run's stored logs again, replace its report, and print what changed. Returns the exit code: 0, or
    STOPPED when a sample couldn't be graded. Raises ConfigError for a folder that holds no run or no finished
    sample."""
    manifest = read_manifest(run)
    done = regrade(run, finished_records(run))
    records, changes = done.records, done.changes
    report = make_report(run, manifest, records)
    keep_report(run, report)
    console = stdout()
    print_document(console, document(report), hint=f"graft show {run} --columns all and report.md have them")
    console.print()
    console.print(f"graded {len(records)} samples from their logs; {len(changes)} verdicts changed")
    for change in changes:
        where = f"{change.task_id} ({change.arm}, sample {change.sample}, {change.reading})"
        console.print(f"  {where}: {change.before} -> {change.after}", markup=False)
    for problem in done.problems:
        log.warning(f"graft: {problem}")
    return STOPPED if done.problems else 0


def regrade(run: Path, records: tuple[SampleRecord, ...]) -> Regraded:
    """Grade the stored logs of these samples again. What a damaged or missing file is needed for keeps its verdict."""
    expected: dict[str, ExpectedTests | str] = {
        name: _expected(run, name) for name in dict.fromkeys(record.repo for record in records)
    }
    fresh: list[SampleRecord] = []
    changes: list[VerdictChange] = []
    problems: list[str] = []

    reviews = read_reviews(run)

    def again(record: SampleRecord, scored: Scored) -> Again:
        found = _again(run, record, scored, expected[record.repo])
        if isinstance(found, str):
            problems.append(found)
            return scored, record.audit, record.plus
        fresh, audit, plus = found
        return replace(fresh, verdict=reviewed(fresh.verdict, reviews.get(fresh.execution))), audit, plus

    for record in records:
        (graft, audit, plus), (official, _, _) = again(record, record.graft), again(record, record.official)
        for reading, old, new in (("graft", record.graft, graft), ("official", record.official, official)):
            if old.verdict != new.verdict:
                before, after = (f"{v.outcome.value} ({v.reason})" for v in (old.verdict, new.verdict))
                changes.append(VerdictChange(record.arm, record.task_id, record.sample, reading, before, after))
        fresh.append(replace(record, graft=graft, official=official, audit=audit, plus=plus))
    return Regraded(tuple(fresh), tuple(changes), tuple(dict.fromkeys(problems)))


def _expected(run: Path, name: str) -> ExpectedTests | str:
    """What has to pass in the repository, or why that isn't known."""
    path = run / EXPECTED / f"{name}.json"
    try:
        return loads(ExpectedTests, path.read_bytes(), path)
    except FileNotFoundError:
        problem = f"{path}: missing"
    except (InfraError, OSError) as error:
        problem = str(error)
    return f"{problem}; the samples of {name} keep their verdicts; the run's own command writes it again"


def _again(run: Path, record: SampleRecord, scored: Scored, expected: ExpectedTests | str) -> Again | str:
    """The score with today's verdict, what its control run showed and what further tests say, or why there is none."""
    # Nothing ran where there is no execution (no answer, a model's error), or Graft itself failed.
    if not scored.execution or scored.verdict.outcome is Outcome.INFRA_ERROR:
        return scored, record.audit, record.plus
    if isinstance(expected, str):
        return expected
    try:
        execution, verdict = verdict_again(run, scored.execution, find_recipe(record.repo), expected)
    except (GraftError, OSError) as error:
        where = f"{record.task_id} ({record.arm}, sample {record.sample})"
        return f"{error}; {where} keeps its verdict; the run's own command builds and tests it again"
    return replace(scored, verdict=verdict), audit_facts(execution.run, verdict), plus_line(execution, expected)
