"""The tables of bodies beside the gold, from the sums that benchmarks/executor/verdict/differential.py prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.markdown import REPOSITORIES, display, ratio, table
from benchmarks.recorded import recorded

# The newer record counts. The first version of the comparison of calls told each call that isn't the gold's.
RECORDS = ("differential", "differential_sample")
ANY_CALL = "differential_any_call"


def _sums(*records: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The sums of each repository, by the last of the records that has them."""
    found: dict[str, Mapping[str, Any]] = {}
    for record in filter(None, map(recorded, records)):
        found |= record["result"]
    yield from ((name, found[name]) for name in REPOSITORIES if name in found)


def caught() -> str:
    rows = []
    for repository, sums in _sums(*RECORDS):
        same, wrong, held = sums["equivalents"], sums["wrong"], sums["held"]
        rows.append(
            [
                display(repository),
                f"{sums['compared']} of {sums['tasks']}",
                f"{sums['calls']:g}",
                f"{sums['golds accused'] + same['differ']} of {sums['compared'] + same['bodies']}",
                f"{same['states broke']} of {same['states']}",
                f"{wrong['differ']} of {wrong['bodies']}",
                f"{wrong['differ or broke']} of {wrong['bodies']}" if wrong["states"] else "-",
                f"{held['differ']} of {held['bodies']}",
                f"{held['differ or broke']} of {held['bodies']}",
                ratio(sums.get("cpu_s"), 1),
            ]
        )
    head = [
        *("repository", "tasks compared", "calls, median", "right bodies accused", "on changed states"),
        *("wrong bodies caught", "with changed states", "held-back half", "with changed states", "CPU s a body"),
    ]
    return table(head, rows)


def calls() -> str:
    """What the calls that a body makes tell beyond what it leaves behind, and whom they accuse."""
    rows = []
    for what, records in (("other arguments", RECORDS), ("any other call", (ANY_CALL,))):
        for repository, sums in _sums(*records):
            wrong, held, same, others = sums["wrong"], sums["held"], sums["equivalents"], sums.get("others")
            if "called" not in wrong:
                continue
            by_hand = ("called", "differ", "broke")
            rows.append(
                [
                    display(repository),
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
    return table(head, rows, left=2)


def false_pass() -> str:
    ways = ("suites", "suites + differential", "plus", "plus + differential")
    rows = []
    for repository, sums_of_all in _sums(*RECORDS):
        sums = sums_of_all.get("false pass")
        if sums and sums["tasks"]:
            cells = [f"{sums[way]['passed']} of {sums[way]['bodies']}, {sums[way]['rate']}" for way in ways]
            rows.append([display(repository), str(sums["tasks"]), *cells])
    head = ["repository", "tasks", "suites", "+ differential same", "suites + plus", "+ differential same"]
    return table(head, rows)
