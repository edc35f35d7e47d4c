"""The last stage of `graft make`: the proved tasks become folders, one table, a recipe with its manifest, and a
datasheet."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from executor.manifest.health import HealthManifest, TaskHealth
from executor.repository.images import Image
from executor.repository.uncompiled import find_uncompiled_lines, save_uncompiled_lines
from executor.sandbox.contract import Backend
from executor.values import Task
from index.errors import RecipeError
from index.progress import Progress
from lab.making.control_search import find_controls_and_count_tasks
from lab.making.functions.call_agreement import compare_oracles_with_gcc_calls
from lab.making.settings import DoctorSettings
from lab.making.write_data_set import Dropped, write_datasheet, write_table, write_tasks

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MadeDataSet:
    """A data set as far as it was made: its `tasks`, how many were `wanted`, how many functions were examined, and how
    many tasks have a control run."""

    out: Path
    name: str
    wanted: int
    tasks: tuple[Task, ...]
    examined: int
    health: Mapping[str, TaskHealth]
    controlled: int = 0


@dataclass(frozen=True, slots=True)
class ProvedTasks:
    """What is written: the `good` tasks and their manifest; the functions that were `dropped` after an examination,
    and how many were left out before for which reason; `facts` for the datasheet; the names of all functions of the
    tree (`known`)."""

    good: Sequence[Task]
    manifest: HealthManifest
    dropped: Sequence[Dropped]
    left_out: Mapping[str, int]
    facts: Mapping[str, str]
    known: Set[str]


def write_data_set_with_controls(
    image: Image,
    backend: Backend,
    proved: ProvedTasks,
    doctor: DoctorSettings,
    out: Path,
    cache: Path,
    ends: float,
    progress: Progress,
) -> int:
    """Write the data set, and find its control runs until `ends`. Returns how many tasks have one. Raises InfraErrors
    of the sandbox."""
    good, manifest = proved.good, proved.manifest
    agreement = compare_oracles_with_gcc_calls(image, backend, good, proved.known)
    log.info(f"5/6 doctor: {agreement}")
    write_tasks(good, out)
    table = write_table(good, manifest, out)
    log.info("6/6 write: looking for what must make the tests fail, for the runs' controls")
    place = locate_manifest_in_data_set(image, out)
    controlled = find_controls_and_count_tasks(image, backend, good, place, cache, doctor, ends, progress)
    facts = {
        **proved.facts,
        "sandbox": backend.name,
        "calls, as gcc sees them": str(agreement),
        "tasks with a control run": f"{controlled} of {len(good)}",
    }
    _find_and_save_uncompiled_lines(image, backend, progress)
    write_datasheet(image.recipe, good, manifest, proved.dropped, facts, proved.left_out, table, out)
    return controlled


def locate_manifest_in_data_set(image: Image, out: Path) -> Path:
    """Where the data set's manifest lies: beside its recipe."""
    return out / "recipes" / image.recipe.name / "manifest.json"


def _find_and_save_uncompiled_lines(image: Image, backend: Backend, progress: Progress) -> None:
    try:
        path = save_uncompiled_lines(find_uncompiled_lines(image, backend, progress), image.recipe)
        log.info(f"6/6 write: {path}: what the build doesn't compile")
    except RecipeError as error:
        # The data set is whole without it: contexts show every branch then.
        log.warning(f"6/6 write: {error}")
