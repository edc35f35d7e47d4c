"""The tables of bodies beside the gold, from the sums that benchmarks/executor/verdict/differential.py prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.record import load_record
from benchmarks.tables import REPOSITORIES, render_cells, write_ratio, write_repository

EARLIER, NEWEST = "differential", "differential_sample"
# By the first version of the comparison of calls, which told each call that isn't the gold's.
ANY_CALL = "differential_any_call"

Sums = Mapping[str, Any]


def _sums(name: str) -> Sums:
    """The sums of each repository in a record."""
    sums: Sums = load_record(name)["result"]
    return sums


def records() -> Iterator[tuple[str, Sums]]:
    """The newest sums of each repository under its name, and its earlier ones, if these are of changed states too."""
    earlier, newest = _sums(EARLIER), _sums(NEWEST)
    for name in REPOSITORIES:
        if name in newest:
            yield write_repository(name), newest[name]
        if name in earlier and (name not in newest or earlier[name]["wrong"]["states"]):
            yield write_repository(name) + (", earlier" if name in newest else ""), earlier[name]


def caught() -> str:
    rows = []
    for title, sums in records():
        same, wrong, held = sums["equivalents"], sums["wrong"], sums["held"]
        rows.append(
            [
                title,
                f"{sums['compared']} of {sums['tasks']}",
                f"{sums['calls']:g}",
                f"{sums['golds accused'] + same['differ']} of {sums['compared'] + same['bodies']}",
                f"{same['states broke']} of {same['states']}",
                f"{wrong['differ']} of {wrong['bodies']}",
                f"{wrong['differ or broke']} of {wrong['bodies']}" if wrong["states"] else "-",
                f"{held['differ']} of {held['bodies']}",
                f"{held['differ or broke']} of {held['bodies']}",
                write_ratio(sums.get("cpu_s"), 1),
            ]
        )
    head = [
        *("repository", "tasks compared", "calls, median", "right bodies accused", "on changed states"),
        *("wrong bodies caught", "with changed states", "held-back half", "with changed states", "CPU s a body"),
    ]
    return render_cells(head, rows)


def calls() -> str:
    """What the calls that a body makes tell beyond what it leaves behind, and whom they accuse."""
    rows = []
    for what, record in (("other arguments", NEWEST), ("any other call", ANY_CALL)):
        for repository, sums in _sums(record).items():
            wrong, held, same, others = sums["wrong"], sums["held"], sums["equivalents"], sums.get("others")
            by_hand = ("called", "differ", "broke")
            rows.append(
                [
                    write_repository(repository),
                    what,
                    *(f"{of['called']} of {of['bodies']} ({of['only called']})" for of in (wrong, held)),
                    f"{same['called']} of {same['bodies']}",
                    *(f"{others[key]} of {others['bodies']}" if others else "-" for key in by_hand),
                ]
            )
    head = [
        *("repository", "what is told", "wrong bodies (by nothing else)", "held-back half", "right bodies"),
        *("right by hand", "these differ", "on changed states"),
    ]
    return render_cells(head, rows, left=2)


def false_pass() -> str:
    ways = ("suites", "suites + differential", "plus", "plus + differential")
    rows = []
    for title, sums_of_all in records():
        sums = sums_of_all.get("false pass")
        if sums and sums["tasks"]:
            cells = [f"{sums[way]['passed']} of {sums[way]['bodies']}, {sums[way]['rate']}" for way in ways]
            rows.append([title, str(sums["tasks"]), *cells])
    head = ["repository", "tasks", "suites", "+ differential same", "suites + plus", "+ differential same"]
    return render_cells(head, rows)
