"""Prevents: a task of several functions that have nothing to do with each other, a function in two tasks, and an
oracle that holds a function which is to be written."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from executor.manifest.health import Health, HealthManifest, TaskHealth
from executor.tasks.datasets import make_task_from_row
from executor.tasks.mera import read_mera
from executor.tasks.task_folders import list_problems_of_task_folders, read_task_folders, write_task_folder
from index.errors import TaskError
from lab.making.functions.choose_functions import choose_functions
from lab.making.settings import ChooseSettings
from lab.making.write_data_set import write_table
from tests.lab.making.sets import SOURCE, compile_all


@pytest.fixture
def index(indexed):
    return indexed(SOURCE)


def _choice(index, holes):
    return choose_functions(index, compile_all(*SOURCE), ChooseSettings(lines=(3, 40), holes=holes), "grouped", None)


def _names(choice):
    return {tuple(row.name for row in candidate.row.rows_of_functions) for candidate in choice.candidates}


@pytest.fixture
def task(index):
    return make_task_from_row(_choice(index, (2, 2)).candidates[0].row, index.root)


def test_what_belongs_together_is_asked_for_together(index):
    """A caller and the helper that only it calls; a pair whose names undo each other; a class's methods."""
    choice = _choice(index, (2, 2))
    assert _names(choice) == {("checksum", "fold"), ("encode_word", "decode_word"), ("Ring::used", "Ring::first_free")}
    assert choice.left_out["belongs to no group of 2 functions"] == 1
    ids = [candidate.row.id for candidate in choice.candidates]
    assert len(set(ids)) == len(ids)
    by_name = {candidate.row.name: candidate.row for candidate in choice.candidates}
    # The helper is no part of the oracle, and neither of the level.
    assert [item.name for item in by_name["checksum"].oracle] == ["mix"]
    assert by_name["checksum"].level.value == "file"


def test_a_range_takes_each_number_in_turn_and_each_function_once(index):
    names = _names(_choice(index, (1, 2)))
    flat = [name for group in names for name in group]
    assert len(flat) == len(set(flat)) == 7
    assert {len(group) for group in names} == {1, 2}
    assert _names(_choice(index, (1, 1))) == {(name,) for name in flat}


@pytest.mark.parametrize("holes", [(0, 1), (3, 2), (1, 17)])
def test_an_odd_number_of_functions_is_refused(holes):
    with pytest.raises(ValidationError, match="holes: give the fewest and the most"):
        ChooseSettings(holes=holes)


def test_a_group_is_written_and_read_again(index, tmp_path):
    tasks = [make_task_from_row(candidate.row, index.root) for candidate in _choice(index, (2, 2)).candidates]
    for task in tasks:
        write_task_folder(task, tmp_path / "tasks")
    assert list_problems_of_task_folders(tmp_path / "tasks") == []
    again = {row.id: make_task_from_row(row, index.root) for row in read_task_folders(tmp_path / "tasks")}
    for task in tasks:
        assert (again[task.id].target, again[task.id].gold) == (task.target, task.gold)
        assert [item.text for item in again[task.id].oracle] == [item.text for item in task.oracle]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("holes:", "holez:"), "holez: unknown key; did you mean 'holes'"),
        (("- path: ", "- path: ../"), "holes.0.path"),
        (("  first: ", "  frist: "), "holes.0.frist: unknown key"),
        (("level:", "instruction: x\nlevel:"), "instruction: MERA's templates hold one function"),
    ],
)
def test_a_mistake_in_a_further_function_is_named(task, tmp_path, change, problem):
    file = write_task_folder(task, tmp_path) / "task.yaml"
    file.write_text(file.read_text().replace(*change, 1))
    assert any(problem in line for line in list_problems_of_task_folders(tmp_path)), list_problems_of_task_folders(
        tmp_path
    )


def test_a_gold_of_its_own_and_overlapping_lines_are_refused(task, tmp_path):
    place = write_task_folder(task, tmp_path)
    (place / "gold.txt").write_text("x")
    assert "a task of several functions has no such text" in list_problems_of_task_folders(tmp_path)[0]
    (place / "gold.txt").unlink()
    text = (place / "task.yaml").read_text()
    first, hole = task.target.span, task.target.holes[1].span
    text = text.replace(f"  first: {hole.first}\n  last: {hole.last}", f"  first: {first.first}\n  last: {first.last}")
    text = text.replace(f"- path: {task.target.holes[1].path}", f"- path: {task.target.path}")
    (place / "task.yaml").write_text(text)
    with pytest.raises(TaskError, match=r"holes\.0: its lines overlap another function's"):
        read_task_folders(tmp_path)


def test_a_table_row_that_holds_several_is_never_read_as_one(task, tmp_path):
    entry = TaskHealth(
        task.id, "", "", Health.VALID, "", (), (), 0.1, 0.1, 1, 1, 0, 0, None, 1, 1, 0, (), (), True, 1.0, ""
    )
    manifest = HealthManifest(1, "", "", "", "", "", "", "", {}, {task.id: entry})
    with pytest.raises(TaskError, match="asks for several functions"):
        read_mera(write_table([task], manifest, tmp_path))
