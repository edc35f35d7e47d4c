"""graft import harbor: the trials of Harbor's jobs as samples of runs, one run for each agent with its model."""

from __future__ import annotations

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from executor.manifest.variant.record import record_path_in_run, write_variant_record
from executor.tasks.datasets import load_rows
from executor.tasks.task_row import TaskRow
from experiments.arms.arm import Arm
from experiments.files import Journal, lock_folder, write_atomically
from experiments.harbor.jobs.job_folders import Trial, read_trials
from experiments.harbor.jobs.trial_sample import (
    AGENT,
    NO_CONTEXT,
    has_ended_without_agent_failure,
    make_model_holding_trial_answer,
    make_trial_record,
)
from experiments.harbor.verify import VerifierRecord
from experiments.run.config import RunConfig, override_config
from experiments.run.experiment import GivenAnswers, RunEnd, run_experiment
from experiments.run.manifest import MANIFEST, RepoFacts, make_bare_manifest, read_manifest, write_manifest
from experiments.run.records import JOURNAL, Story, encode_json_value, locate_story, read_finished_records
from experiments.run.resolve import Job, TaskChoice, choose_tasks
from experiments.run.validity import collect_repo_health
from experiments.run.variant_source import RepoSource, collect_variant_facts
from experiments.run.workspace import BoundTasks, Workspace, bind_tasks, list_plus_tests_unless_gold_failed
from index.errors import ConfigError, TaskError
from index.progress import SILENT, Progress

log = logging.getLogger(__name__)

NO_MODEL = "no model"


@dataclass(frozen=True, slots=True)
class ImportedTrial:
    """A trial as the sample that it becomes."""

    trial: Trial
    task_id: str
    sample: int


def import_jobs(
    folder: Path,
    out: Path,
    overrides: Sequence[str],
    cache: Path,
    progress: Progress = SILENT,
    *,
    regrade: bool = False,
) -> tuple[RunEnd, ...]:
    """Make a run in `out` of the trials below `folder`; of several agents, models or variants a run each, in folders
    of `out`. `overrides` are key=value words of a configuration.

    A verdict is the verifier's; with `regrade` what the agent left is built and tested here. Raises UserError for a
    folder without a trial, or without one of a task of the data set, and for an `out` that holds something else."""
    trials = read_trials(folder)
    config = _make_config_with_dataset_of_trials(trials, overrides)
    rows = load_rows(config.dataset, config.oracle_file)
    groups: dict[tuple[str, str, str | None], list[ImportedTrial]] = defaultdict(list)
    unknown: Counter[str] = Counter()
    for trial in trials:
        if (task_id := _find_task_id(trial, rows)) is None:
            unknown[trial.result.task] += 1
            continue
        variant = _find_trial_or_configured_variant(trial, config)
        group = groups[trial.result.agent, trial.result.model or NO_MODEL, variant]
        group.append(ImportedTrial(trial, task_id, sum(other.task_id == task_id for other in group)))
    left_out = tuple(f"{name}: {n} trials left out (no such task in {config.dataset})" for name, n in unknown.items())
    for line in left_out:
        log.warning(f"graft: {line}")
    if not groups:
        raise TaskError(f"{folder}: no trial is of a task of the data set {config.dataset}; name it with dataset=NAME")
    ends = []
    for (agent, model, variant), chosen in groups.items():
        name = "-".join(word for word in (agent, model, variant) if word and word != NO_MODEL)
        run = out if len(groups) == 1 else out / _replace_unsafe_characters_by_hyphens(name)
        ids = tuple(dict.fromkeys(item.task_id for item in chosen))
        own = config.model_copy(update={"model": model, "variant": variant, "tasks": ids, "out": run})
        arm = Arm(_replace_unsafe_characters_by_hyphens(agent), "none", "none", compiles=False)
        ends.append(_import_trials_of_one_agent(own, run, arm, chosen, left_out, cache, progress, regrade=regrade))
    return tuple(ends)


def _make_config_with_dataset_of_trials(trials: Sequence[Trial], overrides: Sequence[str]) -> RunConfig:
    """The data set is the one that the tasks' folders name, unless `overrides` name another."""
    config = RunConfig(model=NO_MODEL, arms=("none",), agent=AGENT)
    known = next((found for trial in trials if (found := trial.task_metadata_or_empty.get("graft_dataset"))), None)
    return override_config(config, overrides if known is None else [f"dataset={known}", *overrides])


def _find_trial_or_configured_variant(trial: Trial, config: RunConfig) -> str | None:
    """The variant whose task it was, as the verifier or the task's folder says, else as the configuration."""
    judged = trial.verifier_record_or_problem
    known = judged.variant if isinstance(judged, VerifierRecord) else trial.task_metadata_or_empty.get("graft_variant")
    return config.variant if known is None else known or None


