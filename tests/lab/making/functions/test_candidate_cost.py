"""Prevents: half an hour of an examination spent on three functions that only a test of fifteen seconds enters, while
quick ones wait (galera-3); a data set in which nine of eleven functions have fewer than ten lines (cppunit)."""

from __future__ import annotations

from dataclasses import replace

from executor.repository.build.graph import BuildGraph, BuildStep
from executor.tasks.task_row import TaskRow
from executor.values import Task
from index.values import Span, join_targets
from lab.making.functions.candidate_cost import defer_short_tasks, order_tasks_by_cost
from lab.making.ship import limit_short_rows
from tests.fixtures.calc import add_task


def task_in(path: str) -> Task:
    task = add_task()
    return replace(task, id=path, target=replace(task.target, path=path))


def test_functions_of_slow_tests_and_then_those_of_headers_that_many_read_come_last() -> None:
    names = ["wide.h", "slowest.c", "slow.c", "quick.c", "both.c", "narrow.h", "idle.c"]
    readers = {"wide.h": 9, "narrow.h": 8}
    steps = [
        BuildStep("compile", (), ".", (f"{number}.o",), (f"{number}.c",), depends=(f"{number}.c", header))
        for header, count in readers.items()
        for number in range(count)
    ]
    entered = {
        "wide.h": ("unit",),
        "slowest.c": ("whole",),
        "slow.c": ("half",),
        "quick.c": ("unit",),
        "both.c": ("whole", "unit"),
        "narrow.h": ("unit",),
        "idle.c": (),
    }
    seconds = {"unit": 4.0, "half": 6.0, "whole": 14.6}
    ordered = order_tasks_by_cost([task_in(name) for name in names], entered, BuildGraph(tuple(steps)), seconds)
    assert [task.id for task in ordered] == ["quick.c", "both.c", "narrow.h", "slow.c", "slowest.c", "wide.h"]


def give_lines(task: Task, count: int, name: str) -> Task:
    return replace(task, id=name, target=replace(task.target, span=Span(5, 4 + count)))


def test_short_functions_beyond_half_come_last() -> None:
    lengths = {"a": 9, "b": 9, "c": 10, "d": 9, "e": 30}
    tasks = [give_lines(add_task(), count, name) for name, count in lengths.items()]
    assert [task.id for task in defer_short_tasks(tasks, 2)] == ["a", "c", "e", "b", "d"]
    assert [task.id for task in defer_short_tasks(tasks, 4)] == ["a", "b", "c", "e", "d"]
    assert [task.id for task in defer_short_tasks(tasks, 1)] == ["c", "e", "a", "b", "d"]


def test_at_most_half_of_what_ships_is_short() -> None:
    def make_row(name: str, count: int, is_of_two: bool = False) -> TaskRow:
        task = add_task()
        target = replace(task.target, span=Span(5, 4 + count))
        return TaskRow(name, join_targets([target] * (1 + is_of_two)), (), None, task.level, "calc", "", "")

    rows = [make_row("a", 9), make_row("b", 9), make_row("c", 10), make_row("d", 5, is_of_two=True), make_row("e", 2)]
    assert [row.id for row in limit_short_rows(rows)] == ["a", "b", "c", "d"]
    assert [row.id for row in limit_short_rows(rows[:3])] == ["a", "c"]
    assert limit_short_rows(rows[2:4]) == rows[2:4]
