"""Prevents: a run over a whole data set that starts a build of hours nobody asked for, and tasks of another
version that are bound to the old lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.run.config import RunConfig
from experiments.run.workspace import read_tasks
from index.errors import ConfigError, RecipeError

TASK = """\
id: T1
repository: llvm
path: llvm/lib/Support/SourceMgr.cpp
first: 1
last: 3
name: f
signature: int f()
docstring: Does it.
level: none
"""


def _data(folder: Path) -> Path:
    (folder / "tasks" / "T1").mkdir(parents=True)
    (folder / "tasks" / "T1" / "task.yaml").write_text(TASK)
    return folder / "tasks"


def test_what_takes_hours_is_only_built_when_it_is_named(tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    (mirror / "llvm" / "HEAD").parent.mkdir(parents=True)
    (mirror / "llvm" / "HEAD").write_text("ref: refs/heads/main\n")
    (mirror / "llvm" / "objects").mkdir()
    dataset = str(_data(tmp_path))
    config = RunConfig(dataset=dataset, model="gold", mirror=mirror)
    with pytest.raises(ConfigError, match=r"llvm: 1 tasks left out \(only when asked for: repos=llvm\)"):
        read_tasks(config, tmp_path / "cache")
    # Named, it is looked for; this mirror is empty.
    with pytest.raises(RecipeError, match="has no commit"):
        read_tasks(config.model_copy(update={"repos": ("llvm",)}), tmp_path / "cache")
