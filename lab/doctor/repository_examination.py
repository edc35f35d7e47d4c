"""The doctor over one repository's tasks. It can be killed and run again: the manifest is written after each task."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from executor.manifest.health import HealthManifest, TaskHealth, judge_task_by_suites_alone
from executor.repository.images import Image
from executor.sandbox.capacity import count_usable_cores
from executor.sandbox.contract import Backend
from executor.sandbox.scheduled import find_concurrent_command_limit
from executor.threads import map_in_threads_as_completed
from executor.values import Task
from executor.workers.contract import Site, Workers, estimate_needs
from executor.workers.local import LocalWorkers
from index.errors import RecipeError, TimeOver
from index.progress import SILENT, Progress
from lab.doctor.body_trial import Effort
from lab.doctor.manifest import open_manifest, summarize_health, update_health_by_plus_tests_and_save
from lab.doctor.reach import Reach, measure_which_suites_enter_tasks
from lab.doctor.task_examination import digest_gold, examine_task

log = logging.getLogger(__name__)

# Which of the chosen tasks to examine: those that the manifest lacks; those that it holds as well, from what it knows
# of them; or all anew.
Scope = Literal["missing", "further", "all"]
# An examination rarely takes more budgets than this: gold, plain stubs and forgeries come on top.
_USUAL_BUDGETS = 2.0


@dataclass(frozen=True, slots=True)
class OpenRepository:
    """A repository under examination: its warm image in its sandbox, all its tasks (reach is measured for all at
    once), the ids of those that are `chosen`, and the manifest's `path`. Logs and reach lie in the `cache`."""

    image: Image
    backend: Backend
    tasks: Sequence[Task]
    chosen: Sequence[str]
    path: Path
    cache: Path

    @property
    def chosen_tasks(self) -> list[Task]:
        return [task for task in self.tasks if task.id in self.chosen]

    @property
    def cached_trial_log_folder(self) -> Path:
        """Where the logs of its trials lie."""
        return self.cache / "doctor" / self.image.key


def examine_repository(
    repository: OpenRepository,
    effort: Effort,
    progress: Progress = SILENT,
    *,
    scope: Scope = "missing",
    places: Workers | None = None,
    should_skip_task: Callable[[Task], bool] = lambda task: False,
    handle_health: Callable[[Task, TaskHealth], None] = lambda task, health: None,
) -> HealthManifest:
    """Examine the chosen tasks in their order, as far as `scope` says, several at the same time, at `places` (None:
    here), and write the manifest after each. Reach is measured on this machine. A task for which `should_skip_task` is
    true at its turn is left out. `handle_health` is called with each entry, known or new, in the thread that made it.
    A manifest of another image or of other suites is replaced. Raises InfraErrors of the sandbox, and RecipeError when
    the tree with probes can't be built; what was examined stays, and a task that the time of `effort` ended has no
    entry."""
    image, tasks, path = repository.image, repository.tasks, repository.path
    manifest = open_manifest(path, image, repository.backend.name)
    by_id = {task.id: task for task in tasks}
    ranks = {key: number for number, key in enumerate(by_id)}
    in_turn = [by_id[key] for key in repository.chosen if key in by_id]
    known = [task for task in in_turn if _has_entry_with_current_gold(manifest, task)]
    left = [task for task in in_turn if scope != "missing" or task not in known]
    counts = f"{len(repository.chosen)} tasks chosen, {len(known)} known already, {len(left)} to examine"
    log.info(f"{image.recipe.name}: {counts}")
    for task in known:
        handle_health(task, manifest.tasks[task.id])
    if not left:
        return manifest
    suites = [suite.name for suite in image.recipe.suites]
    if scope == "further" and all(_has_entry_with_current_gold(manifest, task) for task in tasks):
        # Another machine may have measured reach: the entries hold it.
        entered = {e.task_id: e.reached_by for e in manifest.tasks.values() if e.reached_by is not None}
        reach = Reach(entered, tuple(suites))
    else:
        reach = measure_which_suites_enter_tasks(image, repository.backend, tasks, suites, repository.cache)
    needs = replace(estimate_needs(image, suites), seconds=_USUAL_BUDGETS * effort.budget_s)
    doing = places or LocalWorkers(repository.backend, repository.cache)
    at_once = find_concurrent_command_limit(repository.backend)
    if places is None:
        at_once = count_parallel_examinations(image, repository.backend)
        # Where few tasks are left, more variants of each are tried at the same time.
        effort = replace(effort, at_once=max(1, at_once // len(left)))
    lock = threading.Lock()

    def examine_and_save_task(task: Task) -> None:
        nonlocal manifest
        if should_skip_task(task):
            return
        further = scope == "further" and _has_entry_with_current_gold(manifest, task)
        before = judge_task_by_suites_alone(manifest.tasks[task.id]) if further else None
        folder = repository.cached_trial_log_folder / task.id
        try:
            health = doing.run_work_in_sandbox(
                _examine_at_site, image, folder, task, reach, effort, before, needs=needs
            )
        except TimeOver:
            return
        except RecipeError as error:
            log.warning(f"{task.id} {task.target.name} can't be examined: {error}")
            return
        with lock:
            added = {**manifest.tasks, task.id: health}
            # In the order of the data set; tasks of another one come last.
            inside = sorted(added, key=lambda key: ranks.get(key, len(ranks)))
            manifest = update_health_by_plus_tests_and_save(
                path, replace(manifest, tasks={key: added[key] for key in inside})
            )
            log.info(f"{task.id} {summarize_health(health)}")
        handle_health(task, health)

    with progress.open_count("tasks examined", len(left)) as advance:
        for _ in map_in_threads_as_completed(examine_and_save_task, left, at_once):
            advance()
    return manifest


def count_parallel_examinations(image: Image, backend: Backend) -> int:
    """How many tasks are examined at the same time: one for each core, and up to four where tests mostly wait. A
    task's budget is in seconds by the clock, and more of them would take each other's."""
    seconds = sum(image.suite_seconds.values())
    busy = sum(image.suite_cpu_s.values()) / seconds if image.suite_cpu_s and seconds else 1.0
    return min(find_concurrent_command_limit(backend), round(count_usable_cores() / min(1.0, max(0.25, busy))))


def _examine_at_site(
    site: Site, image: Image, folder: Path, task: Task, reach: Reach, effort: Effort, earlier_entry: TaskHealth | None
) -> TaskHealth:
    return examine_task(image, site.backend, task, reach, effort, folder, earlier_entry)


def _has_entry_with_current_gold(manifest: HealthManifest, task: Task) -> bool:
    known = manifest.tasks.get(task.id)
    return known is not None and known.text_digest == digest_gold(task)
