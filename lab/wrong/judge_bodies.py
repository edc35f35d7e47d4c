"""Judges a repository's wrong bodies by the suites that judge its tasks, and chooses more suites to judge them by: all
cheap ones that enter a task's function, as far as a time budget goes. The manifest keeps what is found. Both can be
stopped and called again; the order of the tasks is drawn, so that what was stopped is a sample.

The cheapest suites that kill a stub let most plausible wrong bodies pass. Which of the others come first is learnt
from mutants and from the wrong bodies that aren't held back; figures are taken on those that are.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from executor.grading.grade import why_suite_failed
from executor.manifest.health import WRONG_BODIES, Fate, Health, HealthManifest, JudgedBodies, TaskHealth
from executor.manifest.manifest import choose_judging_suites, digest_suites
from executor.sandbox.scheduled import find_concurrent_command_limit
from executor.threads import map_in_threads_as_completed
from executor.values import Task
from index.errors import RecipeError
from index.progress import SILENT, Progress
from lab.doctor.body_trial import STRICTER_PREFIX
from lab.doctor.manifest import update_health_by_plus_tests_and_save
from lab.doctor.task_examination import digest_gold
from lab.wrong.body_file import BodyEntry, WrongBody, make_wrong_bodies
from lab.wrong.stored_trials import TextTrials, make_body_fate, run_suites_on_text, try_text_on_missing_suites

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


def _shuffle_valid_tasks_with_bodies(judged: JudgedRepository) -> list[Task]:
    """The valid tasks that have wrong bodies, in an order that is drawn."""
    known = judged.manifest.tasks
    found = [
        task
        for task in sorted(judged.tasks, key=lambda task: task.id)
        if task.id in judged.entries and task.id in known and known[task.id].health is Health.VALID
    ]
    random.Random(_ORDER_SEED).shuffle(found)
    return found


def judge_wrong_bodies(judged: JudgedRepository, progress: Progress = SILENT) -> HealthManifest:
    """Judge the bodies of the valid ones among the tasks and write the manifest after each. A task whose gold doesn't
    pass beside its bodies is left out, with a warning. Raises InfraError, and TaskError for a body that doesn't fit
    its gold."""
    require_current_manifest(judged)
    manifest, path = judged.manifest, judged.path
    todo = _shuffle_valid_tasks_with_bodies(judged)
    lock = threading.Lock()

    def judge_and_save(task: Task) -> None:
        nonlocal manifest
        found = _judge_task_unless_gold_fails(judged.trials, task, make_wrong_bodies(task, judged.entries), manifest)
        with lock:
            if found is not None and (manifest.wrong.get(task.id) != found or not path.is_file()):
                known = {**manifest.wrong, task.id: found}
                manifest = update_health_by_plus_tests_and_save(
                    path, replace(manifest, wrong=dict(sorted(known.items())))
                )

    with progress.open_count("tasks judged", len(todo)) as advance:
        for _ in map_in_threads_as_completed(
            judge_and_save, todo, find_concurrent_command_limit(judged.trials.backend)
        ):
            advance()
    return manifest


def _judge_task_unless_gold_fails(
    trials: TextTrials, task: Task, bodies: Iterable[WrongBody], manifest: HealthManifest
) -> JudgedBodies | None:
    suites = choose_judging_suites(trials.image.recipe, manifest, task.id)
    try:
        # Once more beside them: what fails on this machine today says nothing of a body.
        gold = try_text_on_missing_suites(trials, task, task.gold, suites)
    except RecipeError as error:
        log.warning(f"{task.id} {task.target.name}: {error}")
        return None
    if gold.find_fate(suites) is not Fate.SURVIVED:
        failed = gold.find_first_failing_suite_or_empty(suites)
        log.warning(f"{task.id} {task.target.name}: the gold fails {failed}; its bodies aren't judged")
        trials.find_stored_path(task, task.gold).unlink(missing_ok=True)
        return None
    fates = tuple(
        make_body_fate(body, try_text_on_missing_suites(trials, task, body.text, suites), suites) for body in bodies
    )
    passed = sum(fate.fate is Fate.SURVIVED for fate in fates)
    log.info(f"{task.id} {task.target.name}: {passed} of {len(fates)} wrong bodies pass {', '.join(suites)}")
    return JudgedBodies(tuple(suites), digest_gold(task), fates)


def fill_budget_with_suites(
    always_kept: Sequence[str],
    others: Sequence[str],
    suite_costs: Mapping[str, float],
    killing_suites_by_variant: Mapping[str, Set[str]],
    budget_s: float,
) -> tuple[str, ...]:
    """`always_kept` and as many of `others` as fit into the budget: first the one that kills the most variants a
    second which no chosen suite kills (`killing_suites_by_variant`: variant -> the suites known to kill it), then the
    cheapest."""
    chosen = list(always_kept)
    left = [name for name in others if name not in always_kept]
    spent = sum(suite_costs.get(name, 0.0) for name in always_kept)

    def count_kills_per_second(name: str) -> float:
        new = sum(name in suites and suites.isdisjoint(chosen) for suites in killing_suites_by_variant.values())
        # Never 0: a suite that costs nothing measurable still costs a process.
        return new / max(suite_costs.get(name, 0.0), 0.001)

    while fitting := [name for name in left if spent + suite_costs.get(name, 0.0) <= budget_s]:
        best = min(fitting, key=lambda name: (-count_kills_per_second(name), suite_costs.get(name, 0.0), name))
        chosen.append(best)
        left.remove(best)
        spent += suite_costs.get(best, 0.0)
    return tuple(chosen)


def choose_further_suites(
    judged: JudgedRepository, progress: Progress = SILENT, *, suites_s: float = 5.0, gold_runs: int = 3
) -> HealthManifest:
    """Choose further suites for the valid ones among the tasks and write the manifest after each task. The suites that
    judge a task today stay, so what they kill stays killed; a suite that the gold doesn't pass in each of `gold_runs`
    isn't taken. `suites_s`: CPU seconds that a task's suites may take on the unmodified tree, together. Raises
    RecipeError for a manifest that is out of date, and InfraError."""
    require_current_manifest(judged)
    manifest = judged.manifest
    todo = _shuffle_valid_tasks_with_bodies(judged)
    with progress.open_count("tasks", len(todo)) as advance:
        for task in todo:
            try:
                health = _choose_task_suites(judged, task, manifest, suites_s, gold_runs)
            except RecipeError as error:
                log.warning(f"{task.id} {task.target.name}: {error}")
            else:
                manifest = update_health_by_plus_tests_and_save(
                    judged.path, replace(manifest, tasks={**manifest.tasks, task.id: health})
                )
            advance()
    return manifest


def _choose_task_suites(
    judged: JudgedRepository, task: Task, manifest: HealthManifest, suites_s: float, gold_runs: int
) -> TaskHealth:
    trials = judged.trials
    health, image = manifest.tasks[task.id], trials.image
    kept = choose_judging_suites(image.recipe, manifest, task.id)
    # On the unmodified tree: CPU seconds, and wall seconds where the sandbox doesn't measure them.
    cost = {**image.suite_seconds, **image.suite_cpu_s}
    reaching = health.reached_by if health.reached_by is not None else tuple(s.name for s in image.recipe.suites)
    room = suites_s - sum(cost.get(name, 0.0) for name in kept)
    # A stricter suite fails more than the repository's own tests do; the doctor takes it where no other suite judges.
    cheap = [
        name
        for name in reaching
        if name not in kept and not name.startswith(STRICTER_PREFIX) and cost.get(name, 0.0) <= room
    ]
    kills: dict[str, Set[str]] = {
        f"{f.kind} {f.name}": {f.by} for f in health.findings if f.by and f.kind in WRONG_BODIES
    }
    if sum(cost.get(name, 0.0) for name in cheap) > room:
        # Not all fit, so it matters which of them kill what passes today.
        kills |= _map_survivors_to_killing_suites(trials, task, make_wrong_bodies(task, judged.entries), kept, cheap)
    chosen = fill_budget_with_suites(kept, cheap, cost, kills, suites_s)
    steady = _keep_suites_passed_by_gold(trials, task, kept, chosen, gold_runs)
    log.info(f"{task.id} {task.target.name}: {len(kept)} suites, now {len(steady)}: {', '.join(steady)}")
    seconds = round(sum(image.suite_seconds.get(name, 0.0) for name in steady), 2)
    return replace(health, suites=steady, cost_s=seconds)


def _map_survivors_to_killing_suites(
    trials: TextTrials, task: Task, bodies: Sequence[WrongBody], kept: Sequence[str], cheap: Sequence[str]
) -> dict[str, Set[str]]:
    """Which of the suites kill the bodies that aren't held back and pass today's."""
    found: dict[str, Set[str]] = {}
    for body in bodies:
        if (
            body.held
            or body.only
            or try_text_on_missing_suites(trials, task, body.text, kept).find_first_failing_suite_or_empty(kept)
        ):
            continue
        tried = try_text_on_missing_suites(trials, task, body.text, [*kept, *cheap], stop_at_first=False)
        found[body.name] = {name for name in cheap if tried.suites.get(name)}
    return found


def _keep_suites_passed_by_gold(
    trials: TextTrials, task: Task, kept: Sequence[str], chosen: Sequence[str], runs: int
) -> tuple[str, ...]:
    """`chosen` without the suites that the gold fails in any of so many runs. Raises RecipeError when it fails one
    that judges the task today: nothing can then be said."""
    failed: set[str] = set()
    for number in range(runs if len(chosen) > len(kept) else 0):
        run = run_suites_on_text(trials, task, task.gold, chosen, trials.folder / "golds" / task.id)
        failed |= {ran.suite for ran in run.suites if why_suite_failed(ran, trials.image.expected)}
        if failed:
            log.info(f"{task.id} {task.target.name}: in run {number + 1} the gold fails {', '.join(sorted(failed))}")
    if failed & set(kept):
        raise RecipeError(f"the gold fails {', '.join(sorted(failed & set(kept)))}, which judges it today")
    return tuple(name for name in chosen if name not in failed)
