"""The stages of `graft make`, one after the other. Each leaves its result in the data set's folder or in the cache, so
that the same command goes on where it stopped."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from executor.manifest.health import Health, HealthManifest, TaskHealth
from executor.repository.recipe import RecipeSource
from executor.repository.source import SourceTree, checkout_source
from executor.sandbox.contract import Backend
from executor.tasks.datasets import make_task_from_row
from executor.values import Task
from index.build import build_index
from index.errors import RecipeError, UserError
from index.progress import SILENT, Progress
from index.repo_index import open_index
from lab.doctor.body_trial import Effort
from lab.doctor.reach import measure_which_suites_enter_tasks
from lab.doctor.repository_examination import OpenRepository, examine_repository
from lab.making.build_failures import SetupError
from lab.making.build_image import (
    BuildPlace,
    build_image_adding_packages,
    build_image_by_any_system,
    is_unchanged_first_build_unfinished,
    make_draft_recipe,
)
from lab.making.detect_build import NoBuildSystemError, detect_build
from lab.making.finish_data_set import (
    MadeDataSet,
    Making,
    judge_gold_and_explain_failure,
    write_data_set_and_count_found_controls,
)
from lab.making.functions.choose_functions import (
    Choice,
    choose_functions,
    defer_short_tasks_beyond_half,
    list_files_written_by_build,
    order_entered_tasks_costly_last,
)
from lab.making.hard_tasks import make_hard_set
from lab.making.settings import (
    MAKE_FILE,
    BuildSettings,
    ChooseSettings,
    MakeRequest,
    MakeSettings,
    read_settings,
    write_settings,
)
from lab.making.source.origin import (
    Origin,
    describe_source_licence,
    find_or_fetch_origin,
    make_recent_change_predicate,
)
from lab.making.write_data_set import Dropped, describe_how_often_model_changed_settings

log = logging.getLogger(__name__)

# Of the functions that were examined in packages of Debian three in four were valid.
_EXAMINED_PER_GOOD = 4 / 3
_WIDENING_FACTOR = 3
_UNWRITTEN_BUILD = "echo 'no build system was found: write the commands that build the tree and its tests'; exit 1"


def make_benchmark(wanted: MakeRequest, backend: Backend, cache: Path, progress: Progress = SILENT) -> MadeDataSet:
    """Make the data set, or go on with it. Raises UserErrors in one line that says what to write into make.yaml
    (SetupError where the build or its tests fail), InfraErrors of the sandbox; what was done is kept."""
    path = wanted.out / MAKE_FILE
    is_first = not path.is_file() or is_unchanged_first_build_unfinished(path)
    settings = read_or_detect_settings(wanted, cache)
    unfinished = MadeDataSet(wanted.out, settings.choose.tasks)
    if wanted.until == "detect":
        return unfinished
    source = checkout_source(make_draft_recipe(settings), wanted.mirror, cache)
    build = build_image_by_any_system if is_first else build_image_adding_packages
    settings, image = build(settings, BuildPlace(source, backend, cache, path, progress))
    if wanted.until == "build":
        return unfinished
    folder = cache / "indexes" / source.root.name
    log.info(f"3/6 choose: reading {source.root.name}")
    build_index(source.root, folder, progress=progress)
    making = Making(replace(wanted, choose=settings.choose), settings.doctor, image, backend, cache, progress)
    with closing(open_index(folder, source.root)) as index:
        if settings.choose.hard:
            return make_hard_set(making, index, _describe_source(settings, source, wanted.out, cache))
        recent = None
        if settings.choose.since is not None:
            day = settings.choose.since
            recent = make_recent_change_predicate(day, settings.name, settings.source, wanted.mirror, cache, index)
        rewritten = list_files_written_by_build(image, backend)
        choice = choose_functions(index, image.graph, settings.choose, settings.name, recent, rewritten)
    if not choice.candidates:
        advice = "widen `choose`"
        if choice.left_out.get("no comment"):
            advice = "write `choose: {documented: false}`, or widen its lines"
        raise RecipeError(f"{path}: no function fits ({_format_left_out_counts(choice.left_out)}): {advice}")
    log.info(f"3/6 choose: {len(choice.candidates)} functions fit; {_format_left_out_counts(choice.left_out)}")
    if wanted.until == "choose":
        return unfinished
    count = settings.choose.tasks
    most = math.ceil(count * settings.doctor.candidates)
    enough = min(most, math.ceil(count * _EXAMINED_PER_GOOD))
    while True:
        tasks, reached = _find_tried_and_reached_tasks(making, choice, most, enough)
        reached = defer_short_tasks_beyond_half(reached, count)
        if not reached:
            raise RecipeError(f"{path}: no test enters any of {len(tasks)} functions; add tests by `tests: suites`")
        if wanted.until == "reach":
            return unfinished
        manifest, problems = _examine_reached_tasks_and_judge_golds(making, tasks, reached)
        good = tuple(task for task in reached if problems.get(task.id) == "")[:count]
        is_cut = len(good) < count and time.time() >= wanted.deadline
        # Where no task is good, the cause lies in the tests: more functions would cost hours and change nothing.
        if not good or len(good) == count or len(tasks) == len(choice.candidates) or is_cut:
            break
        lacking = count - len(good)
        most = len(tasks) * _WIDENING_FACTOR
        enough = len(reached) + math.ceil(lacking * _EXAMINED_PER_GOOD)
        log.info(f"5/6 doctor: {lacking} tasks are still wanted, so more functions are looked at")
    made = replace(unfinished, tasks=good, examined=len(manifest.tasks))
    if wanted.until == "doctor":
        return made
    # Where all were examined and judged, more time would change nothing.
    is_cut &= len(tasks) < len(choice.candidates) or any(
        task.id not in manifest.tasks
        or (making.is_valid_with_strong_tests(manifest.tasks[task.id]) and task.id not in problems)
        for task in reached
    )
    if not good and is_cut:
        raise UserError(f"{wanted.out}: the time was over before a task was found; the same command continues")
    if not good:
        number, first = next(iter(manifest.tasks.items()))
        why = f"{first.name} is {first.health.value}: {first.reason} (manifest.json has all)"
        if problems.get(number):
            why = f"{first.name}: its own body, judged as an answer: {problems[number]}"
        raise RecipeError(f"{path}: none of {len(manifest.tasks)} examined functions can be judged; {why}")
    dropped = _list_dropped_functions(making, tasks, reached, manifest, problems, {task.id for task in good})
    facts = _describe_source(settings, source, wanted.out, cache)
    if is_cut:
        facts["stopped early"] = "the time given was over; the same command goes on with further functions"
    controlled = write_data_set_and_count_found_controls(making, good, manifest, dropped, choice.left_out, facts)
    log.info(f"6/6 write: {wanted.out}: {len(good)} tasks of {len(manifest.tasks)} examined")
    return replace(made, controlled=controlled)


def _describe_source(settings: MakeSettings, source: SourceTree, out: Path, cache: Path) -> dict[str, str]:
    return {
        "source": source.origin,
        "commit": source.commit or source.root.name,
        "licence of the source, as found": describe_source_licence(settings.source, source.root, cache),
        "build": f"{settings.build.system}: {'; '.join(settings.build.commands)}",
        MAKE_FILE: describe_how_often_model_changed_settings(out),
    }


def read_or_detect_settings(wanted: MakeRequest, cache: Path) -> MakeSettings:
    """make.yaml as it stands, or what is detected, which is written first. Raises SetupError where no build system is
    found: the file's build is still to be written then."""
    path = wanted.out / MAKE_FILE
    if path.is_file():
        settings = read_settings(path)
        _require_folder_outside_source(wanted.out, settings.source)
        log.info(f"1/6 detect: {path} stands; its lines hold, whatever the options say")
        return settings
    origin = find_or_fetch_origin(wanted.given, wanted.rev, wanted.mirror, cache)
    _require_folder_outside_source(wanted.out, origin.source)
    settings = make_settings_with_unwritten_build(origin, wanted.choose)
    root = checkout_source(make_draft_recipe(settings), wanted.mirror, cache).root
    missing = None
    try:
        found = detect_build(root, origin.words, origin.packages, origin.system)
        tests = settings.tests.model_copy(update={"target": found.target})
        changes, reasons = {"languages": found.languages, "build": found.build, "tests": tests}, found.reasons
    except RecipeError as error:
        # With the name of the user's tree: the one that was looked at is Graft's copy.
        message = str(error).replace(str(root), wanted.given, 1)
        if not isinstance(error, NoBuildSystemError):
            raise RecipeError(message) from error
        missing, changes, reasons = error, {"languages": error.languages}, (message,)
    settings = settings.model_copy(update=changes)
    wanted.out.mkdir(parents=True, exist_ok=True)
    write_settings(path, settings, {"source": origin.reasons, "build": reasons})
    for reason in (*origin.reasons, *reasons):
        log.info(f"1/6 detect: {reason}")
    if missing is not None:
        raise SetupError(
            f"{reasons[0]}; write how it is built into {path} (build.commands, tests.suites)"
        ) from missing
    return settings


