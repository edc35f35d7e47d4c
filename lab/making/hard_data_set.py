"""Makes a data set of hard tasks (hard_tasks.py): of a repository of one's own, or of one whose recipe comes with
Graft."""

from __future__ import annotations

import logging
import math
import shutil
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from executor.manifest.health import Health
from executor.manifest.manifest import digest_suites, load_manifest
from executor.repository.images import Image, build_image
from executor.repository.recipe import RECIPE_FILE, find_recipe, load_recipe
from executor.repository.source import checkout_source
from executor.sandbox.contract import Backend
from executor.tasks.datasets import bind_row, load_rows
from executor.values import Task
from index.build import build_index
from index.errors import RecipeError, UserError
from index.progress import Progress
from index.repo_index import RepoIndex, open_index
from lab.doctor.manifest import make_empty_manifest
from lab.doctor.reach import measure_reach
from lab.doctor.repository_examination import format_today
from lab.making.finish_data_set import (
    MadeDataSet,
    ProvedTasks,
    locate_manifest_in_data_set,
    write_data_set_with_controls,
)
from lab.making.functions.choose_functions import choose_functions
from lab.making.functions.function_groups import TaskCandidate
from lab.making.functions.rewritten_files import find_rewritten_files
from lab.making.hard_tasks import HardTaskMaker, HardWanted, choose_task_counts_by_size
from lab.making.settings import ChooseSettings, DoctorSettings
from lab.making.write_data_set import RECIPES, Dropped

log = logging.getLogger(__name__)

# A cluster may hold what is short and has no comment: its header and its place say what is asked for.
_MEMBERS = {"lines": (4, 200), "documented": False, "holes": (1, 1)}
_STRENGTH = 0.5
_FINDINGS = ("manifest.json", "wrong.yaml", "places.json")


@dataclass(frozen=True, slots=True)
class HardRequest:
    """What to make, and where. `barred`: (path, name) of functions that no task may ask for. `facts` go into the
    datasheet. `until`, `deadline` and `controls_end`: as of MakeRequest."""

    choose: ChooseSettings
    doctor: DoctorSettings
    out: Path
    barred: Collection[tuple[str, str]]
    facts: Mapping[str, str]
    until: str = "write"
    deadline: float = math.inf
    controls_end: float = math.inf


def make_hard_set(
    image: Image, backend: Backend, index: RepoIndex, request: HardRequest, cache: Path, progress: Progress
) -> MadeDataSet:
    """Make the data set, or go on with it. Raises RecipeError where the tests can't bear a task, UserError where the
    time ends before the first, and InfraErrors of the sandbox; what was done is kept."""
    choose = request.choose.model_copy(update=_MEMBERS)
    rewritten = find_rewritten_files(image, backend)
    choice = choose_functions(index, image.graph, choose, image.recipe.name, None, rewritten)
    members = _select_unbarred_candidates(choice.candidates, request.barred)
    counts = choose_task_counts_by_size(*request.choose.holes, request.choose.tasks)
    unfinished = MadeDataSet(request.out, image.recipe.name, sum(counts.values()), (), 0, {})
    if request.until == "choose":
        return unfinished
    log.info(f"4/6 reach: which tests enter {len(members)} functions")
    tasks = [bind_row(member.row, image.source_root) for member in members.values()]
    reach = measure_reach(image, backend, tasks, [suite.name for suite in image.recipe.suites], cache)
    members = {number: member for number, member in members.items() if reach.entered.get(member.row.id)}
    log.info(f"4/6 reach: tests enter {len(members)} of {len(tasks)} functions")
    if request.until == "reach":
        return unfinished
    wanted = HardWanted(counts, request.doctor.strength or _STRENGTH, request.deadline)
    path = locate_manifest_in_data_set(image, request.out)
    manifest = load_manifest(path)
    if manifest is None or (manifest.image, manifest.expected) != (image.key, digest_suites(image.recipe)):
        manifest = make_empty_manifest(image, backend.name, format_today())
    maker = HardTaskMaker(image, backend, index, members, reach, wanted, path, cache, manifest)
    found = maker.make_tasks(progress)
    if not found.tasks and time.time() >= request.deadline:
        raise UserError(f"{request.out}: the time was over before a task was found; the same command continues")
    if not found.tasks:
        raise RecipeError(
            f"{request.out}: the tests bear no hard task: they notice {found.noticed} of {len(found.alone)} functions"
        )
    made = replace(unfinished, tasks=found.tasks, examined=len(found.alone))
    if request.until == "doctor":
        return made
    own = {task.id for task in found.tasks}
    manifest = replace(found.manifest, tasks={key: h for key, h in found.manifest.tasks.items() if key in own})
    dropped = [
        Dropped(health.name, health.path, f"{health.health.value}: {health.reason[:77]}")
        for health in found.alone.values()
        if health.health is not Health.VALID
    ]
    facts = {
        **request.facts,
        "functions that the tests notice": f"{found.noticed} of {len(found.alone)} that were examined alone",
        "clusters that the tests bear": describe_task_counts_by_size(found.tasks, counts),
    }
    known = {entry.symbol.name for entry in index.functions}
    proved = ProvedTasks(found.tasks, manifest, dropped, choice.left_out, facts, known)
    controlled = write_data_set_with_controls(
        image, backend, proved, request.doctor, request.out, cache, request.controls_end, progress
    )
    return replace(made, health=manifest.tasks, controlled=controlled)


def make_hard_set_of_recipe(
    name: str, mirror: Path | None, request: HardRequest, backend: Backend, cache: Path, progress: Progress
) -> MadeDataSet:
    """The same of a repository whose recipe comes with Graft; none of the functions that YABLoCo asks for stands in a
    task. Raises RecipeError for an unknown name, and as `make_hard_set` does."""
    shipped = find_recipe(name)
    folder = request.out / RECIPES / name
    # The data set brings its recipe, and the findings of another data set's tasks aren't its own.
    shutil.copytree(shipped.folder, folder, ignore=shutil.ignore_patterns(*_FINDINGS), dirs_exist_ok=True)
    recipe = load_recipe(folder / RECIPE_FILE)
    source = checkout_source(recipe, mirror, cache)
    log.info(f"2/6 build: {name}")
    image = build_image(recipe, source, backend, None, cache)
    place = cache / "indexes" / source.root.name
    build_index(source.root, place, progress=progress)
    asked = frozenset(
        (row.path, row.name.rpartition("::")[2]) for row in load_rows("yabloco") if row.repository == name
    )
    facts = {"source": source.origin, "commit": source.commit or source.root.name, "recipe": f"Graft's own of {name}"}
    with closing(open_index(place, source.root)) as index:
        return make_hard_set(image, backend, index, replace(request, barred=asked, facts=facts), cache, progress)


def _select_unbarred_candidates(
    candidates: Sequence[TaskCandidate], barred: Collection[tuple[str, str]]
) -> dict[int, TaskCandidate]:
    return {
        candidate.entry.id: candidate
        for candidate in candidates
        if (candidate.row.path, candidate.entry.symbol.name) not in barred
    }


def describe_task_counts_by_size(tasks: Sequence[Task], counts: Mapping[int, int]) -> str:
    """How many tasks of each size there are, of those that were wanted."""
    made = Counter(len(task.target.holes) for task in tasks)
    return ", ".join(f"{made[size]} of {count} with {size}" for size, count in counts.items())
