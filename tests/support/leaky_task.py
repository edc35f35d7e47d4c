"""The example's task whose wrong answers pass their suites and are found by other evidence."""

from __future__ import annotations

from experiments.run.config import RunConfig

TASK = "map-remove"


def make_config(**more: object) -> RunConfig:
    words = {"dataset": "example", "tasks": (TASK,), "model": "gold", "arms": ("none",), "sandbox": "process", **more}
    return RunConfig.model_validate(words)
