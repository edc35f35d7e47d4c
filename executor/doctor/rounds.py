"""The doctor's round over a repository's tasks: resumable, one manifest, written after each task."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from executor.doctor.examine import examine, text_digest
from executor.doctor.manifest import load_manifest, new_manifest, save_manifest, suites_key
from executor.doctor.reach import measure_reach, reach_of
from executor.doctor.values import Effort, Manifest, TaskHealth
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.values import Task
from index.errors import RecipeError
from index.progress import SILENT, Progress

log = logging.getLogger(__name__)


def make_round(
    image: Image,
    backend: Backend,
    tasks: Sequence[Task],
    chosen: Sequence[str],
    effort: Effort,
    cache: Path,
    path: Path,
    progress: Progress = SILENT,
    *,
    fresh: bool = False,
    further: bool = False,
    workers: int = 1,
) -> Manifest:
    """Examine the tasks with ids `chosen` that the manifest at `path` doesn't hold yet; all of them when `fresh`;
    those that it holds as well, from what is known of them on, when `further`.
    `workers` tasks are examined at once, each in sessions of its own.

    `tasks` are all of the repository's: reach is measured for all at once. A manifest of another image or of other
    suites is begun anew. Raises InfraErrors of the sandbox; what was examined before is kept.
    """
    found = load_manifest(path)
    manifest = new_manifest(image, backend.name, _today())
    if found is not None and (found.image, found.expected) == (image.key, suites_key(image.recipe)):
        # The times are this machine's, as the costs of the entries that are written now.
        manifest = replace(found, date=manifest.date, seconds=manifest.seconds)
    elif found is not None:
        log.info(f"{path}: was made with another image or other suites, so it's made anew")
    left = [task for task in tasks if task.id in chosen and (fresh or further or not _is_known(manifest, task))]
    known = sum(task.id in chosen and _is_known(manifest, task) for task in tasks)
    told = f", {'examined further' if further else 'examined again'}" if known and (further or fresh) else ""
    log.info(f"{image.recipe.name}: {len(chosen)} tasks asked for, {known} known already{told}")
    if not left:
        return manifest
    suites = [suite.name for suite in image.recipe.suites]
    if further and all(_is_known(manifest, task) for task in tasks):
        # On another machine than the one that measured it: the entries tell it all.
        reach = reach_of(manifest.tasks.values(), suites)
    else:
        reach = measure_reach(image, backend, tasks, suites, cache, workers=workers)
    folder = cache / "doctor" / image.key
    lock = threading.Lock()

    def one(task: Task) -> None:
        nonlocal manifest
        try:
            before = manifest.tasks[task.id] if further and _is_known(manifest, task) else None
            health = examine(image, backend, task, reach, effort, folder / task.id, before)
        except RecipeError as error:
            log.warning(f"{task.id} {task.target.name} can't be examined: {error}")
            return
        with lock:
            manifest = replace(manifest, tasks=_with(manifest, tasks, health))
            save_manifest(path, manifest)
            log.info(f"{task.id} {_told(health)}")

    with progress.counting("tasks examined", len(left)) as advance, ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(one, task) for task in left]
        try:
            for future in as_completed(waiting):
                future.result()
                advance()
        except BaseException:
            # What has begun ends; the rest needn't begin.
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return manifest


def _is_known(manifest: Manifest, task: Task) -> bool:
    known = manifest.tasks.get(task.id)
    return known is not None and known.text_digest == text_digest(task)


def _with(manifest: Manifest, tasks: Sequence[Task], health: TaskHealth) -> dict[str, TaskHealth]:
    """In the data set's order, whatever order they were examined in."""
    known = {**manifest.tasks, health.task_id: health}
    order = {task.id: number for number, task in enumerate(tasks)}
    return dict(sorted(known.items(), key=lambda pair: order.get(pair[0], len(order))))


def _told(health: TaskHealth) -> str:
    killed = f"{health.mutants_killed}/{health.mutants} mutants, {health.stubs_killed}/{health.stubs} stubs"
    forged = f"; forgeries passed: {', '.join(health.forgeries_passed)}" if health.forgeries_passed else ""
    suites = ", ".join(health.suites)
    return (
        f"{health.name}: {health.health.value}, {killed} killed, {suites} ({health.cost_s:.1f} s), "
        f"{health.seconds:.0f} s{'' if health.complete else ', budget ended'}{forged}"
    )


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
