"""Prevents: a YAML file of a stranger that takes a reader many seconds, or ends it."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.errors import TaskError
from index.user_files import MOST_YAML, read_yaml


def test_a_yaml_file_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "task.yaml"
    path.write_text("a: [" + "b," * (MOST_YAML // 2) + "]")
    with pytest.raises(TaskError, match=r"task\.yaml: not YAML: longer than 200,000 characters"):
        read_yaml(path, TaskError)


def test_a_yaml_file_that_is_nested_too_deep_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "task.yaml"
    path.write_text("a: " + "[" * 100_000)
    with pytest.raises(TaskError, match=r"task\.yaml: not YAML"):
        read_yaml(path, TaskError)
