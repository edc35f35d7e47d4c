"""What a page is about: the sides with their figures, the tasks, and every finished sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.compare.leaderboard import LeaderboardRow, rank_sides_with_samples_into_rows
from experiments.compare.pairs import Comparison, Pair, compare_sides
from experiments.compare.sides import read_sides
from experiments.documents import Document
from experiments.page.charts import Chart, make_charts
from experiments.report.report_document import make_report_document
from experiments.report.run_report import make_report
from experiments.report.story.task_texts import TaskText, read_task_texts
from experiments.run.records import SampleRecord, read_finished_records
from index.errors import ConfigError


@dataclass(frozen=True, slots=True)
class PageSample:
    """A finished sample: `side` and `task` count in Contents.sides and Contents.tasks. `text`: its task as its run had
    it, which on a renamed tree is another text."""

    side: int
    task: int
    run: Path
    record: SampleRecord
    text: TaskText


@dataclass(frozen=True, slots=True)
class RankedSides:
    """`places` are the sides' rows in the leaderboard, the best first. `comparison` has each side against the best;
    None with a single side, and where they share no task, of which `notes` tells."""

    places: tuple[LeaderboardRow, ...]
    comparison: Comparison | None
    charts: tuple[Chart, ...]
    notes: tuple[str, ...]

    def find_pair_with_best(self, place: LeaderboardRow) -> Pair | None:
        """The side against the best one; None for that itself."""
        pairs = () if self.comparison is None else self.comparison.pairs
        return next((pair for pair in pairs if pair.first == place.side.name), None)


@dataclass(frozen=True, slots=True)
class Contents:
    """`documents`: of each run what `graft show` prints. `partial`: a line for each side that isn't whole; `notes`:
    what else a reader must know before the figures."""

    title: str
    ranked: RankedSides
    documents: tuple[tuple[str, Document], ...]
    tasks: tuple[TaskText, ...]
    samples: tuple[PageSample, ...]
    partial: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def side_names(self) -> tuple[str, ...]:
        return tuple(place.side.name for place in self.ranked.places)


def read_rank_and_compare_sides(runs_or_arms: Sequence[str]) -> RankedSides:
    """The sides, compared. `runs_or_arms` are RUN or RUN:ARM, as for `graft compare`. Raises ConfigError as
    `read_sides`, and where no side has a sample that counts."""
    places = rank_sides_with_samples_into_rows(read_sides(runs_or_arms, fewest=1), {})
    if not places:
        raise ConfigError(f"{runs_or_arms[0]}: every sample ended in an infrastructure error; run again to retry them")
    comparison: Comparison | None = None
    notes: tuple[str, ...] = ()
    try:
        comparison = compare_sides([place.side for place in places], baseline="1") if len(places) > 1 else None
    except ConfigError as error:
        notes = (f"The sides aren't compared: {error}.",)
    return RankedSides(places, comparison, make_charts(places), notes)


def gather_page_contents(runs_or_arms: Sequence[str]) -> Contents:
    """All of the page but the stories. Raises ConfigError as `read_rank_and_compare_sides`."""
    ranked = read_rank_and_compare_sides(runs_or_arms)
    sides = [place.side for place in ranked.places]
    runs = list({side.run.path: side.run for side in sides}.values())
    # By its own rule each; the sides may be scored by one that is common to all runs.
    reports = [make_report(run.path, run.manifest, read_finished_records(run.path)) for run in runs]
    numbers = {(side.run.path, side.arm): number for number, side in enumerate(sides)}
    texts = {(run.path, task.id): task for run in runs for task in read_task_texts(run.manifest, run.records)}
    tasks = tuple({task.id: task for task in texts.values()}.values())
    order = {task.id: number for number, task in enumerate(tasks)}
    samples = [
        PageSample(
            numbers[run.path, record.arm],
            order[record.task_id],
            run.path,
            record,
            texts[run.path, record.task_id],
        )
        for run in runs
        for record in run.records
        if (run.path, record.arm) in numbers
    ]
    samples.sort(key=lambda sample: (sample.task, sample.side, sample.record.sample))
    documents = tuple((report.run, make_report_document(report)) for report in reports)
    return Contents(
        title="; ".join(dict.fromkeys(found.title for _, found in documents)),
        ranked=ranked,
        documents=documents,
        tasks=tasks,
        samples=tuple(samples),
        partial=tuple(side.partial for side in sides if side.partial),
        notes=(
            *(line for report in reports for line in report.variants),
            *dict.fromkeys(line for report in reports for line in report.judged_by),
            *([sides[0].by_suites] if sides[0].by_suites and len(runs) > 1 else []),
            *ranked.notes,
        ),
    )
