"""Prevents: a peer that was stopped before its end counted as if it had ended, and a table whose ratios are of
another column than its head says."""

from __future__ import annotations

from benchmarks.costs import Cost
from benchmarks.index.speed import render_costs
from benchmarks.tables import read_tables

COSTS = {
    "bare parse": Cost(2.0, 4.0, 100.0),
    "whole index": Cost(9.0, 18.0, 600.0),
    "aider": Cost(90.0, 90.0, 900.0, stopped=True),
}


def test_each_ratio_stands_under_its_head_and_a_stopped_peer_took_more() -> None:
    table = read_tables(render_costs(COSTS))[0]
    assert table.head == ("step", "wall, s", "CPU, s", "peak, MB", "CPU / bare parse", "CPU / whole index")
    assert table.rows[1] == ("whole index", "9.0", "18.0", "600", "4.50", "1.00")
    assert table.rows[2] == ("aider", "> 90.0", "> 90.0", "> 900", "> 22.50", "> 5.00")
