"""Finds sabotages for the control run: for each judging suite, functions that it notices when they are broken."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import replace

from executor.candidate.control_runs import BrokenObjects
from executor.manifest.health import HealthManifest
from executor.manifest.manifest import choose_judging_suites, load_manifest
from executor.sandbox.scheduled import find_concurrent_command_limit
from executor.threads import map_in_threads_as_completed
from executor.values import Task
from index.errors import RecipeError
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex
from lab.doctor.manifest import update_health_by_plus_tests_and_save
from lab.doctor.repository_examination import OpenRepository, Scope
from lab.doctor.sabotage_candidates import rank_functions_to_break
from lab.doctor.suite_sabotages import SabotageSearch, SearchEffort

log = logging.getLogger(__name__)


def find_sabotages_failing_suites(
    repository: OpenRepository,
    index: RepoIndex,
    effort: SearchEffort,
    progress: Progress = SILENT,
    *,
    scope: Scope = "missing",
) -> HealthManifest:
    """Find sabotages for the suites that judge the chosen tasks, and write the manifest after each suite, whose entry
    holds all tasks of the repository that it judges. `scope`: the suites that the manifest has no entry for (missing),
    those too that lack sabotages for a chosen task, for which alone more is looked for (further), or all of them anew
    (all). Raises RecipeError without a manifest, and InfraErrors of the sandbox."""
    image, tasks, chosen, path = repository.image, repository.tasks, repository.chosen, repository.path
    manifest = load_manifest(path)
    if manifest is None:
        raise RecipeError(f"{path}: no manifest says which suites judge; run graft doctor first")
    judged: dict[str, list[Task]] = {}
    for task in tasks:
        for name in choose_judging_suites(image.recipe, manifest, task.id):
            judged.setdefault(name, []).append(task)
    wanted = {name for name, found in judged.items() if any(task.id in chosen for task in found)}
    before = {} if scope == "all" else manifest.sabotages
    left = [name for name in judged if name in wanted and name not in before]
    if scope == "further":
        judged = {name: [task for task in found if task.id in chosen] for name, found in judged.items()}
        for name in wanted & before.keys():
            if any(sum(task.id in made.tasks for made in before[name]) < effort.wanted for task in judged[name]):
                left.append(name)
    left.sort(key=lambda name: (image.suite_seconds.get(name, 0.0) * len(judged[name]), name))
    log.info(f"{image.recipe.name}: {len(wanted)} suites judge, sabotages to find for {len(left)}")
    broken: BrokenObjects = {}
    lock = threading.Lock()

    def find_and_save_suite_sabotages(name: str) -> None:
        nonlocal manifest
        assert manifest is not None
        if time.time() >= effort.ends:
            return
        ranked = rank_functions_to_break(image, index, name, judged[name], manifest, tasks)
        folder, known = repository.cached_trial_log_folder / "sabotage" / name, before.get(name, ())
        search = SabotageSearch(image, repository.backend, name, judged[name], effort, folder, broken, known)
        found = search.search_suite(ranked)
        with lock:
            held = {other: made for other, made in {**manifest.sabotages, name: found}.items() if made}
            manifest = update_health_by_plus_tests_and_save(
                path, replace(manifest, sabotages=dict(sorted(held.items())))
            )

    with progress.open_count("suites searched", len(left)) as advance:
        for _ in map_in_threads_as_completed(
            find_and_save_suite_sabotages, left, find_concurrent_command_limit(repository.backend)
        ):
            advance()
    return manifest
