"""Validity manifests: `executor/data/manifests/REPO.json`, one for each repository, written after each task."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import digest, write_whole
from executor.doctor.values import Fate, Health, Manifest, TaskHealth
from executor.repository.images import Image
from executor.repository.recipe import BUILT_IN as RECIPES
from executor.repository.recipe import Recipe
from index.errors import RecipeError

FORMAT = 1
BUILT_IN = Path(__file__).parent.parent / "data" / "manifests"


def manifest_path(recipe: Recipe, folder: Path | None = None) -> Path:
    """`folder`/REPO.json; by default in Graft's own data for its own recipes, beside the recipe for a user's."""
    if folder is None and recipe.folder.parent != RECIPES:
        return recipe.folder / "manifest.json"
    return (folder or BUILT_IN) / f"{recipe.name}.json"


def load_manifest(path: Path) -> Manifest | None:
    """None where there is no file. Raises RecipeError when it is damaged or of another format."""
    if not path.is_file():
        return None
    try:
        found = TypeAdapter(Manifest).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise RecipeError(f"{path}: the manifest can't be read; delete it and run graft doctor again") from error
    if found.format != FORMAT:
        raise RecipeError(f"{path}: format {found.format}, this Graft reads {FORMAT}: run graft doctor again")
    return found


def save_manifest(path: Path, manifest: Manifest) -> None:
    """By one rename, so that a killed doctor leaves a whole file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, TypeAdapter(Manifest).dump_json(manifest, indent=1) + b"\n")


def suites_key(recipe: Recipe) -> str:
    """Names what was held against the tasks: the suites and how they are read."""
    return digest(recipe.judged_by())


def new_manifest(image: Image, sandbox: str, date: str) -> Manifest:
    """Without tasks. `machine` says what times mean, without naming the machine."""
    machine = f"{os.cpu_count()} cores, {platform.machine()}"
    seconds = {name: round(value, 2) for name, value in image.suite_seconds.items()}
    return Manifest(
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


def valid_ids(manifest: Manifest) -> frozenset[str]:
    """Ids of the tasks over which a score means something."""
    return frozenset(key for key, one in manifest.tasks.items() if one.health is Health.VALID)


def judging_suites(recipe: Recipe, manifest: Manifest | None, task_id: str) -> tuple[str, ...]:
    """What judges a task: the manifest's cheapest killing suites, where there are any, the gold passes them and
    the recipe still has them all; else the recipe's own choice, without those that never enter the function (where
    none of it does, the manifest's after all). Both, where the budget ended too early."""
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


def rows(manifest: Manifest) -> list[tuple[str, ...]]:
    """One line of text cells for each task: id, function, health, kill score, stubs, suites, seconds, reason."""
    return [
        (
            key,
            one.name,
            one.health.value,
            "-" if one.kill_score is None else f"{one.kill_score:.2f}",
            f"{one.mutants_killed}/{one.mutants}",
            f"{one.stubs_killed}/{one.stubs}",
            "?" if one.reached_by is None else str(len(one.reached_by)),
            ", ".join(one.suites),
            f"{one.cost_s:.1f}",
            one.reason + ("" if one.complete else " (budget ended)"),
        )
        for key, one in manifest.tasks.items()
    ]


def summary(manifest: Manifest, asked: Sequence[str] = ()) -> str:
    """One line: how many of each health, mean kill score, seconds of all chosen suites, forgeries that passed."""
    tasks: Mapping[str, TaskHealth] = manifest.tasks
    counts = ", ".join(
        f"{sum(one.health is health for one in tasks.values())} {health.value}"
        for health in Health
        if any(one.health is health for one in tasks.values())
    )
    scores = [one.kill_score for one in tasks.values() if one.kill_score is not None]
    mean = f"{sum(scores) / len(scores):.2f}" if scores else "-"
    same = sum(f.fate is Fate.SAME for one in tasks.values() for f in one.findings)
    forged = sum(len(one.forgeries_passed) for one in tasks.values())
    tried = sum(one.forgeries for one in tasks.values())
    cost = sum(one.cost_s for one in tasks.values())
    left = len(set(asked) - set(tasks))
    return (
        f"{manifest.repository}: {len(tasks)} tasks: {counts or 'none'}; mean kill score {mean}; chosen suites"
        f" {cost:.0f} s for all; {same} variants equal to the gold; {forged} of {tried} forgeries passed"
        + (f"; {left} tasks not examined yet" if left else "")
    )
