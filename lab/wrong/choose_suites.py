"""Chooses more suites to judge a task by: all cheap ones that enter its function, as far as a time budget goes.

The cheapest suites that kill a stub let most plausible wrong bodies pass. Which of the others come first is learnt
from mutants and from the wrong bodies that aren't held back; figures are taken on those that are.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from executor.grading.grade import why_suite_failed
from executor.manifest.health import WRONG_BODIES, HealthManifest, TaskHealth
from executor.manifest.manifest import choose_judging_suites
from executor.values import Task
from index.errors import RecipeError
from index.progress import SILENT, Progress
from lab.doctor.body_trial import STRICTER_PREFIX
from lab.doctor.manifest import save_manifest
from lab.wrong.body_file import WrongBody, make_wrong_bodies
from lab.wrong.judge_bodies import JudgedRepository, require_current_manifest, shuffle_tasks_to_judge
from lab.wrong.stored_trials import TextTrials, run_suites_on_text, try_text

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Budget:
    """`suites_s`: CPU seconds that a task's suites may take on the unmodified tree, together. `gold_runs`: how often
    the gold must pass them. `total_s`: wall seconds after which no further task is begun."""

    suites_s: float = 5.0
    gold_runs: int = 3
    total_s: float = float("inf")


def fill_budget_with_suites(
    kept: Sequence[str],
    others: Sequence[str],
    cost: Mapping[str, float],
    kills: Mapping[str, Set[str]],
    budget_s: float,
) -> tuple[str, ...]:
    """`kept` and as many of `others` as fit into the budget: first the one that kills the most variants a second which
    no chosen suite kills (`kills`: variant -> the suites known to kill it), then the cheapest."""
    chosen = list(kept)
    left = [name for name in others if name not in kept]
    spent = sum(cost.get(name, 0.0) for name in kept)

    def count_kills_per_second(name: str) -> float:
        new = sum(name in suites and suites.isdisjoint(chosen) for suites in kills.values())
        # Never 0: a suite that costs nothing measurable still costs a process.
        return new / max(cost.get(name, 0.0), 0.001)

    while fitting := [name for name in left if spent + cost.get(name, 0.0) <= budget_s]:
        best = min(fitting, key=lambda name: (-count_kills_per_second(name), cost.get(name, 0.0), name))
        chosen.append(best)
        left.remove(best)
        spent += cost.get(best, 0.0)
    return tuple(chosen)


def choose_further_suites(judged: JudgedRepository, budget: Budget, progress: Progress = SILENT) -> HealthManifest:
    """Choose further suites for the valid ones among the tasks and write the manifest after each task. The suites that
    judge a task today stay, so what they kill stays killed; a suite that the gold doesn't pass each time isn't taken.
    Raises RecipeError for a manifest that is out of date, and InfraError."""
    require_current_manifest(judged)
    manifest = judged.manifest
    todo = shuffle_tasks_to_judge(judged)
    deadline = time.monotonic() + budget.total_s
    with progress.open_count("tasks", len(todo)) as advance:
        for task in todo:
            if time.monotonic() > deadline:
                break
            try:
                health = _choose_task_suites(judged, task, manifest, budget)
            except RecipeError as error:
                log.warning(f"{task.id} {task.target.name}: {error}")
            else:
                manifest = save_manifest(judged.path, replace(manifest, tasks={**manifest.tasks, task.id: health}))
            advance()
    return manifest


def _choose_task_suites(judged: JudgedRepository, task: Task, manifest: HealthManifest, budget: Budget) -> TaskHealth:
    trials = judged.trials
    health, image = manifest.tasks[task.id], trials.image
    kept = choose_judging_suites(image.recipe, manifest, task.id)
    # On the unmodified tree: CPU seconds, and wall seconds where the sandbox doesn't measure them.
    cost = {**image.suite_seconds, **image.suite_cpu_s}
    reaching = health.reached_by if health.reached_by is not None else tuple(s.name for s in image.recipe.suites)
    room = budget.suites_s - sum(cost.get(name, 0.0) for name in kept)
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
        kills |= _find_killing_suites(trials, task, make_wrong_bodies(task, judged.entries), kept, cheap)
    chosen = fill_budget_with_suites(kept, cheap, cost, kills, budget.suites_s)
    steady = _keep_suites_passed_by_gold(trials, task, kept, chosen, budget.gold_runs)
    log.info(f"{task.id} {task.target.name}: {len(kept)} suites, now {len(steady)}: {', '.join(steady)}")
    seconds = round(sum(image.suite_seconds.get(name, 0.0) for name in steady), 2)
    return replace(health, suites=steady, cost_s=seconds)


def _find_killing_suites(
    trials: TextTrials, task: Task, bodies: Sequence[WrongBody], kept: Sequence[str], cheap: Sequence[str]
) -> dict[str, Set[str]]:
    """Which of the suites kill the bodies that aren't held back and pass today's."""
    found: dict[str, Set[str]] = {}
    for body in bodies:
        if body.held or body.only or try_text(trials, task, body.text, kept).find_killer(kept):
            continue
        tried = try_text(trials, task, body.text, [*kept, *cheap], stop_at_first=False)
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
