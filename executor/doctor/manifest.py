"""Reads and writes health manifests: one for each repository, by default `executor/data/manifests/REPO.json`."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import short_digest, write_whole
from executor.doctor.values import Fate, Health, HealthManifest, TaskHealth
from executor.repository.images import Image
from executor.repository.recipe import BUILT_IN as RECIPES
from executor.repository.recipe import Recipe
from index.errors import RecipeError

FORMAT = 1
BUILT_IN = Path(__file__).parent.parent / "data" / "manifests"


def manifest_path(recipe: Recipe, folder: Path | None = None) -> Path:
    """`folder`/REPO.json. By default a manifest lies in Graft's data for its own recipes, else beside the recipe."""
    if folder is None and recipe.folder.parent != RECIPES:
        return recipe.folder / "manifest.json"
    return (folder or BUILT_IN) / f"{recipe.name}.json"


def load_manifest(path: Path) -> HealthManifest | None:
    """The manifest, None where there is no file. Raises RecipeError when it is damaged or of another format."""
    if not path.is_file():
        return None
    try:
        found = TypeAdapter(HealthManifest).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise RecipeError(f"{path}: the manifest can't be read; delete it and run graft doctor again") from error
    if found.format != FORMAT:
        raise RecipeError(f"{path}: format {found.format}, this Graft reads {FORMAT}: run graft doctor again")
    return found


def save_manifest(path: Path, manifest: HealthManifest) -> None:
    """Write the manifest by one rename, so that a killed doctor leaves a whole file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, TypeAdapter(HealthManifest).dump_json(manifest, indent=1) + b"\n")


def suites_key(recipe: Recipe) -> str:
    """A name for the suites that examine the tasks and the way in which they are read."""
    return short_digest(recipe.judged_by())


def new_manifest(image: Image, sandbox: str, date: str) -> HealthManifest:
    """A manifest without tasks. `machine` describes the computer, so that times mean something, without naming it."""
    machine = f"{os.cpu_count()} cores, {platform.machine()}"
    seconds = {name: round(value, 2) for name, value in image.suite_seconds.items()}
    return HealthManifest(
        FORMAT,
        image.recipe.name,
        image.commit,
        image.key,
        suites_key(image.recipe),
        sandbox,
        machine,
        date,
        seconds,
        {},
    )


def valid_ids(manifest: HealthManifest) -> frozenset[str]:
    """Ids of the tasks over which a score means something."""
    return frozenset(key for key, entry in manifest.tasks.items() if entry.health is Health.VALID)


def judging_suites(recipe: Recipe, manifest: HealthManifest | None, task_id: str) -> tuple[str, ...]:
    """The suites that judge a task. These are the manifest's cheapest killing suites, when there are any, the gold
    passes them and the recipe still has them all. Else they are the recipe's own choice without the suites that never
    enter the function, or the manifest's if none of the own choice does. Both, when the budget ended too early."""
    own = recipe.suites_for(task_id)
    known = None if manifest is None else manifest.tasks.get(task_id)
    if known is None or known.health in (Health.BROKEN, Health.FLAKY):
        return own
    entering = tuple(name for name in own if known.reached_by is None or name in known.reached_by)
    if not {suite.name for suite in recipe.suites}.issuperset(known.suites):
        return entering or own
    own = entering or known.suites
    if known.stubs_killed + known.mutants_killed == 0:
        return own
    return known.suites if known.complete else tuple(dict.fromkeys((*known.suites, *own)))


def rows(manifest: HealthManifest) -> list[tuple[str, ...]]:
    """The cells of a table, a row for each task: id, function, health, kill score, mutants, stubs, reached, suites,
    seconds, reason."""
    return [
        (
            key,
            entry.name,
            entry.health.value,
            "-" if entry.kill_score is None else f"{entry.kill_score:.2f}",
            f"{entry.mutants_killed}/{entry.mutants}",
            f"{entry.stubs_killed}/{entry.stubs}",
            "?" if entry.reached_by is None else str(len(entry.reached_by)),
            ", ".join(entry.suites),
            f"{entry.cost_s:.1f}",
            entry.reason + ("" if entry.complete else " (budget ended)"),
        )
        for key, entry in manifest.tasks.items()
    ]


def summary(manifest: HealthManifest, wanted: Sequence[str] = ()) -> str:
    """One line: the number of tasks of each health, mean kill score, seconds of all chosen suites, forgeries that
    passed, and how many tasks with the ids `wanted` weren't examined yet."""
    tasks: Mapping[str, TaskHealth] = manifest.tasks
    counts = ", ".join(
        f"{sum(entry.health is health for entry in tasks.values())} {health.value}"
        for health in Health
        if any(entry.health is health for entry in tasks.values())
    )
    scores = [entry.kill_score for entry in tasks.values() if entry.kill_score is not None]
    mean = f"{sum(scores) / len(scores):.2f}" if scores else "-"
    same = sum(f.fate is Fate.SAME for entry in tasks.values() for f in entry.findings)
    forged = sum(len(entry.forgeries_passed) for entry in tasks.values())
    tried = sum(entry.forgeries for entry in tasks.values())
    cost = sum(entry.cost_s for entry in tasks.values())
    left = len(set(wanted) - set(tasks))
    return (
        f"{manifest.repository}: {len(tasks)} tasks: {counts or 'none'}; mean kill score {mean}; chosen suites"
        f" {cost:.0f} s for all; {same} variants equal to the gold; {forged} of {tried} forgeries passed"
        + (f"; {left} tasks not examined yet" if left else "")
    )


def sabotage_summary(manifest: HealthManifest, wanted: Sequence[str]) -> str:
    """One line: how many sabotages are known, and how many of the tasks `wanted` have two or more, one, or none in
    the suite that has the fewest."""
    fewest: list[int] = []
    for key in wanted:
        suites = manifest.tasks[key].suites if key in manifest.tasks else ()
        known = [manifest.sabotages.get(suite, ()) for suite in suites]
        fewest.append(min((sum(key in (*s.tasks, *s.others) for s in found) for found in known), default=0))
    total = sum(map(len, manifest.sabotages.values()))
    return (
        f"{manifest.repository}: {total} sabotages in {len(manifest.sabotages)} suites; of {len(fewest)} tasks"
        f" {sum(n >= 2 for n in fewest)} have two or more for each suite, {fewest.count(1)} one,"
        f" {fewest.count(0)} none"
    )
