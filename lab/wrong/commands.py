"""graft audit wrong: are the wrong bodies well made, and how many of them pass?"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from executor.manifest.health import Fate, HealthManifest, PlusHealth
from executor.manifest.manifest import load_manifest, manifest_path
from executor.repository.recipe import find_recipe
from executor.sandbox.scheduled import find_concurrent_command_limit
from executor.threads import map_in_threads_as_completed
from executor.values import Task
from index.errors import RecipeError, TaskError
from index.progress import SILENT, Progress
from lab.doctor.data_set_examination import (
    DoctorRequest,
    ManifestAndChosenTaskIds,
    examine_tasks,
    list_chosen_repositories,
    open_repositories,
)
from lab.doctor.manifest import update_health_by_plus_tests_and_save
from lab.wrong.body_file import (
    WANTED,
    BodyEntry,
    WrongBody,
    find_body_file,
    find_body_rule_violations,
    make_usable_bodies,
    make_wrong_bodies,
    read_body_entries,
)
from lab.wrong.compile_bodies import compile_and_compare_bodies_with_gold
from lab.wrong.judge_bodies import JudgedRepository, require_current_manifest
from lab.wrong.plus_tests import find_reusable_plus_health, try_plus_tests
from lab.wrong.stored_trials import TextTrials

log = logging.getLogger(__name__)

ProblemsAndCountingLine = tuple[list[str], str]
TaskHealthAndSurvivingBodies = tuple[Task, PlusHealth, list[WrongBody]]


@dataclass(frozen=True, slots=True)
class WrongRequest(DoctorRequest):
    """Which wrong bodies, of which tasks. `bodies`: the folder of the files REPO.yaml; None: Graft's own, or
    `wrong.yaml` beside a recipe of one's own."""

    bodies: Path | None = None


def check_bodies(request: WrongRequest, cache: Path, progress: Progress = SILENT) -> Iterator[ProblemsAndCountingLine]:
    """The problems of each repository's file, and one line that counts: its rules, then whether each body compiles to
    something else than the gold. A task without bodies is counted and no problem. Raises TaskError for a file that is
    missing or can't be read, and what building an image raises."""
    files = _read_body_files(request)
    for repository in open_repositories(request, cache):
        image, backend, tasks, ids = repository.image, repository.backend, repository.tasks, repository.chosen
        entries = files[image.recipe.name]
        # A repository's file serves all data sets on it. The manifest knows the tasks of the others.
        manifest = load_manifest(repository.path) or load_manifest(manifest_path(image.recipe))
        elsewhere = set(manifest.tasks if manifest else ()).difference(task.id for task in tasks)
        entries = {
            key: bodies
            for key, bodies in entries.items()
            if key not in elsewhere and (not request.tasks or key in ids)
        }
        problems = list(find_body_rule_violations(tasks, entries))
        mine = [task for task in tasks if task.id in entries]
        with progress.open_count("tasks compiled", len(mine)) as advance:
            for task in mine:
                usable = list(make_usable_bodies(task, entries))
                for body, problem in compile_and_compare_bodies_with_gold(image, backend, task, usable, cache):
                    if problem:
                        problems.append(f"{task.id} {task.target.name}: body {body.number} ({body.kind}): {problem}")
                advance()
        bodies = [entry for made in entries.values() for entry in made]
        held = sum(entry.held for entry in bodies)
        few = sum(len(made) < WANTED for made in entries.values())
        yield (
            problems,
            f"{image.recipe.name}: {len(bodies)} wrong bodies ({held} held back) of {len(mine)} tasks,"
            f" {len(problems)} problems; {few} tasks have fewer than {WANTED}, {len(ids) - len(mine)} none",
        )


def check_plus_tests(request: WrongRequest, gold_runs: int, cache: Path) -> Iterator[TaskHealthAndSurvivingBodies]:
    """Each task that has plus tests, what these say of its gold, its stubs and the wrong bodies that aren't held back,
    and which of those pass. Nothing is kept. Raises as `open_judged_repositories` does."""
    for judged in open_judged_repositories(request, cache, needs_bodies=False):
        for task in _find_tasks_with_plus_tests(judged.trials, judged.tasks):
            shown = [body for body in make_wrong_bodies(task, judged.entries) if not body.held]
            found = try_plus_tests(judged.trials, task, shown, gold_runs)
            passed = {body.digest for body in found.bodies if body.fate is Fate.SURVIVED}
            yield task, found, [body for body in shown if body.digest in passed]


def judge_plus_tests(
    request: WrongRequest, gold_runs: int, cache: Path, progress: Progress = SILENT
) -> Iterator[ManifestAndChosenTaskIds]:
    """Each repository's manifest with the ids of the chosen tasks, once their plus tests were tried on the gold, the
    stubs and all wrong bodies. What the manifest holds of unchanged tests stays. Raises as `open_judged_repositories`
    does."""
    for judged in open_judged_repositories(request, cache, needs_bodies=False):
        require_current_manifest(judged)
        yield _try_plus_tests_and_save(judged, gold_runs, progress), judged.task_ids