def _find_task_id(trial: Trial, rows: Sequence[TaskRow]) -> str | None:
    """The task's id: as its folder or the verifier says, else by the end of the name that Harbor knows it by."""
    judged = trial.verifier_record_or_problem
    known = (
        judged.record.task_id if isinstance(judged, VerifierRecord) else trial.task_metadata_or_empty.get("graft_task")
    )
    if known is not None:
        return next((row.id for row in rows if row.id == known), None)
    name = _replace_unsafe_characters_by_hyphens(trial.result.task.rpartition("/")[2]).lower()
    found = [
        row.id for row in rows if f"-{name}".endswith(f"-{_replace_unsafe_characters_by_hyphens(row.id).lower()}")
    ]
    return max(found, key=len, default=None)


def _replace_unsafe_characters_by_hyphens(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.+]+", "-", text).strip("-.") or "agent"


def _import_trials_of_one_agent(
    config: RunConfig,
    run: Path,
    arm: Arm,
    chosen: Sequence[ImportedTrial],
    left_out: Sequence[str],
    cache: Path,
    progress: Progress,
    *,
    regrade: bool,
) -> RunEnd:
    """The run of one agent with one model, in whose records `arm` stands for the agent."""
    choice = choose_tasks(config)
    bound = bind_tasks(config, choice, cache)
    tasks = {task.id: task for task in bound.tasks}
    chosen = [item for item in chosen if item.task_id in tasks]
    judged = [item for item in chosen if regrade and has_ended_without_agent_failure(item.trial)]
    if not judged and (run / MANIFEST).exists():
        raise ConfigError(f"{run}: exists already; name another folder")
    _require_same_rename_maps(config, chosen, {key: bound.sources[task.target.repo] for key, task in tasks.items()})
    models = {
        (item.task_id, item.sample): make_model_holding_trial_answer(item.trial, tasks[item.task_id])
        for item in chosen
    }
    repos = {name: _collect_repo_facts(config, name, source, choice, bound) for name, source in bound.sources.items()}
    made = [
        make_trial_record(item.trial, tasks[item.task_id], item.sample, arm, models[item.task_id, item.sample])
        for item in chosen
        if item not in judged
    ]
    if judged:

        def list_jobs_to_judge(space: Workspace) -> list[Job]:
            own = {task.id: task for task in space.tasks}
            return [(own[item.task_id], arm, item.sample) for item in judged]

        answers = GivenAnswers(lambda task, sample: models[task.id, sample], list_jobs_to_judge)
        run_experiment(config, cache, progress, answers=answers)
    run.mkdir(parents=True, exist_ok=True)
    with lock_folder(run), closing(Journal(run / JOURNAL)) as journal:
        bare = make_bare_manifest(config, bound.tasks, repos, ())
        manifest = read_manifest(run) if judged else replace(bare, sandbox="harbor", isolated=True)
        planned = Counter(item.task_id for item in chosen)
        manifest = replace(
            manifest,
            config={**manifest.config, "arms": [arm.name]},
            planned={arm.name: dict(planned)},
            left_out=tuple(dict.fromkeys((*left_out, *bound.left_out))),
        )
        write_manifest(run, manifest)
        for name, source in bound.sources.items():
            if source.variant is not None:
                write_variant_record(record_path_in_run(run, name), source.variant)
        for record, trail in made:
            story = encode_json_value(Story(NO_CONTEXT, (), trail), indent=1)
            write_atomically(locate_story(run, *record.key), story)
            journal.append(encode_json_value(record))
    return RunEnd(run, read_finished_records(run), "")


def _require_same_rename_maps(
    config: RunConfig, chosen: Sequence[ImportedTrial], sources: Mapping[str, RepoSource]
) -> None:
    """Raises ConfigError for a trial in other names than this machine's variant has."""
    for item in chosen:
        judged, variant = item.trial.verifier_record_or_problem, sources[item.task_id].variant
        known = judged.map_digest if isinstance(judged, VerifierRecord) else ""
        if known and variant is not None and known != variant.digest:
            raise ConfigError(
                f"{item.trial.folder}: judged in other names than {config.variant} has here (map {known}, here"
                f" {variant.digest}); import it on the machine that exported its task"
            )


def _collect_repo_facts(
    config: RunConfig, name: str, source: RepoSource, choice: TaskChoice, bound: BoundTasks
) -> RepoFacts:
    recipe = source.keep_plus_tests_proved_for_tree(choice.recipes[name])
    own = [task for task in bound.tasks if task.target.repo == name]
    health = source.load_health_renamed_for_tree(recipe, own)
    return RepoFacts(
        commit=source.tree.commit,
        origin=source.tree.origin,
        notes=source.tree.notes,
        health=collect_repo_health(health, plus=config.plus),
        variant=None if source.variant is None else collect_variant_facts(source.variant),
        plus_tasks=tuple(
            task.id for task in own if config.plus and list_plus_tests_unless_gold_failed(recipe, health, task.id)
        ),
    )
