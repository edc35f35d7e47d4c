"""The function `add` of the tiny repository as a task, and what a doctor would know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from executor.candidate.execute import ExecutionOptions, execute_edits
from executor.function.splice import Edit
from executor.grading.grade import grade, select_expected
from executor.manifest.health import Health, HealthManifest, TaskHealth
from executor.repository.images import Image
from executor.values import Level, Task, TestRun, Verdict
from index.values import Span, Target
from lab.doctor.manifest import make_manifest
from tests.fixtures.executor_fixtures import Tiny

GOLD = "int add(int a, int b)\n{\n    return a + b;\n}\n"
SUITES = ("unit", "late")


def judge_text(
    tiny: Tiny,
    code: str,
    folder: Path,
    suites: Sequence[str] = SUITES,
    options: ExecutionOptions = ExecutionOptions(),  # noqa: B008 - frozen
    *,
    image: Image | None = None,
) -> tuple[TestRun, Verdict]:
    """Run the text in `add`'s place, in the tiny repository's image or another, and grade it by all that ran."""
    image = image or tiny.image
    run = execute_edits(image, [Edit(tiny.path, tiny.span, code)], tiny.backend, suites, folder, options)
    return run, grade(run, select_expected(image.expected, (*suites, *options.then)), code)


def add_task() -> Task:
    target = Target("tiny", "calc.c", Span(5, 8), "add", "int add(int a, int b)", "", "c")
    return Task("add", target, GOLD, GOLD, (), Level.NONE, "tests", "1")


def add_manifest(image: Image) -> HealthManifest:
    entry = TaskHealth(
        "add", "add", "calc.c", Health.VALID, "", ("unit", "late"), ("unit",), 0.1, 0.1, 1, 1, 0, 0, None, 1, 1, 0, (),
        (), True, 1.0, "",
    )  # fmt: skip
    return replace(make_manifest(image, "process", "2026-01-01"), tasks={"add": entry})
