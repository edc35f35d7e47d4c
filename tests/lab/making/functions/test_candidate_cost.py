"""Prevents: half an hour of an examination spent on three functions that only a test of fifteen seconds enters, while
quick ones wait (galera-3)."""

from __future__ import annotations

from dataclasses import replace

from executor.repository.build.graph import BuildGraph, BuildStep
from executor.values import Task
from lab.making.functions.candidate_cost import order_by_cost
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
    ordered = order_by_cost([task_in(name) for name in names], entered, BuildGraph(tuple(steps)), seconds)
    assert [task.id for task in ordered] == ["quick.c", "both.c", "narrow.h", "slow.c", "slowest.c", "wide.h"]
