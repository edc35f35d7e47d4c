"""The doctor over the tiny repository."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from executor.manifest.health import HealthManifest
from executor.repository.images import Image
from executor.values import Task
from lab.doctor.body_trial import Effort
from lab.doctor.repository_examination import OpenRepository, examine_repository
from tests.fixtures.executor_fixtures import Tiny


@pytest.fixture
def examine(tiny: Tiny, tmp_path: Path) -> Callable[..., HealthManifest]:
    """examine(tasks, effort, chosen, image, place, folder, **how) -> the manifest, which `folder`/m.json holds, with
    reach and logs beside it. All tasks are chosen, in their order, where no ids are given."""

    def examine_with(
        tasks: Sequence[Task],
        effort: Effort,
        chosen: Sequence[str] = (),
        image: Image | None = None,
        place: Tiny = tiny,
        folder: Path = tmp_path,
        **how: Any,
    ) -> HealthManifest:
        ids = chosen or [task.id for task in tasks]
        repository = OpenRepository(image or place.image, place.backend, tasks, ids, folder / "m.json", folder)
        return examine_repository(repository, effort, **how)

    return examine_with
