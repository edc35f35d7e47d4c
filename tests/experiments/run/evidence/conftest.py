from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from executor.values import Task
from executor.workers.local import LocalWorkers
from experiments.run.records import Execution
from experiments.run.resolve import resolve_config_parts
from experiments.run.sampling.executions import Executions
from experiments.run.workspace import Workspace, prepare_workspace
from tests.support.leaky_task import make_config


@pytest.fixture
def space(cache: Path) -> Workspace:
    return prepare_workspace(resolve_config_parts(make_config()), cache)


@pytest.fixture
def task(space: Workspace) -> Task:
    return space.tasks[0]


@pytest.fixture
def execute(space: Workspace, task: Task, cache: Path, tmp_path: Path) -> Callable[..., Execution]:
    """execute(code, **more): build and test an answer to the task, by `Executions` of a process of their own."""

    def build_and_test(code: str, folder: Path = tmp_path, **more: Any) -> Execution:
        executions = Executions(folder, LocalWorkers(space.sandbox.backend, cache), **more)
        return executions.build_and_test_once(space.repos["example"], task, code)[1]

    return build_and_test
