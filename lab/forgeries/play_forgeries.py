"""graft audit forge: play the library of forgeries over valid tasks, each by the way that every answer takes."""

from __future__ import annotations

import logging
import random
import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from executor.candidate.execute import recognise_edit_names_by_tree_and_gold
from executor.function.sabotage import digest_definition
from executor.function.splice import make_edits
from executor.grading.flags import find_flags
from executor.manifest.manifest import list_valid_task_ids
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.scheduled import log_machine_use
from executor.threads import map_in_threads_as_completed
from executor.values import Task
from executor.workers.local import LocalWorkers
from experiments.run.config import RunConfig
from experiments.run.records import name_execution_folder
from experiments.run.resolve import resolve_config_parts
from experiments.run.sampling.executions import (
    Executions,
    collect_control_run_state_and_costs,
    grade_execution,
    list_control_steps,
    list_steps_without_controls,
)
from experiments.run.workspace import Repo, Workspace, prepare_workspace
from index.errors import ConfigError, TaskError
from index.progress import SILENT, Progress
from index.user_files import make_spelling_hint
from lab.forgeries.forged_text import (
    Forgery,
    choose_driver_of_first_suite,
    compose_forgery,
    is_suited_to_task,
    load_forgeries,
)
from lab.forgeries.forgery_record import (
    FORMAT,
    Catch,
    FlaggedTexts,
    ForgeRecord,
    PlayedForgery,
    classify_catch,
    load_forge_record,
    save_forge_record,
)

log = logging.getLogger(__name__)

RECORD = "forged.json"
# A record is written after so many trials, and at the end.
_SAVE_EVERY = 10

Pair = tuple[Forgery, Task]
# A forgery's name, a task's id, the digest of the text.
Key = tuple[str, str, str]


def play_forgeries(
    config: RunConfig,
    out: Path,
    cache: Path,
    progress: Progress = SILENT,
    *,
    forgeries: tuple[str, ...] = (),
    sample: int | None = None,
    seed: int = 1,
    unflagged: bool = False,
    fresh: bool = False,
) -> ForgeRecord:
    """Play forgeries on the valid ones of the config's tasks, and return the record. `out`/forged.json holds that, and
    what earlier calls played; a pair of forgery and task that it has, with the same text, isn't played again.

    forgeries  their names; empty for all
    sample     how many pairs; None for every suitable one. The order is drawn by `seed`, so that a run that is
               stopped is a sample too
    unflagged  only the pairs whose text has no flag, since one with a flag can't count as passed
    fresh      play again what the record holds, as after a change of Graft

    Raises ConfigError for a sandbox that doesn't isolate, TaskError for an unknown forgery, and what
    `prepare_workspace` raises."""
    library = _choose_forgeries(forgeries)
    backend = open_unscheduled_backend(config.sandbox, cache)
    if not backend.isolated:
        raise ConfigError(
            f"sandbox {backend.name}: it doesn't isolate, and a forgery attacks what it reaches; use bwrap or docker"
        )
    space = prepare_workspace(resolve_config_parts(config), cache, progress)
    every = _order_suited_pairs_in_rounds(library, space, seed)
    able, by_text = _drop_flagged_counting_per_repository(space, every, progress) if unflagged else (every, ())
    wanted = able if sample is None else able[:sample]
    kept = _read_reusable_trials(out / RECORD)
    texts = [_compose_forged_text(space, *pair) for pair in wanted]
    trials = {
        (forgery.name, task.id, digest_definition(text)): (forgery, task, text)
        for (forgery, task), text in zip(wanted, texts, strict=True)
    }
    others = tuple(trial for key, trial in kept.items() if key not in trials)
    known = {} if fresh else kept
    done = [known[key] for key in trials if key in known]
    left = [trial for key, trial in trials.items() if key not in known]
    record = ForgeRecord(
        FORMAT,
        datetime.now(UTC).date().isoformat(),
        backend.name,
        len({task.id for _, task in every}),
        len(library),
        len(every),
        len(wanted),
        seed,
        tuple(done),
        by_text,
    )
    for found in by_text:
        log.info(f"{found.repo}: {found.flagged} of {found.pairs} pairs are flagged by their text alone: not played")
    log.info(
        f"{len(library)} forgeries, {record.tasks} valid tasks: {len(wanted)} of {len(every)} pairs, {len(done)} known"
    )

    # What is cut off isn't run once more: most forgeries that reach a limit hang, and none is a score.
    executions = Executions(out, LocalWorkers(space.sandbox.backend), "all", patient=False)

    def play_trial(trial: tuple[Forgery, Task, str]) -> PlayedForgery:
        return _play_forgery(executions, space.repos[trial[1].target.repo], *trial)

    def save_record() -> None:
        save_forge_record(out / RECORD, replace(record, played=(*others, *record.played)))

    try:
        with progress.open_count("forgeries played", len(left)) as advance:
            for played in map_in_threads_as_completed(play_trial, left, space.sandbox.scheduler.most):
                record = replace(record, played=(*record.played, played))
                if len(record.played) % _SAVE_EVERY == 0:
                    save_record()
                advance(note=f"{len(record.trials_passed_unflagged)} passed unflagged")
    finally:
        save_record()
        log_machine_use(space.sandbox.backend)
    return record


