from __future__ import annotations

from pathlib import Path

import pytest

from experiments.run.resolve import resolve_config_parts
from experiments.run.workspace import Workspace, prepare_workspace
from tests.support.leaky_task import make_config


@pytest.fixture
def space(cache: Path) -> Workspace:
    return prepare_workspace(resolve_config_parts(make_config()), cache)