def _require_folder_outside_source(out: Path, source: RecipeSource) -> None:
    """Within the source the data set would be a part of the repository: the true bodies for a model to find, and
    another tree after each stage. Raises RecipeError."""
    if source.directory is not None and out.resolve().is_relative_to(Path(source.directory).resolve()):
        raise RecipeError(
            f"--out {out}: lies in the source {source.directory}, which would then hold the tasks' bodies; name a"
            " folder outside of it"
        )


def make_settings_with_unwritten_build(origin: Origin, choose: ChooseSettings) -> MakeSettings:
    """What is known before the tree is looked at; its build fails by its own words."""
    build = BuildSettings(system="make", commands=(_UNWRITTEN_BUILD,), packages=origin.packages)
    return MakeSettings(name=origin.name, languages=("c",), source=origin.source, build=build, choose=choose)


def _format_left_out_counts(left_out: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in left_out.items()) or "none was left out"


def _find_tried_and_reached_tasks(
    making: Making, choice: Choice, first_count: int, enough_reached: int
) -> tuple[list[Task], list[Task]]:
    """The first `first_count` functions, or more where tests enter fewer than `enough_reached`, and those entered."""
    image = making.image
    suites = [suite.name for suite in image.recipe.suites]
    while True:
        tasks = [make_task_from_row(candidate.row, image.source_root) for candidate in choice.candidates[:first_count]]
        log.info(f"4/6 reach: which tests enter the first {len(tasks)} of them")
        reach = measure_which_suites_enter_tasks(image, making.backend, tasks, suites, making.cache)
        reached = order_entered_tasks_costly_last(tasks, reach.entered, image.graph, image.suite_seconds)
        log.info(f"4/6 reach: tests enter {len(reached)} of {len(tasks)} functions")
        if len(reached) >= enough_reached or first_count >= len(choice.candidates):
            return tasks, reached
        first_count *= _WIDENING_FACTOR