def _try_plus_tests_and_save(judged: JudgedRepository, gold_runs: int, progress: Progress) -> HealthManifest:
    """Try the chosen tasks' plus tests side by side, and save the manifest after each."""
    trials, manifest, path, lock = judged.trials, judged.manifest, judged.path, threading.Lock()
    todo = _find_tasks_with_plus_tests(trials, judged.tasks)
    if not path.is_file():
        update_health_by_plus_tests_and_save(path, manifest)

    def judge_and_save(task: Task) -> None:
        nonlocal manifest
        bodies = make_wrong_bodies(task, judged.entries)
        known = find_reusable_plus_health(manifest, trials, task, gold_runs)
        if known is None or {b.digest for b in known.bodies} != {b.digest for b in bodies}:
            found = try_plus_tests(trials, task, bodies, gold_runs)
            with lock:
                manifest = _save_plus_health(manifest, path, task, found)

    with progress.open_count("tasks tried", len(todo)) as advance:
        for _ in map_in_threads_as_completed(judge_and_save, todo, find_concurrent_command_limit(trials.backend)):
            advance()
    return manifest


def examine_tasks_and_plus_tests(
    request: DoctorRequest, cache: Path, progress: Progress = SILENT
) -> Iterator[ManifestAndChosenTaskIds]:
    """Each repository's manifest with the ids of the chosen tasks, as soon as they are examined and their plus tests
    are tried on gold and stubs, for a task's health is by all that grades it. Plus tests don't know a variant's names:
    there none is tried. Raises as `examine_tasks` does."""
    gold_runs = request.effort.gold_runs
    for repository, manifest in examine_tasks(request, cache, progress):
        trials = TextTrials(repository.image, repository.backend, cache)
        for task in () if request.variant else _find_tasks_with_plus_tests(trials, repository.chosen_tasks):
            known = find_reusable_plus_health(manifest, trials, task, gold_runs)
            if task.id not in manifest.tasks or (known is not None and not request.fresh):
                continue
            try:
                found = try_plus_tests(trials, task, (), gold_runs)
            except RecipeError as error:
                log.warning(f"{task.id} {task.target.name}: its plus tests can't be tried: {error}")
                continue
            # What these tests did with wrong bodies still holds.
            bodies = known.bodies if known is not None else ()
            manifest = _save_plus_health(manifest, repository.path, task, replace(found, bodies=bodies))
            log.info(f"{task.id} {task.target.name}: {found.stubs_killed}/{found.stubs} stubs fail its plus tests")
        yield manifest, list(repository.chosen)


def _save_plus_health(manifest: HealthManifest, path: Path, task: Task, found: PlusHealth) -> HealthManifest:
    return update_health_by_plus_tests_and_save(
        path, replace(manifest, plus=dict(sorted({**manifest.plus, task.id: found}.items())))
    )


def _find_tasks_with_plus_tests(trials: TextTrials, tasks: Sequence[Task]) -> list[Task]:
    return [task for task in tasks if trials.image.recipe.list_plus_tests_of_task(task.id)]


def open_judged_repositories(
    request: WrongRequest, cache: Path, needs_bodies: bool = True
) -> Iterator[JudgedRepository]:
    """Each repository with its wrong bodies and its manifest. Raises TaskError without bodies or a manifest, and what
    building an image raises."""
    files = _read_body_files(request, needs_bodies)
    for repository in open_repositories(request, cache):
        recipe, path = repository.image.recipe, repository.path
        manifest = load_manifest(path) or load_manifest(manifest_path(recipe))
        if manifest is None:
            raise TaskError(f"no manifest at {path}: graft doctor makes it")
        trials = TextTrials(repository.image, repository.backend, cache)
        yield JudgedRepository(trials, repository.chosen_tasks, files[recipe.name], manifest, path)


def _read_body_files(request: WrongRequest, needs_bodies: bool = True) -> dict[str, dict[str, tuple[BodyEntry, ...]]]:
    """The wrong bodies of each chosen repository. Read before an image is built, which may take minutes. A repository
    has none where they aren't needed and no folder was named."""
    found: dict[str, dict[str, tuple[BodyEntry, ...]]] = {}
    for name in list_chosen_repositories(request):
        path = find_body_file(find_recipe(name), request.bodies)
        if not (needs_bodies or request.bodies or path.is_file()):
            found[name] = {}
            continue
        if not path.is_file():
            raise TaskError(f"{path}: no such file; write it as docs/how-to/tasks/write-wrong-bodies.md says")
        found[name] = read_body_entries(path)
    return found