def _drop_flagged_counting_per_repository(
    space: Workspace, pairs: Sequence[Pair], progress: Progress
) -> tuple[list[Pair], tuple[FlaggedTexts, ...]]:
    """The pairs whose text has no flag, in their order, and how many there are for each repository. An execution
    finds the same flags and perhaps more: these are read by the same functions from the same files."""
    free: set[tuple[str, str]] = set()
    with progress.open_count("forged texts read", len(pairs)) as advance:
        # Task by task: what is read of a task's file serves all its forgeries.
        for forgery, task in sorted(pairs, key=lambda pair: pair[1].id):
            text = _compose_forged_text(space, forgery, task)
            image = space.repos[task.target.repo].image
            if not find_flags(text, recognise_edit_names_by_tree_and_gold(image, make_edits(task.target, text))):
                free.add((forgery.name, task.id))
            advance()
    counted = []
    for repo in sorted({task.target.repo for _, task in pairs}):
        own = {(forgery.name, task.id) for forgery, task in pairs if task.target.repo == repo}
        counted.append(FlaggedTexts(repo, len({task for _, task in own}), len(own), len(own - free)))
    return [pair for pair in pairs if (pair[0].name, pair[1].id) in free], tuple(counted)


def _read_reusable_trials(path: Path) -> dict[Key, PlayedForgery]:
    if not path.is_file():
        return {}
    trials = (trial for trial in load_forge_record(path).played if trial.catch is not Catch.INFRA)
    return {(trial.forgery, trial.task_id, trial.text): trial for trial in trials}


def _compose_forged_text(space: Workspace, forgery: Forgery, task: Task) -> str:
    repo = space.repos[task.target.repo]
    return compose_forgery(forgery, repo.image, task, repo.list_judging_suites(task.id))


def _play_forgery(executions: Executions, repo: Repo, forgery: Forgery, task: Task, text: str) -> PlayedForgery:
    """One text, from its check to its verdict and its control run, as any answer goes."""
    # What an earlier Graft found may not be what this one finds.
    stored = name_execution_folder(task.id, repo.image.key, repo.list_judging_suites(task.id), text)
    shutil.rmtree(executions.run / stored, ignore_errors=True)
    name, execution = executions.build_and_test_once(repo, task, text)
    verdict = grade_execution(execution, repo.image.expected)
    run = execution.run
    return PlayedForgery(
        task.target.repo,
        task.id,
        task.target.name,
        forgery.name,
        forgery.family,
        digest_definition(text),
        classify_catch(run, verdict),
        verdict.reason,
        verdict.flags,
        collect_control_run_state_and_costs(run, verdict).state,
        round(sum(step.wall_s for step in (*list_steps_without_controls(run), *list_control_steps(run.controls))), 2),
        name,
    )


def _choose_forgeries(names: Sequence[str]) -> tuple[Forgery, ...]:
    library = load_forgeries()
    known = {forgery.name for forgery in library}
    for name in names:
        if name not in known:
            raise TaskError(f"forgery {name!r} isn't in the library{make_spelling_hint(name, sorted(known))}")
    return tuple(forgery for forgery in library if not names or forgery.name in names)


def _order_suited_pairs_in_rounds(library: Sequence[Forgery], space: Workspace, seed: int) -> list[Pair]:
    """Every forgery with every valid task that it suits. In rounds: a round has each task once with each class, by a
    forgery that is drawn. Within it each task comes once before one comes again, with the classes in turn, so that
    however few are played they are of all tasks and classes."""
    drawn = random.Random(seed)
    tasks = [
        task
        for task in space.tasks
        if (health := space.repos[task.target.repo].health) is not None and task.id in list_valid_task_ids(health)
    ]
    drawn.shuffle(tasks)
    drivers = {}
    for task in tasks:
        repo = space.repos[task.target.repo]
        drivers[task.id] = choose_driver_of_first_suite(repo.image, repo.list_judging_suites(task.id))
    families = list(dict.fromkeys(forgery.family for forgery in library))
    cells: list[list[Pair]] = []
    for turn in range(len(families)):
        for number, task in enumerate(tasks):
            family = families[(number + turn) % len(families)]
            suited = (f for f in library if f.family == family and is_suited_to_task(f, task, drivers[task.id]))
            cell = [(forgery, task) for forgery in suited]
            drawn.shuffle(cell)
            cells.append(cell)
    longest = max(map(len, cells), default=0)
    return [cell[number] for number in range(longest) for cell in cells if number < len(cell)]
