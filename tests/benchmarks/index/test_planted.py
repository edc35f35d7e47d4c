"""Prevents: a table of planted golds that says 0 because nothing was planted; a copy in the example that a tool or a
prompt shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.index.planted import find_secrets, list_places, list_runs, plant_golds, try_repository
from executor.repository.recipe import BUILT_IN
from executor.tasks.datasets import load_rows, make_task_from_row

EXAMPLE = BUILT_IN.parent / "examples" / "inventory"


def test_each_kind_of_place_holds_the_gold(tmp_path: Path) -> None:
    tasks = [make_task_from_row(row, EXAMPLE) for row in load_rows("example")]
    secrets = find_secrets(EXAMPLE, {task.target.path for task in tasks}, tasks)
    planted = plant_golds(tmp_path, tasks)
    assert len(list_places()) == 14
    for task in tasks:
        assert secrets[task.id], task.id
        for kind, path in planted[task.id].items():
            shown = set(list_runs((tmp_path / path).read_text()))
            assert len(shown & secrets[task.id]) >= len(secrets[task.id]) / 3, (task.id, kind)


@pytest.mark.slow
def test_no_planted_gold_of_the_example_can_be_read() -> None:
    found = try_repository("example", most=3)
    assert (found["tasks"], found["with_secret"], found["where"]) == (3, 3, {})
    assert set(found["shown"].values()) == {0}
