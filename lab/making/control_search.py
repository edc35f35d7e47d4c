"""Finds for the suites of each made task what must make them fail: a run's control breaks it beside an answer that
passed."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from executor.manifest.health import HealthManifest
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.values import Task
from index.progress import Progress
from index.repo_index import open_index
from lab.doctor.manifest import count_fewest_sabotages
from lab.doctor.repository_examination import OpenRepository
from lab.doctor.repository_sabotages import find_sabotages
from lab.doctor.suite_sabotages import SearchEffort
from lab.making.settings import DoctorSettings

log = logging.getLogger(__name__)

_WANTED = 2
# One task's own fault takes a few runs of its suite, and a suite judges several tasks.
_BUDGETS_A_SUITE = 2.0


def find_controls_and_count_tasks(
    image: Image,
    backend: Backend,
    tasks: Sequence[Task],
    path: Path,
    cache: Path,
    settings: DoctorSettings,
    ends: float,
    progress: Progress,
) -> int:
    """How many of the tasks have a control run for each suite that judges them, now that the manifest at `path` has
    what was found. `ends`: when the search is to end, in seconds since the epoch. Raises RecipeError without a
    manifest, and InfraErrors of the sandbox."""
    ids = [task.id for task in tasks]
    repository = OpenRepository(image, backend, tasks, ids, path, cache)
    effort = SearchEffort(_WANTED, _BUDGETS_A_SUITE * settings.budget_s, ends)
    source = image.source_root
    with closing(open_index(cache / "indexes" / source.name, source)) as index:
        manifest: HealthManifest = find_sabotages(repository, index, effort, progress)
    return sum(count > 0 for count in count_fewest_sabotages(manifest, ids))
