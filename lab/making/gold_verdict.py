"""Judges a task's own body as a run judges an answer: what a run wouldn't count can't be a task."""

from __future__ import annotations

from pathlib import Path

from executor.cache import replace_file, short_digest
from executor.candidate.execute import execute_edits
from executor.function.splice import make_edits
from executor.grading.grade import grade, limit_expected_to_suites
from executor.manifest.health import TaskHealth
from executor.manifest.manifest import choose_suites_by_health
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.values import Outcome, Task
from index.errors import SandboxError


def judge_gold_and_explain_failure(
    image: Image, backend: Backend, task: Task, health: TaskHealth, folder: Path
) -> str:
    """Why a run would flag or fail the task's own body, or "", as it is kept in `folder`. Raises SandboxError."""
    # Where the doctor's time was over, a run takes further suites, in which the gold wasn't tried yet.
    suites = choose_suites_by_health(image.recipe, health, task.id)
    path = folder / f"as-an-answer-{short_digest({'suites': suites})}.txt"
    if path.is_file():
        return path.read_text(encoding="utf-8")
    run = execute_edits(image, make_edits(task.target, task.gold), backend, suites, folder)
    if run.infra_error:
        raise SandboxError(run.infra_error)
    verdict = grade(run, limit_expected_to_suites(image.expected, suites), task.gold)
    why = "" if verdict.outcome is Outcome.PASSED else f"its own body: {verdict.reason}"
    if verdict.flags:
        why = f"its own body is flagged: {'; '.join(verdict.flags)}"
    replace_file(path, why.encode("utf-8", "replace"))
    return why
