"""Reads health manifests: one for each repository, by default `manifest.json` beside its recipe."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import short_digest
from executor.manifest.health import Health, HealthManifest, TaskHealth, judge_tasks_by_suites_and_plus_tests
from executor.repository.recipe import Recipe
from index.errors import RecipeError

FORMAT = 1


def manifest_path(recipe: Recipe, folder: Path | None = None) -> Path:
    """`manifest.json` beside the recipe, or `folder`/REPO.json."""
    return recipe.folder / "manifest.json" if folder is None else folder / f"{recipe.name}.json"


def load_manifest(path: Path) -> HealthManifest | None:
    """The manifest, None where there is no file. One of an older Graft holds the findings of suites and of plus tests
    apart; they are joined. Raises RecipeError when it is damaged or of another format."""
    if not path.is_file():
        return None
    try:
        found = TypeAdapter(HealthManifest).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise RecipeError(f"{path}: the manifest can't be read; delete it and run graft doctor again") from error
    if found.format != FORMAT:
        raise RecipeError(f"{path}: format {found.format}, this Graft reads {FORMAT}: run graft doctor again")
    return judge_tasks_by_suites_and_plus_tests(found)


def digest_suites(recipe: Recipe) -> str:
    """A name for the suites that examine the tasks and the way in which they are read."""
    return short_digest(recipe.dump_keys_deciding_results())


def list_valid_task_ids(manifest: HealthManifest) -> frozenset[str]:
    """Ids of the tasks over which a score means something, by all that grades them."""
    return frozenset(key for key, entry in manifest.tasks.items() if entry.health is Health.VALID)


def choose_judging_suites(recipe: Recipe, manifest: HealthManifest | None, task_id: str) -> tuple[str, ...]:
    """The suites that judge a task, by what the manifest knows of it."""
    return choose_killing_else_entering_suites(
        recipe, None if manifest is None else manifest.tasks.get(task_id), task_id
    )


def choose_killing_else_entering_suites(recipe: Recipe, health: TaskHealth | None, task_id: str) -> tuple[str, ...]:
    """The suites that judge a task. These are the cheapest killing suites that the doctor found, when there are any,
    the gold passes them and the recipe still has them all. Else they are the recipe's own choice without the suites
    that never enter the function, or the doctor's if none of the own choice does. Both, when the budget ended too
    early."""
    own = recipe.list_judging_suites(task_id)
    if health is None or health.health in (Health.BROKEN, Health.FLAKY):
        return own
    entering = tuple(name for name in own if health.reached_by is None or name in health.reached_by)
    if not {suite.name for suite in recipe.suites}.issuperset(health.suites):
        return entering or own
    own = entering or health.suites
    if health.stubs_killed + health.mutants_killed == 0:
        return own
    return health.suites if health.complete else tuple(dict.fromkeys((*health.suites, *own)))
