"""Which tasks of a run are worth a point, by the doctor's manifests as they were when the run was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from executor.manifest.health import Health, HealthManifest, drop_plus_findings
from executor.manifest.manifest import list_valid_task_ids, load_manifest, manifest_path
from executor.repository.recipe import find_recipe, recipe_names
from executor.tasks.task_row import TaskRow
from index.errors import ConfigError

VALID = "valid"
"""What `tasks=` takes instead of ids: the valid tasks."""


@dataclass(frozen=True, slots=True)
class RepoHealth:
    """What the manifest of one repository says: its date and sandbox, the health of each examined task by all that
    grades it in the run, and for the tasks that aren't valid the function's name and the reason. `by_plus`: valid
    tasks that the suites alone leave weak."""

    date: str
    sandbox: str
    health: Mapping[str, str]
    reasons: Mapping[str, str]
    by_plus: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Validity:
    """How many of a run's tasks in one repository have each health; `unknown` ones weren't examined. Of the valid ones
    the suites alone leave `by_plus` weak. `date` is the manifest's, "" without one."""

    repo: str
    date: str
    valid: int
    weak: int
    flaky: int
    broken: int
    unknown: int
    by_plus: int = 0


def collect_repo_health(manifest: HealthManifest | None, *, plus: bool) -> RepoHealth | None:
    """What a run keeps of the doctor's manifest; None without one. `plus`: whether plus tests grade in the run."""
    if manifest is None:
        return None
    tasks = (manifest if plus else drop_plus_findings(manifest)).tasks.values()
    return RepoHealth(
        manifest.date,
        manifest.sandbox,
        {task.task_id: task.health.value for task in tasks},
        {task.task_id: f"{task.name}: {task.reason}" for task in tasks if task.health is not Health.VALID},
        tuple(task.task_id for task in tasks if task.health is Health.VALID and task.by_suites is not None),
    )


def count_tasks_by_health(repo: str, health: RepoHealth | None, tasks: Sequence[str]) -> Validity:
    """Count the run's tasks in one repository, given by their ids, by their health."""
    known = {} if health is None else health.health
    tally = Counter(known.get(task, "unknown") for task in tasks)
    counts = {kind.value: tally[kind.value] for kind in Health}
    by_plus = 0 if health is None else len(set(health.by_plus) & set(tasks))
    return Validity(repo, "" if health is None else health.date, unknown=tally["unknown"], by_plus=by_plus, **counts)


def describe_validity(counts: Validity) -> str:
    """`redis: 60 of 67 tasks are valid (50 by the suites alone), 7 weak (manifest of 2026-11-21)`."""
    others = {
        "weak": counts.weak,
        "flaky": counts.flaky,
        "broken": counts.broken,
        "not examined": counts.unknown,
    }
    total = counts.valid + sum(others.values())
    tasks = "task is" if total == 1 else "tasks are"
    if not counts.date:
        return f"{counts.repo}: no manifest says which of its {total} {tasks} valid (graft doctor makes one)"
    rest = "".join(f", {count} {name}" for name, count in others.items() if count)
    alone = f" ({counts.valid - counts.by_plus} by the suites alone)" if counts.by_plus else ""
    return f"{counts.repo}: {counts.valid} of {total} {tasks} valid{alone}{rest} (manifest of {counts.date})"


def expand_valid_into_task_ids(
    names: Sequence[str], repos: Sequence[str], rows: Sequence[TaskRow], *, plus: bool
) -> tuple[str, ...]:
    """The task ids that `tasks=` means. The word `valid` stands for the tasks that the manifests call valid: those of
    `repos`, or without any of all repositories that have a recipe. `plus`: whether plus tests grade in the run. Raises
    ConfigError when there is none."""
    ids = {row.id for row in rows}
    if VALID not in names or VALID in ids:
        return tuple(names)
    if len(names) > 1:
        raise ConfigError(f"tasks: {VALID} stands alone; name either it or ids")
    found: set[str] = set()
    for name in repos or sorted({row.repository for row in rows} & set(recipe_names())):
        manifest = load_manifest(manifest_path(find_recipe(name)))
        if manifest is not None:
            found |= list_valid_task_ids(manifest if plus else drop_plus_findings(manifest))
    chosen = tuple(row.id for row in rows if row.id in found and (not repos or row.repository in repos))
    if not chosen:
        where = ", ".join(repos) or "these repositories"
        raise ConfigError(f"tasks={VALID}: no manifest calls a task of {where} valid; graft doctor makes them")
    return tuple(dict.fromkeys(chosen))
