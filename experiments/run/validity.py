"""Which tasks of a run are worth a point, by the doctor's manifests as they were when the run was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from executor.manifest.false_passes import valid_with_plus
from executor.manifest.health import Health, HealthManifest
from executor.manifest.manifest import list_valid_ids, load_manifest, manifest_path
from executor.repository.recipe import find_recipe, recipe_names
from executor.tasks.task_row import TaskRow
from index.errors import ConfigError

VALID = "valid"
PLUS_VALID = "valid+plus"
"""What `tasks=` takes instead of ids: the valid tasks; with those that are weak and that plus tests make valid."""


@dataclass(frozen=True, slots=True)
class RepoHealth:
    """What the manifest of one repository says: its date and sandbox, the health of each examined task, and for the
    tasks that aren't valid the function's name and the reason."""

    date: str
    sandbox: str
    health: Mapping[str, str]
    reasons: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Validity:
    """How many of a run's tasks in one repository have each health; `unknown` ones weren't examined. `date` is the
    manifest's, "" without one."""

    repo: str
    date: str
    valid: int
    weak: int
    flaky: int
    broken: int
    unknown: int


def collect_repo_health(manifest: HealthManifest | None) -> RepoHealth | None:
    """What a run keeps of the doctor's manifest; None without one."""
    if manifest is None:
        return None
    tasks = manifest.tasks.values()
    return RepoHealth(
        manifest.date,
        manifest.sandbox,
        {task.task_id: task.health.value for task in tasks},
        {task.task_id: f"{task.name}: {task.reason}" for task in tasks if task.health is not Health.VALID},
    )


def count_valid(repo: str, health: RepoHealth | None, tasks: Sequence[str]) -> Validity:
    """Count the run's tasks in one repository, given by their ids, by their health."""
    known = {} if health is None else health.health
    tally = Counter(known.get(task, "unknown") for task in tasks)
    counts = {kind.value: tally[kind.value] for kind in Health}
    return Validity(repo, "" if health is None else health.date, unknown=tally["unknown"], **counts)


def describe_validity(counts: Validity) -> str:
    """`redis: 50 of 67 tasks are valid, 17 weak (manifest of 2026-11-21)`."""
    others = {
        "weak": counts.weak,
        "flaky": counts.flaky,
        "broken": counts.broken,
        "not examined": counts.unknown,
    }
    total = counts.valid + sum(others.values())
    if not counts.date:
        return f"{counts.repo}: no manifest says which of its {total} tasks are valid (graft doctor makes one)"
    rest = "".join(f", {count} {name}" for name, count in others.items() if count)
    return f"{counts.repo}: {counts.valid} of {total} tasks are valid{rest} (manifest of {counts.date})"


def choose_task_ids(names: Sequence[str], repos: Sequence[str], rows: Sequence[TaskRow]) -> tuple[str, ...]:
    """The task ids that `tasks=` means. The word `valid` stands for the tasks that the manifests call valid: those of
    `repos`, or without any of all repositories that have a recipe; `valid+plus` also for weak ones whose stubs all
    fail Graft's own further tests. Raises ConfigError when there is none."""
    word = next((name for name in names if name in (VALID, PLUS_VALID)), "")
    if not word or any(row.id == word for row in rows):
        return tuple(names)
    if len(names) > 1:
        raise ConfigError(f"tasks: {word} stands alone; name either it or ids")
    found: set[str] = set()
    for name in repos or sorted({row.repository for row in rows} & set(recipe_names())):
        manifest = load_manifest(manifest_path(find_recipe(name)))
        if manifest is not None:
            found |= list_valid_ids(manifest)
            found |= {key for key in manifest.plus if word == PLUS_VALID and valid_with_plus(manifest, key)}
    chosen = tuple(row.id for row in rows if row.id in found and (not repos or row.repository in repos))
    if not chosen:
        where = ", ".join(repos) or "these repositories"
        raise ConfigError(f"tasks={word}: no manifest calls a task of {where} valid; graft doctor makes them")
    return tuple(dict.fromkeys(chosen))
