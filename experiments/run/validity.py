"""Which tasks of a run are worth a point: what the doctor's manifests said of them when the run was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from executor.doctor.manifest import load_manifest, manifest_path, valid_ids
from executor.doctor.values import Health
from executor.doctor.values import Manifest as HealthManifest
from executor.repository.recipe import find_recipe, recipe_names
from executor.tasks.row import TaskRow
from index.errors import ConfigError

VALID = "valid"


@dataclass(frozen=True, slots=True)
class RepoHealth:
    """Of one repository's manifest: its date and sandbox, each examined task's health, and for the tasks that
    aren't valid the function's name and why."""

    date: str
    sandbox: str
    health: Mapping[str, str]
    reasons: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Validity:
    """How many of a run's tasks in one repository are of each health; `unknown` weren't examined. `date` is the
    manifest's, "" without one."""

    repo: str
    date: str
    valid: int
    weak: int
    flaky: int
    broken: int
    unknown: int


def repo_health(manifest: HealthManifest | None) -> RepoHealth | None:
    if manifest is None:
        return None
    tasks = manifest.tasks.values()
    return RepoHealth(
        manifest.date,
        manifest.sandbox,
        {one.task_id: one.health.value for one in tasks},
        {one.task_id: f"{one.name}: {one.reason}" for one in tasks if one.health is not Health.VALID},
    )


def validity(repo: str, health: RepoHealth | None, tasks: Sequence[str]) -> Validity:
    """`tasks`: ids of the run's tasks in this repository."""
    known = {} if health is None else health.health
    counts = Counter(known.get(task, "unknown") for task in tasks)
    of_each = {one.value: counts[one.value] for one in Health}
    return Validity(repo, "" if health is None else health.date, unknown=counts["unknown"], **of_each)


def told(one: Validity) -> str:
    """`redis: 50 of 67 tasks are valid, 17 weak (manifest of 2026-11-21)`."""
    total = one.valid + one.weak + one.flaky + one.broken + one.unknown
    if not one.date:
        return f"{one.repo}: no manifest says which of its {total} tasks are valid (graft doctor makes one)"
    rest = [
        f"{count} {name}"
        for name, count in (
            ("weak", one.weak),
            ("flaky", one.flaky),
            ("broken", one.broken),
            ("not examined", one.unknown),
        )
        if count
    ]
    others = f", {', '.join(rest)}" if rest else ""
    return f"{one.repo}: {one.valid} of {total} tasks are valid{others} (manifest of {one.date})"


def chosen_ids(asked: Sequence[str], repos: Sequence[str], rows: Sequence[TaskRow]) -> tuple[str, ...]:
    """The ids that `tasks=` means: `valid` stands for those that the manifests of the repositories (without any
    named, of all that have a recipe) call valid. Raises ConfigError when that is none."""
    if VALID not in asked or any(row.id == VALID for row in rows):
        return tuple(asked)
    if len(asked) > 1:
        raise ConfigError("tasks: valid stands alone; name either it or ids")
    found: set[str] = set()
    for name in repos or sorted({row.repository for row in rows} & set(recipe_names())):
        manifest = load_manifest(manifest_path(find_recipe(name)))
        if manifest is not None:
            found |= valid_ids(manifest)
    chosen = tuple(row.id for row in rows if row.id in found and (not repos or row.repository in repos))
    if not chosen:
        where = ", ".join(repos) or "these repositories"
        raise ConfigError(f"tasks=valid: no manifest calls a task of {where} valid; graft doctor makes them")
    return tuple(dict.fromkeys(chosen))
