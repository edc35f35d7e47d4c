"""Prevents: a peer that was stopped before its end counted as if it had ended, and a table whose ratios are of
another column than its head says."""

from __future__ import annotations

from benchmarks.costs import Cost
from benchmarks.index.peers import compared
from benchmarks.index.speed import table_of

COSTS = {
    "bare parse": Cost(2.0, 4.0, 100.0),
    "symbols, sites": Cost(5.0, 10.0, 200.0),
    "graph": Cost(4.0, 5.0, 300.0),
    "text": Cost(3.0, 3.0, 300.0),
    "whole index": Cost(9.0, 18.0, 600.0),
    "ctags": Cost(1.0, 0.9, 30.0),
}


def test_each_ratio_stands_under_its_head() -> None:
    head, _, *rows = table_of(COSTS)
    names = [cell.strip() for cell in head.strip("|").split("|")]
    found = {row[0]: dict(zip(names, row, strict=True)) for row in (cells(line) for line in rows)}
    assert found["whole index"] == {
        "step": "whole index",
        "wall s": "9.0",
        "CPU s": "18.0",
        "peak MB": "600",
        "wall / bare parse": "4.50",
        "CPU / bare parse": "4.50",
    }
    assert found["symbols, sites"]["CPU / bare parse"] == "2.50"
    assert found["graph"]["wall / bare parse"] == "2.00"
    assert "aider" not in found


def test_a_peer_is_compared_by_the_clock_and_by_cpu() -> None:
    lines = list(compared(COSTS | {"aider": Cost(90.0, 88.0, 900.0)}))
    assert "aider against `whole index`: 10.00 times by the clock, 4.89 times the CPU" in lines
    assert "ctags against `symbols, sites`: 0.20 times by the clock, 0.09 times the CPU" in lines
    assert lines[-1] == "`whole index`: 100% of 2 cores busy"


def test_a_peer_that_was_stopped_took_more_than_is_told() -> None:
    costs = COSTS | {"aider": Cost(90.0, 88.0, 900.0, stopped=True)}
    assert cells(list(table_of(costs))[-1])[1:3] == ["> 90.0", "> 88.0"]
    assert "more than 10.00 times by the clock, more than 4.89 times the CPU" in next(iter(compared(costs)))


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]
