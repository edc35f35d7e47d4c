"""Prevents: a YAML file of a stranger that takes a reader many seconds, or ends it."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.errors import TaskError
from index.user_files import MOST_YAML, read_yaml


@pytest.mark.parametrize(
    ("text", "reason"),
    [("a: [" + "b," * (MOST_YAML // 2) + "]", ": longer than 200,000 characters"), ("a: " + "[" * 100_000, "")],
    ids=["too long", "nested too deep"],
)
def test_a_yaml_file_that_takes_long_or_too_much_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "task.yaml"
    path.write_text(text)
    with pytest.raises(TaskError, match=rf"task\.yaml: not YAML{reason}"):
        read_yaml(path, TaskError)