def _examine_reached_tasks_and_judge_golds(
    making: Making, tasks: Sequence[Task], reached: Sequence[Task]
) -> tuple[HealthManifest, Mapping[str, str]]:
    """The manifest, once so many tasks are good as were wanted, or all that tests enter were examined, or the time is
    over; and of each task that the doctor found good why a run wouldn't count its own body, or ""."""
    image, backend, doctor = making.image, making.backend, making.doctor
    count, deadline = making.wanted.choose.tasks, making.wanted.deadline
    effort = Effort(
        budget_s=doctor.budget_s,
        gold_runs=doctor.gold_runs,
        mutants=doctor.mutants,
        patience_s=min(20.0, doctor.budget_s),
        # Without isolation a body that cheats reaches what runs it, and the command ends with it.
        forgeries=doctor.forgeries and backend.isolated,
        weak_too=False,
        ends=deadline,
    )
    if doctor.forgeries and not backend.isolated:
        log.info(f"5/6 doctor: bodies that cheat aren't tried: sandbox {backend.name} doesn't isolate")
    problems: dict[str, str] = {}
    lock = threading.Lock()

    def count_good_tasks() -> int:
        with lock:
            return sum(not why for why in problems.values())

    def judge_gold_if_task_valid(task: Task, health: TaskHealth) -> None:
        place = making.find_log_folder(task) / "gold"
        # What was judged before costs nothing.
        if not making.is_valid_with_strong_tests(health) or (time.time() >= deadline and not place.is_dir()):
            return
        why = judge_gold_and_explain_failure(image, backend, task, health, place)
        with lock:
            problems[task.id] = why
            found = sum(not reason for reason in problems.values())
        # Several are examined at the same time, so one more may be found than is wanted.
        if not why and found <= count:
            advance()

    ids = [task.id for task in reached]
    with making.progress.open_count("good tasks", count) as advance:
        manifest = examine_repository(
            OpenRepository(image, backend, tasks, ids, making.manifest_path, making.cache),
            effort,
            should_skip_task=lambda task: count_good_tasks() >= count or time.time() >= deadline,
            handle_health=judge_gold_if_task_valid,
        )
    log.info(f"5/6 doctor: {count_good_tasks()} functions are good tasks, {count} are wanted")
    return manifest, problems


def _list_dropped_functions(
    making: Making,
    tasks: Sequence[Task],
    reached: Sequence[Task],
    manifest: HealthManifest,
    problems: Mapping[str, str],
    good: set[str],
) -> list[Dropped]:
    entered = {task.id for task in reached}
    out: list[Dropped] = []
    for task in tasks:
        health = manifest.tasks.get(task.id)
        if task.id in good:
            continue
        if task.id not in entered:
            why = "no test enters it, or it can't be probed"
        elif health is None:
            continue
        elif health.health is not Health.VALID:
            why = f"{health.health.value}: {_cut_reason_to_eighty_characters(health.reason)}"
        elif problems.get(task.id):
            why = _cut_reason_to_eighty_characters(problems[task.id])
        elif not making.is_valid_with_strong_tests(health):
            why = f"the tests kill {health.kill_score} of its mutants, doctor.strength is {making.doctor.strength}"
        elif task.id not in problems:
            why = "the time was over before its own body was judged as an answer"
        else:
            why = f"more than the {making.wanted.choose.tasks} tasks that were wanted"
        out.append(Dropped(task.target.name, task.target.path, why))
    return out


def _cut_reason_to_eighty_characters(reason: str) -> str:
    return reason if len(reason) < 80 else reason[:77] + "..."
