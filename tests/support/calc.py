"""The function `add` of the tiny repository as a task, and what a doctor would know of it."""

from __future__ import annotations

from dataclasses import replace

from executor.manifest.health import Health, HealthManifest, TaskHealth
from executor.repository.images import Image
from executor.values import Level, Task
from index.values import Span, Target
from lab.doctor.manifest import new_manifest

GOLD = "int add(int a, int b)\n{\n    return a + b;\n}\n"


def add_task() -> Task:
    target = Target("tiny", "calc.c", Span(5, 8), "add", "int add(int a, int b)", "", "c")
    return Task("add", target, GOLD, GOLD, (), Level.NONE, "tests", "1")


def add_manifest(image: Image) -> HealthManifest:
    entry = TaskHealth(
        "add", "add", "calc.c", Health.VALID, "", ("unit", "late"), ("unit",), 0.1, 0.1, 1, 1, 0, 0, None, 1, 1, 0, (),
        (), True, 1.0, "",
    )  # fmt: skip
    return replace(new_manifest(image, "process", "2026-01-01"), tasks={"add": entry})
