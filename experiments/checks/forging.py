"""graft doctor --forge: play the library of forgeries over valid tasks, each by the way that every answer takes."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from executor.doctor.forger.compose import compose, driver_of, suits
from executor.doctor.forger.library import Forgery, load_library
from executor.doctor.forger.record import FORMAT, ForgeRecord, Played, catch_of, save
from executor.doctor.manifest import valid_ids
from executor.values import Task
from experiments.run.config import RunConfig
from experiments.run.executions import Executions, Slots, verdict_of
from experiments.run.workspace import Repo, Workspace, prepare
from index.errors import ConfigError, TaskError
from index.progress import SILENT, Progress
from index.strict import did_you_mean

log = logging.getLogger(__name__)

RECORD = "forged.json"
# A record is written after so many trials, and at the end.
_SAVE_EVERY = 10


@dataclass(frozen=True, slots=True)
class Forging:
    """What to play. Empty `repos`, `tasks` or `forgeries` stand for all; `sample` None for every suitable pair of a
    forgery and a valid task. The order is drawn by `seed`, so that a run that is stopped is a sample too."""

    dataset: str
    repos: tuple[str, ...]
    tasks: tuple[str, ...]
    forgeries: tuple[str, ...]
    sample: int | None
    seed: int
    out: Path
    sandbox: str
    mirror: Path | None
    workers: int


def play_forgeries(request: Forging, cache: Path, progress: Progress = SILENT) -> ForgeRecord:
    """Play the pairs that are left of the request and return the record, which `out`/forged.json holds as well. A pair
    whose execution lies in `out` isn't run again. Raises ConfigError for a sandbox that doesn't isolate, TaskError for
    an unknown forgery, and what `prepare` raises."""
    library = _chosen(request.forgeries)
    space = prepare(_config(request), cache, progress)
    if not space.sandbox.backend.isolated:
        raise ConfigError(
            f"sandbox {space.sandbox.backend.name}: it doesn't isolate, and a forgery attacks whatever it reaches;"
            " use bwrap or docker"
        )
    pairs = _pairs(library, space, request.seed)
    wanted = pairs if request.sample is None else pairs[: request.sample]
    executions = Executions(request.out, space.sandbox.backend, Slots(request.workers))
    record = ForgeRecord(
        FORMAT,
        datetime.now(UTC).date().isoformat(),
        space.sandbox.backend.name,
        len({task.id for _, task in pairs}),
        len(library),
        len(pairs),
        len(wanted),
        request.seed,
        (),
    )
    log.info(f"{len(library)} forgeries, {record.tasks} valid tasks: {len(wanted)} of {len(pairs)} pairs")

    def play(forgery: Forgery, task: Task) -> Played:
        return _play(executions, space.repos[task.target.repo], forgery, task)

    try:
        with progress.counting("forgeries played", len(wanted)) as advance:
            for trial in _side_by_side(play, wanted, request.workers):
                record = replace(record, played=(*record.played, trial))
                if len(record.played) % _SAVE_EVERY == 0:
                    save(request.out / RECORD, record)
                advance(note=f"{len(record.unflagged)} passed unflagged")
    finally:
        save(request.out / RECORD, record)
    return record


def _side_by_side(play, wanted: Sequence[tuple[Forgery, Task]], workers: int) -> Iterator[Played]:  # type: ignore[no-untyped-def]
    with ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(play, forgery, task) for forgery, task in wanted]
        try:
            for future in as_completed(waiting):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _play(executions: Executions, repo: Repo, forgery: Forgery, task: Task) -> Played:
    suites = repo.suites_for(task.id)
    text = compose(forgery, repo.image, task, suites)
    name, done = executions.of(repo, task, text)
    verdict = verdict_of(done, repo.image.expected)
    run = done.run
    steps = (*run.check, *run.build, *(suite.step for suite in run.suites))
    return Played(
        task.target.repo,
        task.id,
        task.target.name,
        forgery.name,
        forgery.family,
        catch_of(run, verdict),
        verdict.reason,
        verdict.flags,
        round(sum(step.wall_s for step in steps), 2),
        name,
    )


def _config(request: Forging) -> RunConfig:
    return RunConfig(
        model="stub",
        arms=("none",),
        dataset=request.dataset,
        repos=request.repos,
        tasks=request.tasks or ("valid",),
        sandbox=request.sandbox,
        mirror=request.mirror,
    )


def _chosen(names: Sequence[str]) -> tuple[Forgery, ...]:
    library = load_library()
    known = {forgery.name for forgery in library}
    for name in names:
        if name not in known:
            raise TaskError(f"forgery {name!r} isn't in the library{did_you_mean(name, sorted(known))}")
    return tuple(forgery for forgery in library if not names or forgery.name in names)


def _pairs(library: Sequence[Forgery], space: Workspace, seed: int) -> list[tuple[Forgery, Task]]:
    """Every forgery with every valid task that it suits. In rounds: each round has each forgery once, on a task that
    is drawn, so that however few are played they are of all classes."""
    drawn = random.Random(seed)
    tasks = [task for task in space.tasks if _is_valid(space.repos[task.target.repo], task)]
    drivers = {task.id: _driver(space.repos[task.target.repo], task) for task in tasks}
    columns = []
    for forgery in library:
        column = [task for task in tasks if suits(forgery, task, drivers[task.id])]
        drawn.shuffle(column)
        columns.append([(forgery, task) for task in column])
    longest = max(map(len, columns), default=0)
    return [column[number] for number in range(longest) for column in columns if number < len(column)]


def _is_valid(repo: Repo, task: Task) -> bool:
    return repo.health is not None and task.id in valid_ids(repo.health)


def _driver(repo: Repo, task: Task) -> str:
    return driver_of(repo.image, repo.suites_for(task.id))
