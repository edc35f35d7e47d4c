"""Grade the stored logs of a run again, by today's parsers and rules. Nothing is run, no model is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from executor.repository.recipe import find_recipe
from executor.values import ExpectedTests
from experiments.consoles import stdout
from experiments.report.model import make_report
from experiments.report.render import keep_report, print_report
from experiments.run.executions import EXPECTED, verdict_again
from experiments.run.manifest import RunManifest, read_manifest
from experiments.run.records import SampleRecord, Scored, finished_records, loads


@dataclass(frozen=True, slots=True)
class Change:
    """A sample whose verdict differs from the journalled one."""

    arm: str
    task_id: str
    sample: int
    reading: str
    before: str
    after: str


def regrade_run(run: Path) -> None:
    """Grade the run's stored logs again, replace its report, and print what changed. Raises ConfigError for a folder
    that holds no run or no finished sample, InfraError when a log is gone."""
    manifest = read_manifest(run)
    records, changes = regrade(run, manifest, finished_records(run))
    report = make_report(run, manifest, records)
    keep_report(run, report)
    console = stdout()
    print_report(console, report)
    console.print(f"graded {len(records)} samples from their logs; {len(changes)} verdicts changed")
    for change in changes:
        where = f"{change.task_id} ({change.arm}, sample {change.sample}, {change.reading})"
        console.print(f"  {where}: {change.before} -> {change.after}", markup=False)


def regrade(
    run: Path, manifest: RunManifest, records: tuple[SampleRecord, ...]
) -> tuple[tuple[SampleRecord, ...], tuple[Change, ...]]:
    """The records with today's verdicts, and what changed. Raises InfraError when a log is gone."""
    expected = {
        name: loads(ExpectedTests, path.read_bytes(), path)
        for name in manifest.repos
        if (path := run / EXPECTED / f"{name}.json").is_file()
    }
    fresh: list[SampleRecord] = []
    changes: list[Change] = []
    for record in records:
        graft = _again(run, record, record.graft, expected)
        official = _again(run, record, record.official, expected)
        for reading, old, new in (("graft", record.graft, graft), ("official", record.official, official)):
            if old.verdict != new.verdict:
                before, after = (f"{v.outcome.value} ({v.reason})" for v in (old.verdict, new.verdict))
                changes.append(Change(record.arm, record.task_id, record.sample, reading, before, after))
        fresh.append(replace(record, graft=graft, official=official))
    return tuple(fresh), tuple(changes)


def _again(run: Path, record: SampleRecord, scored: Scored, expected: dict[str, ExpectedTests]) -> Scored:
    # Nothing ran where there is no execution (no answer, a model's error, an infrastructure failure).
    if not scored.execution or not (run / scored.execution / "execution.json").is_file():
        return scored
    _, verdict = verdict_again(run, scored.execution, find_recipe(record.repo), expected[record.repo])
    return replace(scored, verdict=verdict)
