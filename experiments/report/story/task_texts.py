"""The tasks of a run as a person reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from executor.cache import cache_root
from executor.repository.recipe import find_recipe
from executor.repository.source import choose_mirror_folder, is_source_at_hand
from executor.tasks.datasets import load_rows
from executor.tasks.made_datasets import list_built_in_made_datasets
from executor.tasks.suite_members import is_suite_dataset_name
from executor.tasks.task_row import TaskRow
from executor.values import Task
from experiments.run.config import RunConfig
from experiments.run.manifest import RunManifest
from experiments.run.records import SampleRecord
from experiments.run.workspace import read_tasks
from index.errors import GraftError


@dataclass(frozen=True, slots=True)
class TaskText:
    """A task. `name`, `place`, `signature` and `docstring` are "" where its data set is gone; `gold` is the
    repository's own text, or where that isn't at hand the data set's, or None. `health`: what the doctor says."""

    id: str
    repo: str
    level: str
    health: str = ""
    name: str = ""
    place: str = ""
    signature: str = ""
    docstring: str = ""
    gold: str | None = None
    notes: tuple[str, ...] = ()


def read_task_texts(
    manifest: RunManifest, records: Iterable[SampleRecord], *, under_original_names: bool = False
) -> list[TaskText]:
    """The tasks of these records, in the order of the data set as far as it is known.
    `under_original_names`: under the names that a variant replaced. Nothing is fetched."""
    places = {record.task_id: (record.repo, record.level) for record in records}
    known = dict.fromkeys((*manifest.tasks, *places))
    ids = [task for task in known if task in places]
    # Its arms may be those of an older Graft.
    config = {**manifest.config, "arms": ["none"], **({"variant": None} if under_original_names else {})}
    found = _read_bound_tasks_or_rows(config, manifest, ids)
    return [_make_task_text(manifest, task, *places[task], found.get(task)) for task in ids]


def _make_task_text(
    manifest: RunManifest, task_id: str, repo: str, level: str, known: Task | TaskRow | None
) -> TaskText:
    facts = manifest.repos.get(repo)
    health = "" if facts is None or facts.health is None else facts.health.health.get(task_id, "")
    notes = manifest.task_notes.get(task_id, ())
    if known is None:
        return TaskText(task_id, repo, level, health, notes=notes)
    holes = known.target.holes
    return TaskText(
        task_id,
        repo,
        level,
        health,
        name=", ".join(hole.name for hole in holes),
        place=", ".join(f"{hole.path}:{hole.span.first}-{hole.span.last}" for hole in holes),
        signature="\n".join(" ".join(hole.signature.split()) for hole in holes),
        docstring="\n\n".join(hole.docstring.strip() for hole in holes),
        gold=known.gold if isinstance(known, Task) else known.dataset_gold,
        notes=notes,
    )


def _read_bound_tasks_or_rows(
    config: dict[str, object], manifest: RunManifest, ids: Sequence[str]
) -> dict[str, Task | TaskRow]:
    """The tasks with the repository's own text where its source is at hand, else as the data set has them, as far as
    that can be read."""
    found: dict[str, Task | TaskRow] = {}
    with suppress(GraftError, ValueError):
        whole = RunConfig.model_validate(config)
        repos, is_made = list(manifest.repos), whole.dataset in list_built_in_made_datasets()
        if is_made or is_suite_dataset_name(whole.dataset):
            # Their rows are read from the sources.
            repos = _list_repos_at_hand(whole, manifest)
        if repos or not is_made:
            rows = load_rows(whole.dataset, whole.oracle_file, repos=repos, mirror=whole.mirror)
            found |= {row.id: row for row in rows}
    with suppress(GraftError, ValueError):
        if repos := _list_repos_at_hand(RunConfig.model_validate(config), manifest):
            # One by its name; of many, one that the data set lacks would keep all others out.
            chosen = {"tasks": ids if len(ids) == 1 else [], "repos": repos, "levels": [], "limit": None}
            tasks = read_tasks(RunConfig.model_validate({**config, **chosen}), cache_root()).tasks
            found |= {task.id: task for task in tasks}
    return found


def _list_repos_at_hand(config: RunConfig, manifest: RunManifest) -> list[str]:
    """Those of the run's repositories whose source needn't be fetched. Raises RecipeError for one without a recipe."""
    mirror, cache = choose_mirror_folder(config.mirror), cache_root()
    return [name for name in manifest.repos if is_source_at_hand(find_recipe(name), mirror, cache)]
