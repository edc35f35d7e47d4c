"""What scripted answers are made of, and what became of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from executor.values import Task
from experiments.demo.scripted_server import ScriptRule
from experiments.run.experiment import GivenAnswers
from experiments.run.records import Story, locate_story, read_json_file
from experiments.run.reference_models import make_prediction_or_empty_answer_models


def fence(code: str, tag: str = "c") -> str:
    """The code as a model gives it."""
    return f"```{tag}\n{code.rstrip()}\n```\n"


def fence_gold(task: Task) -> str:
    return fence(task.gold, task.target.language)


def match_prompt(task: Task) -> str:
    """A regex that finds the prompt of this task and of no other: the prompts name the function to write."""
    return re.escape(f"The function to write: {task.target.name}\n")


def make_gold_rule(task: Task, **keys: Any) -> ScriptRule:
    return ScriptRule(match=match_prompt(task), answer=fence_gold(task), **keys)


def give_answers(answers: Mapping[tuple[str, int], str]) -> GivenAnswers:
    """Answers that were made elsewhere, by task id and sample, in place of a model's."""
    return GivenAnswers(make_prediction_or_empty_answer_models(answers))


def read_story(run: Path, arm: str, task_id: str, sample: int = 0) -> Story:
    return read_json_file(Story, locate_story(run, arm, task_id, sample))
