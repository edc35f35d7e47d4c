"""Judges a task's own body as a run judges an answer: what a run wouldn't count can't be a task."""

from __future__ import annotations

from pathlib import Path

from executor.cache import write_whole
from executor.candidate.execute import execute_edits
from executor.function.splice import edits_of
from executor.grading.grade import chosen, grade
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
    run = execute_edits(image, edits_of(task.target, task.gold), backend, health.suites, folder)
    if run.infra_error:
        raise SandboxError(run.infra_error)
    verdict = grade(run, chosen(image.expected, health.suites), task.gold)
    why = "" if verdict.outcome is Outcome.PASSED else f"its own body: {verdict.reason}"
    if verdict.flags:
        why = f"its own body is flagged: {'; '.join(verdict.flags)}"
    write_whole(folder / _VERDICT_FILE, why.encode("utf-8", "replace"))
    return why
