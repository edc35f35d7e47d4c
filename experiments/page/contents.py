"""What a page is about: the sides with their figures, the tasks, and every finished sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.cache import cache_root
from executor.repository.recipe import find_recipe
from executor.repository.source import is_at_hand, mirror_from_env
from executor.tasks.load import load_rows
from executor.tasks.row import TaskRow
from executor.values import Task
from experiments.compare.charts import Chart, charts
from experiments.compare.leaderboard import LeaderboardRow, leaderboard
from experiments.compare.pairs import Comparison, Pair, compare
from experiments.compare.sides import Side, read_sides
from experiments.documents import Document
from experiments.report.layout import document
from experiments.report.model import make_report
from experiments.run.config import RunConfig
from experiments.run.manifest import RunManifest, read_manifest
from experiments.run.pass_rule import SUITES_ALONE, WITH_PLUS
from experiments.run.records import SampleRecord, finished_records
from experiments.run.workspace import read_tasks
from index.errors import ConfigError, GraftError


@dataclass(frozen=True, slots=True)
class PageTask:
    """A task of the runs. `name`, `place`, `signature` and `docstring` are "" where its data set is gone; `gold` is
    the repository's own text, or where that isn't at hand the data set's, or None. `health`: what the doctor says."""

    id: str
    repo: str
    level: str
    health: str
    name: str = ""
    place: str = ""
    signature: str = ""
    docstring: str = ""
    gold: str | None = None
    notes: tuple[str, ...] = ()


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
    tasks: tuple[PageTask, ...]
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
    reports = {run: make_report(run, manifests[run], finished_records(run)) for run in runs}
    # As the sides are scored, which may be by a rule that is common to all runs.
    rule = SUITES_ALONE if sides[0].by_suites else WITH_PLUS
    records = {run: finished_records(run, rule) for run in runs}
    ranked = [place.side for place in places]
    comparison, problem = _compared(ranked)
    numbers = {(side.run, side.arm): number for number, side in enumerate(ranked)}
    tasks = _tasks(manifests, [r for found in records.values() for r in found])
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


def _tasks(manifests: Mapping[Path, RunManifest], records: Sequence[SampleRecord]) -> tuple[PageTask, ...]:
    """The tasks of the records, in the order of the data set as far as it is known."""
    bound: dict[str, Task] = {}
    rows: dict[str, TaskRow] = {}
    health: dict[str, str] = {}
    order: dict[str, None] = {}
    notes: dict[str, tuple[str, ...]] = {}
    for manifest in manifests.values():
        order.update(dict.fromkeys(manifest.tasks))
        notes.update(manifest.task_notes)
        for repo in manifest.repos.values():
            health.update(repo.health.health if repo.health is not None else {})
        bound.update(_bound(manifest))
        rows.update(_rows(manifest))
    places = {record.task_id: (record.repo, record.level) for record in records}
    ids = [*(task for task in order if task in places), *(task for task in places if task not in order)]
    return tuple(
        _task(task, *places[task], health.get(task, ""), bound.get(task), rows.get(task), notes.get(task, ()))
        for task in ids
    )


def _task(
    task_id: str, repo: str, level: str, health: str, bound: Task | None, row: TaskRow | None, notes: tuple[str, ...]
) -> PageTask:
    target = bound.target if bound is not None else None if row is None else row.target
    if target is None:
        return PageTask(task_id, repo, level, health, notes=notes)
    holes = target.holes
    return PageTask(
        task_id,
        repo,
        level,
        health,
        name=", ".join(hole.name for hole in holes),
        place=", ".join(f"{hole.path}:{hole.span.first}-{hole.span.last}" for hole in holes),
        signature="\n".join(" ".join(hole.signature.split()) for hole in holes),
        docstring="\n\n".join(hole.docstring.strip() for hole in holes),
        gold=bound.gold if bound is not None else row.dataset_gold if row is not None else None,
        notes=notes,
    )


def _bound(manifest: RunManifest) -> dict[str, Task]:
    """The tasks with the repository's own text, where its source is at hand: a report fetches nothing."""
    cache = cache_root()
    try:
        mirror = mirror_from_env(RunConfig.model_validate(manifest.config).mirror)
        repos = [name for name in manifest.repos if is_at_hand(find_recipe(name), mirror, cache)]
        chosen = {"tasks": [], "repos": repos, "levels": [], "limit": None}
        config = RunConfig.model_validate({**manifest.config, **chosen})
        return {task.id: task for task in read_tasks(config, cache).tasks} if repos else {}
    except (GraftError, ValueError):
        return {}


def _rows(manifest: RunManifest) -> dict[str, TaskRow]:
    try:
        config = RunConfig.model_validate(manifest.config)
        return {row.id: row for row in load_rows(config.dataset, config.oracle_file)}
    except (GraftError, ValueError):
        return {}
