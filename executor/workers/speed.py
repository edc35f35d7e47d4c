"""How fast a machine is: what golds' suites take there, beside what they took where the baseline was measured."""

from __future__ import annotations

import logging
import statistics
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import hold_file_lock, replace_file
from executor.candidate.execute import execute_edits, is_suite_built_from_edited_file, run_suite, suite_limit_s
from executor.candidate.runner import Runner
from executor.function.splice import Edit
from executor.grading.grade import why_suite_failed
from executor.published.image_budget import FETCHED
from executor.repository.baseline import find_baseline_covering_suites
from executor.repository.images import Image
from executor.tasks.datasets import list_shipped_datasets, load_rows, make_task_from_row
from executor.tasks.made_datasets import list_built_in_made_datasets
from executor.tasks.row_rebinding import add_copies_for_rebinding_recipes, fill_item_paths_and_relocate_rows
from executor.workers.contract import RefusedError, Site
from index.errors import TaskError

log = logging.getLogger(__name__)

FILE = "speed.json"
# What an overloaded machine took, and how long that counts: limits are too long meanwhile, never too short.
BUSY_FILE = "speed-busy.json"
_BUSY_S = 600.0
# A calibration builds up to so many golds, each for a suite of its own, and runs suites of up to so many seconds.
_GOLDS = 10
_SECONDS = 30.0
# The time of a shorter suite is the sandbox's.
_LEAST_S = 0.2
_TIMES = TypeAdapter(dict[str, float])


def measure_suite_slowdown_against_baseline(site: Site, image: Image, scratch: Path) -> float:
    """How many times as long suites take here as where the image's baseline was measured, at least 1: a limit that is
    too short would be our mistake, one that is too long costs time.

    Where the image came from a store, up to ten golds of the tasks that come with Graft are built first, and each is
    judged by a suite of its own; where no task is known, the suites run on the unmodified tree. What they took is kept
    beside the image, for a while only where the machine is overloaded. Raises RefusedError when a gold fails here.
    """
    assert image.folder is not None
    if not (image.folder / FETCHED).is_file():
        own = find_baseline_covering_suites(image.folder, image.recipe, ())
        return compute_median_slowdown_at_least_one({} if own is None else own.suite_seconds, image.suite_seconds)
    if not (known := _read_calibrated_suite_times_or_empty(image.folder)):
        with hold_file_lock(image.folder / "speed.lock", f"{image.key}: its calibration"):
            if not (known := _read_calibrated_suite_times_or_empty(image.folder)):
                known = _measure_seconds_of_sample_suites(site, image, scratch)
                name = BUSY_FILE if site.overloaded() else FILE
                replace_file(image.folder / name, _TIMES.dump_json(known))
    return compute_median_slowdown_at_least_one(known, image.suite_seconds)


def _read_calibrated_suite_times_or_empty(folder: Path) -> Mapping[str, float]:
    if known := read_suite_times_or_empty(folder / FILE):
        return known
    busy = folder / BUSY_FILE
    return read_suite_times_or_empty(busy) if busy.is_file() and time.time() - busy.stat().st_mtime < _BUSY_S else {}


def read_suite_times_or_empty(path: Path) -> Mapping[str, float]:
    """The seconds of each suite that ran. None where the file is missing or damaged."""
    try:
        return _TIMES.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return {}


def compute_median_slowdown_at_least_one(
    seconds_here: Mapping[str, float], seconds_there: Mapping[str, float]
) -> float:
    """The middle ratio of the suites' times, at least 1."""
    found = [
        seconds_here[name] / seconds_there[name]
        for name in seconds_here.keys() & seconds_there.keys()
        if seconds_there[name] >= _LEAST_S
    ]
    return max(1.0, statistics.median(found)) if found else 1.0


def _measure_seconds_of_sample_suites(site: Site, image: Image, scratch: Path) -> dict[str, float]:
    by_time = sorted(image.suite_seconds, key=lambda name: image.suite_seconds[name])
    chosen = [name for name in by_time if image.suite_seconds[name] >= _LEAST_S] or by_time[:1]
    found: dict[str, float] = {}
    # A slow machine is what is looked for: no limit of its own stops it.
    patient = replace(image, suite_seconds={name: 10 * image.suite_seconds[name] for name in chosen})
    golds = deque(_make_edits_of_shipped_golds(image))
    for name in chosen[:_GOLDS]:
        if found and sum(found.values()) + image.suite_seconds[name] > _SECONDS:
            break
        gold = next((edit for edit in golds if is_suite_built_from_edited_file(image, edit, name)), None)
        golds.rotate(-len(golds) // _GOLDS)
        for left in (1, 0):
            ran, problem = _measure_suite_seconds_and_problem(site, patient, name, gold, scratch)
            if not problem:
                break
            if not left:
                raise RefusedError(f"refused: {image.recipe.name}'s own text fails here: {problem}")
        found[name] = ran
    ratio = compute_median_slowdown_at_least_one(found, image.suite_seconds)
    log.info(f"{image.key}: suites take {ratio:.1f} times as long here as in the baseline")
    return found


def _make_edits_of_shipped_golds(image: Image) -> Sequence[Edit]:
    """The golds of the tasks of one function that come with Graft, in the place of themselves."""
    repo = image.recipe.name
    # A made data set has its repository's name, and reading it may fetch the source: no node has to reach an archive
    # for a repository that it doesn't work on.
    names = [name for name in list_shipped_datasets() if name == repo or name not in list_built_in_made_datasets()]
    rows = [row for name in names for row in add_copies_for_rebinding_recipes(load_rows(name), [repo])]
    try:
        rows = [
            row
            for row in fill_item_paths_and_relocate_rows(rows, image.recipe, image.source_root).rows
            if len(row.target.holes) == 1
        ]
        return [Edit(row.path, row.span, make_task_from_row(row, image.source_root).gold) for row in rows]
    except TaskError:
        # A tree whose files have other names.
        return []


def _measure_suite_seconds_and_problem(
    site: Site, image: Image, suite: str, gold: Edit | None, scratch: Path
) -> tuple[float, str]:
    """The seconds of the suite, and what went wrong, or ""."""
    if gold is None:
        scratch.mkdir(parents=True, exist_ok=True)
        with site.backend.session(image.key) as session:
            declared = image.recipe.find_suite(suite)
            ran = run_suite(Runner(session, scratch), image, declared, suite_limit_s(image, declared))
    else:
        run = execute_edits(image, [gold], site.backend, [suite], scratch)
        if not run.suites:
            step = [*run.check, *run.build][-1:]
            failed = f"{gold.path}: {step[0].name} ends with status {step[0].exit_code}" if step else gold.path
            return 0.0, run.infra_error or failed
        (ran,) = run.suites
    problem = why_suite_failed(ran, image.expected)
    return ran.step.wall_s, problem and f"suite {suite}: {problem}"
