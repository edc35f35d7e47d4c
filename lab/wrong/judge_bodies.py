"""Judges a repository's wrong bodies by the suites that judge its tasks, and keeps their fates in the manifest. It can
be stopped and called again. The order of the tasks is drawn, so that a judgement that was stopped is a sample."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from executor.manifest.health import Fate, Health, HealthManifest, JudgedBodies
from executor.manifest.manifest import choose_judging_suites, digest_suites
from executor.sandbox.scheduled import count_concurrent_commands
from executor.threads import map_in_threads
from executor.values import Task
from index.errors import RecipeError
from index.progress import SILENT, Progress
from lab.doctor.manifest import save_manifest
from lab.doctor.task_examination import digest_gold
from lab.wrong.body_file import BodyEntry, WrongBody, make_wrong_bodies
from lab.wrong.stored_trials import TextTrials, make_body_fate, try_text

log = logging.getLogger(__name__)

_ORDER_SEED = 1


@dataclass(frozen=True, slots=True)
class JudgedRepository:
    """A repository whose wrong bodies are judged: where texts are tried, the chosen tasks, all wrong bodies by the
    task's id, and the manifest, which is kept at `path`."""

    trials: TextTrials
    tasks: Sequence[Task]
    entries: Mapping[str, Sequence[BodyEntry]]
    manifest: HealthManifest
    path: Path

    @property
    def task_ids(self) -> list[str]:
        return [task.id for task in self.tasks]


def require_current_manifest(judged: JudgedRepository) -> None:
    """Raises RecipeError for a manifest of another image or other suites, whose suites say nothing here."""
    image, manifest = judged.trials.image, judged.manifest
    if (manifest.image, manifest.expected) != (image.key, digest_suites(image.recipe)):
        raise RecipeError(f"{judged.path}: was made with another image or other suites; run graft doctor first")


def shuffle_tasks_to_judge(judged: JudgedRepository) -> list[Task]:
    """The valid tasks that have wrong bodies, in an order that is drawn."""
    known = judged.manifest.tasks
    found = [
        task
        for task in sorted(judged.tasks, key=lambda task: task.id)
        if task.id in judged.entries and task.id in known and known[task.id].health is Health.VALID
    ]
    random.Random(_ORDER_SEED).shuffle(found)
    return found


def judge_wrong_bodies(
    judged: JudgedRepository,
    progress: Progress = SILENT,
    *,
    budget_s: float = float("inf"),
) -> HealthManifest:
    """Judge the bodies of the valid ones among the tasks and write the manifest after each. A task whose gold doesn't
    pass beside its bodies is left out, with a warning. `budget_s`: wall seconds after which no further task is begun.
    Raises InfraError, and TaskError for a body that doesn't fit its gold."""
    require_current_manifest(judged)
    manifest, path = judged.manifest, judged.path
    todo = shuffle_tasks_to_judge(judged)
    deadline = time.monotonic() + budget_s
    lock = threading.Lock()

    def judge_and_save(task: Task) -> None:
        nonlocal manifest
        if time.monotonic() > deadline:
            return
        found = _judge_task(judged.trials, task, make_wrong_bodies(task, judged.entries), manifest)
        with lock:
            if found is not None and (manifest.wrong.get(task.id) != found or not path.is_file()):
                known = {**manifest.wrong, task.id: found}
                manifest = save_manifest(path, replace(manifest, wrong=dict(sorted(known.items()))))

    with progress.open_count("tasks judged", len(todo)) as advance:
        for _ in map_in_threads(judge_and_save, todo, count_concurrent_commands(judged.trials.backend)):
            advance()
    return manifest


def _judge_task(
    trials: TextTrials, task: Task, bodies: Iterable[WrongBody], manifest: HealthManifest
) -> JudgedBodies | None:
    suites = choose_judging_suites(trials.image.recipe, manifest, task.id)
    try:
        # Once more beside them: what fails on this machine today says nothing of a body.
        gold = try_text(trials, task, task.gold, suites)
    except RecipeError as error:
        log.warning(f"{task.id} {task.target.name}: {error}")
        return None
    if gold.find_fate(suites) is not Fate.SURVIVED:
        log.warning(
            f"{task.id} {task.target.name}: the gold fails {gold.find_killer(suites)}; its bodies aren't judged"
        )
        trials.find_stored_path(task, task.gold).unlink(missing_ok=True)
        return None
    fates = tuple(make_body_fate(body, try_text(trials, task, body.text, suites), suites) for body in bodies)
    passed = sum(fate.fate is Fate.SURVIVED for fate in fates)
    log.info(f"{task.id} {task.target.name}: {passed} of {len(fates)} wrong bodies pass {', '.join(suites)}")
    return JudgedBodies(tuple(suites), digest_gold(task), fates)
