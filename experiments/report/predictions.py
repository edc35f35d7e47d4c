"""graft grade FILE: score answers that were made elsewhere, by the way that every answer takes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from executor.cache import cache_root
from executor.tasks.predictions import read_predictions, resolve_prediction_task_ids
from executor.workers.contract import GoldComparison
from experiments.arms.arm import parse_arm
from experiments.run.config import RunConfig, choose_default_run_folder, override_config
from experiments.run.experiment import GivenAnswers, RunEnd, run_experiment
from experiments.run.manifest import ANSWERS, make_file_input
from experiments.run.reference_models import make_prediction_or_empty_answer_models
from experiments.run.resolve import Job, choose_tasks
from experiments.run.workspace import Workspace
from index.errors import ConfigError, TaskError
from index.progress import SILENT, Progress

log = logging.getLogger(__name__)

_DIGITS = 10


def judge_given_answers(
    answers_file: Path, overrides: Sequence[str], progress: Progress = SILENT, comparison: GoldComparison | None = None
) -> RunEnd:
    """Build and test the answers in `answers_file`, JSON lines of ours or of lm-eval. `overrides` are key=value
    words of a configuration. Tasks without an answer aren't scored. The run's folder is named after the file and its
    content. Raises UserError for a mistake in either, and for a folder that holds the scores of another file."""
    if not answers_file.is_file():
        raise ConfigError(f"{answers_file}: neither a run's folder nor a file of predictions")
    config = override_config(RunConfig(model=f"predictions:{answers_file.name}", arms=("none",)), overrides)
    choice = choose_tasks(config)
    found = resolve_prediction_task_ids(read_predictions(answers_file), choice.rows)
    # Answers in another file, or in this one after an edit, are another run, with a folder of its own.
    graded = make_file_input(answers_file, answers_file.read_bytes())
    answers = {(prediction.task_id, prediction.sample): prediction.completion for prediction in found}
    wanted = {row.id for row in choice.chosen}
    chosen = tuple(dict.fromkeys(task_id for task_id, _ in answers if task_id in wanted))
    if not chosen:
        raise TaskError(f"{answers_file}: no prediction for the chosen tasks")
    out = config.out or choose_default_run_folder("grade", f"{answers_file.stem}-{graded.content[:_DIGITS]}")
    config = config.model_copy(update={"tasks": chosen, "out": out})

    def list_jobs_with_answers(space: Workspace) -> list[Job]:
        tasks = {task.id: task for task in space.tasks}
        arm = parse_arm("none")
        return [(tasks[task_id], arm, sample) for task_id, sample in sorted(answers) if task_id in tasks]

    log.info(f"{answers_file}: {len(answers)} answers to {len(chosen)} of the data set's {len(choice.rows)} tasks")
    return run_experiment(
        config,
        cache_root(),
        progress,
        answers=GivenAnswers(
            make_prediction_or_empty_answer_models(answers), list_jobs_with_answers, {ANSWERS: graded}
        ),
        comparison=comparison,
    )
