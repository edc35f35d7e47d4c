"""graft doctor: examine the tasks of a data set, repository by repository, and keep what is found in manifests."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from executor.manifest.health import HealthManifest
from executor.manifest.manifest import load_manifest, manifest_path
from executor.manifest.variant.record import variant_folder
from executor.repository.images import build_image
from executor.repository.recipe import Recipe, find_recipe, recipe_names
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.sandbox.choose import choose_backend
from executor.sandbox.scheduled import log_machine_use
from executor.tasks.datasets import load_rows, make_task_from_row, select_rows
from executor.tasks.row_rebinding import add_copies_for_rebinding_recipes, fill_item_paths_and_relocate_rows
from executor.tasks.task_row import TaskRow
from executor.workers.ray_workers import open_ray_workers
from experiments.run.variant_source import RepoSource, open_original_or_proved_variant
from index.build import build_index
from index.errors import TaskError
from index.progress import SILENT, Progress
from index.repo_index import open_index
from lab.doctor.body_trial import Effort
from lab.doctor.repository_examination import OpenRepository, Scope, examine_repository
from lab.doctor.repository_sabotages import find_sabotages_failing_suites
from lab.doctor.suite_sabotages import SearchEffort

log = logging.getLogger(__name__)

ManifestAndChosenTaskIds = tuple[HealthManifest, list[str]]


@dataclass(frozen=True, slots=True)
class DoctorRequest:
    """What to examine, and how. Empty `repos` or `tasks` stand for all.

    fresh    examine tasks again that the manifest holds
    further  continue tasks whose examination stopped at a limit
    out      the manifests' folder; None: the one that runs read, or the variant's own
    workers  how many commands run at once; None: as many as the machine bears
    variant  examine the repositories under other names (as RunConfig.variant)
    ray      the Ray cluster whose nodes examine, as RunConfig.ray; None: this machine
    """

    dataset: str
    repos: tuple[str, ...]
    tasks: tuple[str, ...]
    sandbox: str
    mirror: Path | None
    out: Path | None = None
    workers: int | None = None
    effort: Effort = Effort()  # noqa: RUF009 - frozen
    fresh: bool = False
    further: bool = False
    search: SearchEffort = SearchEffort()  # noqa: RUF009 - frozen
    variant: str | None = None
    ray: str | None = None

    @property
    def scope(self) -> Scope:
        return "all" if self.fresh else "further" if self.further else "missing"


def examine_tasks(
    request: DoctorRequest, cache: Path, progress: Progress = SILENT
) -> Iterator[tuple[OpenRepository, HealthManifest]]:
    """Each repository with its manifest, as soon as its chosen tasks are examined. Raises TaskError when no repository
    has a recipe, and what a sandbox raises; finished tasks are kept."""
    if request.fresh and request.further:
        raise TaskError("--fresh begins from nothing and --further from what is known: give one of them")
    for repository in open_repositories(request, cache):
        with open_ray_workers(request.ray, repository.backend.name) as places:
            manifest = examine_repository(repository, request.effort, progress, scope=request.scope, places=places)
        yield repository, manifest


def search_sabotages(
    request: DoctorRequest, cache: Path, progress: Progress = SILENT
) -> Iterator[ManifestAndChosenTaskIds]:
    """Each repository's manifest with the ids of the chosen tasks, once the suites that judge them have sabotages for
    the control run. Raises RecipeError for a repository without a manifest, and what a sandbox raises."""
    for repository in open_repositories(request, cache):
        source = repository.image.source_root
        folder = cache / "indexes" / source.name
        build_index(source, folder, progress=progress)
        index = open_index(folder, source)
        found = find_sabotages_failing_suites(repository, index, request.search, progress, scope=request.scope)
        yield found, list(repository.chosen)


def list_chosen_repositories(request: DoctorRequest) -> tuple[str, ...]:
    """The names of the request's repositories. Raises TaskError when none has a recipe."""
    return tuple(_load_rows_and_choose_ids_by_repository(request)[1])


def open_repositories(request: DoctorRequest, cache: Path) -> Iterator[OpenRepository]:
    """Each repository of the request with its warm image. Raises TaskError when none has a recipe."""
    rows, chosen = _load_rows_and_choose_ids_by_repository(request)
    for name, ids in chosen.items():
        recipe = find_recipe(name)
        choice = choose_backend(request.sandbox, cache, request.workers)
        source = _open_original_or_variant_source(request, recipe, cache)
        image = build_image(recipe, source.tree, choice.backend, None, cache)
        bound = fill_item_paths_and_relocate_rows(rows, recipe, source.original_root)
        for note in bound.exclusion_notes:
            log.info(note)
        tasks = [make_task_from_row(row, source.tree.root) for row in source.rename_rows_for_tree(bound.rows)]
        chosen_ids = [task.id for task in tasks if task.id in ids]
        path = _choose_original_or_variant_manifest_path(request, recipe, source, cache)
        yield OpenRepository(image, choice.backend, tasks, chosen_ids, path, cache)
        log_machine_use(choice.backend)


def _open_original_or_variant_source(request: DoctorRequest, recipe: Recipe, cache: Path) -> RepoSource:
    original = checkout_source(recipe, choose_mirror_folder(request.mirror), cache)
    return open_original_or_proved_variant(recipe, original, request.variant, cache, request.dataset)


def _choose_original_or_variant_manifest_path(
    request: DoctorRequest, recipe: Recipe, source: RepoSource | None, cache: Path
) -> Path:
    """Never the originals' manifest for a variant: runs carry that over to it."""
    if request.out is None and source is not None and source.original is not None and source.variant is not None:
        return variant_folder(cache, source.original, source.variant.spec) / "manifest.json"
    return manifest_path(recipe, request.out)


def read_stored_manifests(request: DoctorRequest, cache: Path) -> Iterator[ManifestAndChosenTaskIds]:
    """The manifests as they stand, each with the ids of the chosen tasks. Raises TaskError for one that is missing."""
    _, chosen = _load_rows_and_choose_ids_by_repository(request)
    for name, ids in chosen.items():
        recipe = find_recipe(name)
        source = _open_original_or_variant_source(request, recipe, cache) if request.variant is not None else None
        path = _choose_original_or_variant_manifest_path(request, recipe, source, cache)
        manifest = load_manifest(path)
        if manifest is None:
            variant = f" --variant {request.variant}" if request.variant else ""
            raise TaskError(
                f"no manifest at {path}; make it: graft doctor --dataset {request.dataset} --repos {name}{variant}"
            )
        yield manifest, ids


def _load_rows_and_choose_ids_by_repository(
    request: DoctorRequest,
) -> tuple[tuple[TaskRow, ...], dict[str, list[str]]]:
    """All rows of the data set, and the ids of the chosen tasks by repository."""
    loaded = load_rows(request.dataset, repos=request.repos or None, mirror=request.mirror)
    rows = tuple(add_copies_for_rebinding_recipes(loaded, request.repos))
    chosen = select_rows(rows, repos=request.repos, ids=request.tasks)
    unread = {row.repository: row.unread for row in chosen if row.unread}
    for name, why in unread.items():
        log.warning(f"{name}: {sum(row.repository == name for row in chosen)} tasks left out ({why})")
    known = recipe_names()
    ids = {
        name: [row.id for row in chosen if row.repository == name]
        for name in dict.fromkeys(row.repository for row in chosen)
        if name not in unread and (request.repos or (name in known and not find_recipe(name).on_request))
    }
    if not ids:
        raise TaskError("; ".join(unread.values()) or "no repository of these tasks has a recipe")
    return rows, ids
