"""Makes a data set of hard tasks: of a repository of one's own, or of one whose recipe comes with Graft."""

from __future__ import annotations

import logging
import shutil
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from executor.manifest.health import Health
from executor.manifest.manifest import digest_suites, load_manifest
from executor.repository.images import build_image
from executor.repository.recipe import RECIPE_FILE, find_recipe, load_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
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
from lab.making.finish_data_set import MadeDataSet, Making, write_data_set_with_controls
from lab.making.functions.choose_functions import choose_functions, find_rewritten_files
from lab.making.hard_tasks import HardTaskMaker, choose_task_counts_by_size
from lab.making.settings import DoctorSettings, MakeRequest
from lab.making.write_data_set import RECIPES, Dropped

log = logging.getLogger(__name__)

# A cluster may hold what is short and has no comment: its header and its place say what is asked for.
_MEMBERS = {"lines": (4, 200), "documented": False, "holes": (1, 1)}
_STRENGTH = 0.5
_FINDINGS = ("manifest.json", "wrong.yaml", "places.json")


def make_hard_set(
    making: Making, index: RepoIndex, facts: Mapping[str, str], barred: Collection[tuple[str, str]] = ()
) -> MadeDataSet:
    """Make the data set, or go on with it. `facts` go into the datasheet; `barred`: (path, name) of functions that no
    task may ask for. Raises RecipeError where the tests can't bear a task, UserError where the time ends before the
    first, and InfraErrors of the sandbox; what was done is kept."""
    wanted, image, backend = making.wanted, making.image, making.backend
    choose = wanted.choose.model_copy(update=_MEMBERS)
    rewritten = find_rewritten_files(image, backend)
    choice = choose_functions(index, image.graph, choose, image.recipe.name, None, rewritten)
    members = {
        candidate.entry.id: candidate
        for candidate in choice.candidates
        if (candidate.row.path, candidate.entry.symbol.name) not in barred
    }
    counts = choose_task_counts_by_size(*wanted.choose.holes, wanted.choose.tasks)
    unfinished = MadeDataSet(wanted.out, sum(counts.values()))
    if wanted.until == "choose":
        return unfinished
    log.info(f"4/6 reach: which tests enter {len(members)} functions")
    tasks = [bind_row(member.row, image.source_root) for member in members.values()]
    reach = measure_reach(image, backend, tasks, [suite.name for suite in image.recipe.suites], making.cache)
    members = {number: member for number, member in members.items() if reach.entered.get(member.row.id)}
    log.info(f"4/6 reach: tests enter {len(members)} of {len(tasks)} functions")
    if wanted.until == "reach":
        return unfinished
    manifest = load_manifest(making.manifest_path)
    if manifest is None or (manifest.image, manifest.expected) != (image.key, digest_suites(image.recipe)):
        manifest = make_empty_manifest(image, backend.name, format_today())
    maker = HardTaskMaker(making, index, members, reach, counts, making.doctor.strength or _STRENGTH, manifest)
    good = maker.make_tasks()
    if not good and time.time() >= wanted.deadline:
        raise UserError(f"{wanted.out}: the time was over before a task was found; the same command continues")
    noticed, examined = sum(map(maker.is_noticed, maker.alone.values())), len(maker.alone)
    if not good:
        raise RecipeError(f"{wanted.out}: the tests bear no hard task: they notice {noticed} of {examined} functions")
    own = {task.id for task in good}
    manifest = replace(maker.manifest, tasks={key: h for key, h in maker.manifest.tasks.items() if key in own})
    made = replace(unfinished, tasks=good, examined=examined, health=manifest.tasks)
    if wanted.until == "doctor":
        return made
    dropped = [
        Dropped(health.name, health.path, f"{health.health.value}: {health.reason[:77]}")
        for health in maker.alone.values()
        if health.health is not Health.VALID
    ]
    facts = {
        **facts,
        "functions that the tests notice": f"{noticed} of {examined} that were examined alone",
        "clusters that the tests bear": describe_task_counts_by_size(good, counts),
    }
    controlled = write_data_set_with_controls(making, good, manifest, dropped, choice.left_out, facts)
    return replace(made, controlled=controlled)


def make_hard_set_of_recipe(wanted: MakeRequest, backend: Backend, cache: Path, progress: Progress) -> MadeDataSet:
    """The same of the repository `wanted.given`, whose recipe comes with Graft; none of the functions that YABLoCo
    asks for stands in a task. Raises RecipeError for an unknown name, and as `make_hard_set` does."""
    name = wanted.given
    shipped = find_recipe(name)
    folder = wanted.out / RECIPES / name
    # The data set brings its recipe, and the findings of another data set's tasks aren't its own.
    shutil.copytree(shipped.folder, folder, ignore=shutil.ignore_patterns(*_FINDINGS), dirs_exist_ok=True)
    recipe = load_recipe(folder / RECIPE_FILE)
    source = checkout_source(recipe, choose_mirror_folder(wanted.mirror), cache)
    log.info(f"2/6 build: {name}")
    image = build_image(recipe, source, backend, None, cache)
    place = cache / "indexes" / source.root.name
    build_index(source.root, place, progress=progress)
    asked = {(row.path, row.name.rpartition("::")[2]) for row in load_rows("yabloco") if row.repository == name}
    facts = {"source": source.origin, "commit": source.commit or source.root.name, "recipe": f"Graft's own of {name}"}
    making = Making(wanted, DoctorSettings(), image, backend, cache, progress)
    with closing(open_index(place, source.root)) as index:
        return make_hard_set(making, index, facts, asked)


def describe_task_counts_by_size(tasks: Sequence[Task], counts: Mapping[int, int]) -> str:
    """How many tasks of each size there are, of those that were wanted."""
    made = Counter(len(task.target.holes) for task in tasks)
    return ", ".join(f"{made[size]} of {count} with {size}" for size, count in counts.items())
