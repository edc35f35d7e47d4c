"""Judges a task's own body as a run judges an answer: what a run wouldn't count can't be a task."""

from __future__ import annotations

from pathlib import Path

from executor.cache import replace_file
from executor.candidate.execute import execute_edits
from executor.function.splice import make_edits
from executor.grading.grade import grade, select_expected
from executor.manifest.health import TaskHealth
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.values import Outcome, Task
from index.errors import SandboxError

_VERDICT_FILE = "as-an-answer.txt"


def judge_gold(image: Image, backend: Backend, task: Task, health: TaskHealth, folder: Path) -> str:
    """Why a run would flag or fail the task's own body, or "". What was found before is in `folder`. Raises
    SandboxError."""
    if (folder / _VERDICT_FILE).is_file():
        return (folder / _VERDICT_FILE).read_text(encoding="utf-8")
    run = execute_edits(image, make_edits(task.target, task.gold), backend, health.suites, folder)
    if run.infra_error:
        raise SandboxError(run.infra_error)
    verdict = grade(run, select_expected(image.expected, health.suites), task.gold)
    why = "" if verdict.outcome is Outcome.PASSED else f"its own body: {verdict.reason}"
    if verdict.flags:
        why = f"its own body is flagged: {'; '.join(verdict.flags)}"
    replace_file(folder / _VERDICT_FILE, why.encode("utf-8", "replace"))
    return why
