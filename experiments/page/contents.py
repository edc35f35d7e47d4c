"""What a page is about: the sides with their figures, the tasks, and every finished sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.compare.charts import Chart, charts
from experiments.compare.leaderboard import LeaderboardRow, leaderboard
from experiments.compare.pairs import Comparison, Pair, compare
from experiments.compare.sides import Side, read_sides
from experiments.documents import Document
from experiments.report.layout import document
from experiments.report.model import make_report
from experiments.report.story.task_texts import TaskText, read_task_texts
from experiments.run.manifest import read_manifest
from experiments.run.pass_rule import SUITES_ALONE, WITH_PLUS
from experiments.run.records import SampleRecord, read_finished_records
from index.errors import ConfigError


@dataclass(frozen=True, slots=True)
class PageSample:
    """A finished sample: `side` and `task` count in Contents.sides and Contents.tasks."""

    side: int
    task: int
    run: Path
    record: SampleRecord


@dataclass(frozen=True, slots=True)
class PageSide:
    """`place` is its row in the leaderboard and `against` its pair with the best side; None for the best, and where
    they share no task."""

    side: Side
    place: LeaderboardRow
    against: Pair | None


@dataclass(frozen=True, slots=True)
class Contents:
    """`sides` are in the leaderboard's order. `comparison` has each side against the best; None with a single side.
    `documents`: of each run what `graft show` prints. `partial`: a line for each side that isn't whole; `notes`: what
    else a reader must know before the figures."""

    title: str
    sides: tuple[PageSide, ...]
    comparison: Comparison | None
    charts: tuple[Chart, ...]
    documents: tuple[tuple[str, Document], ...]
    tasks: tuple[TaskText, ...]
    samples: tuple[PageSample, ...]
    partial: tuple[str, ...]
    notes: tuple[str, ...]


def gather(words: Sequence[str]) -> Contents:
    """All of the page but the stories. `words` are RUN or RUN:ARM, as for `graft compare`. Raises ConfigError as
    `read_sides`, and where no side has a sample that counts."""
    sides = read_sides(words, fewest=1)
    places = leaderboard(sides, {})
    if not places:
        raise ConfigError(f"{words[0]}: every sample ended in an infrastructure error; run again to retry them")
    runs = list(dict.fromkeys(side.run for side in sides))
    manifests = {run: read_manifest(run) for run in runs}
    reports = {run: make_report(run, manifests[run], read_finished_records(run)) for run in runs}
    # As the sides are scored, which may be by a rule that is common to all runs.
    rule = SUITES_ALONE if sides[0].by_suites else WITH_PLUS
    records = {run: read_finished_records(run, rule) for run in runs}
    ranked = [place.side for place in places]
    comparison, problem = _compared(ranked)
    numbers = {(side.run, side.arm): number for number, side in enumerate(ranked)}
    tasks = tuple({task.id: task for run in runs for task in read_task_texts(manifests[run], records[run])}.values())
    order = {task.id: number for number, task in enumerate(tasks)}
    samples = [
        PageSample(numbers[run, record.arm], order[record.task_id], run, record)
        for run in runs
        for record in records[run]
        if (run, record.arm) in numbers
    ]
    samples.sort(key=lambda sample: (sample.task, sample.side, sample.record.sample))
    budgets = {side.name: int(manifests[side.run].config.get("context_tokens", 0)) for side in sides}
    documents = {run: document(reports[run]) for run in runs}
    return Contents(
        title="; ".join(dict.fromkeys(found.title for found in documents.values())),
        sides=tuple(
            PageSide(
                side,
                place,
                next((pair for pair in comparison.pairs if pair.first == side.name), None) if comparison else None,
            )
            for side, place in zip(ranked, places, strict=True)
        ),
        comparison=comparison,
        charts=charts(places, budgets),
        documents=tuple((str(run), found) for run, found in documents.items()),
        tasks=tasks,
        samples=tuple(samples),
        partial=tuple(side.partial for side in ranked if side.partial),
        notes=(
            *(line for run in runs for line in reports[run].variants),
            *dict.fromkeys(line for run in runs for line in reports[run].judged_by),
            *([sides[0].by_suites] if sides[0].by_suites and len(runs) > 1 else []),
            *problem,
        ),
    )


def _compared(ranked: Sequence[Side]) -> tuple[Comparison | None, tuple[str, ...]]:
    if len(ranked) < 2:
        return None, ()
    try:
        return compare(ranked, baseline="1"), ()
    except ConfigError as error:
        return None, (f"The sides aren't compared: {error}.",)
