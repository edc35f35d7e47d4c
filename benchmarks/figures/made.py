"""The drawings that made.py writes, as the tables of docs/measured/making.md."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchmarks.tables import render_cells

Result = Mapping[str, Any]
_ENOUGH = 20
_HEAD = (
    *(
        "package",
        "build system",
        "suites of tests found",
        "documented",
        "functions that fit",
        "entered of looked at",
        "examined",
    ),
    *(
        "tasks",
        "golds passed",
        "stubs passed",
        "forgeries passed",
        "mutants killed",
        "minutes (of CPU; load)",
        "because",
    ),
)


def made(result: Result) -> str:
    """A row for each package that was drawn, and for the try before the last where it began anew."""
    rows: list[list[str]] = []
    for name in result["picked"]:
        documented = result.get("documented", {}).get(name, "-")
        if name in result.get("earlier", {}):
            rows.append(_row(f"{name}, the try before", result["earlier"][name], documented))
        rows.append(_row(name, result["packages"].get(name), documented))
    return render_cells(_HEAD, rows, left=len(_HEAD))


def _row(name: str, facts: Mapping[str, Any] | None, documented: object) -> list[str]:
    if facts is None:
        return [name, "-", "-", str(documented), *["-"] * (len(_HEAD) - 5), "not tried yet"]

    def of(part: str, whole: str) -> str:
        return f"{facts[part]} of {facts[whole]}" if whole in facts else "-"

    return [
        name,
        facts.get("system", "-"),
        of("suites", "tests"),
        str(documented),
        str(facts.get("fit", "-")),
        of("reached", "looked_at"),
        str(facts.get("examined", "-")),
        str(facts.get("tasks", 0)),
        of("gold_passed", "gold_runs"),
        str(facts.get("plain_stubs_passed", "-")),
        of("forgeries_passed", "forgeries"),
        str(facts["kill_score"]) if facts.get("kill_score") is not None else "-",
        f"{facts['minutes']} ({facts.get('cpu_minutes', '-')}; {facts['load']})",
        _reason(facts),
    ]


def _reason(facts: Mapping[str, Any]) -> str:
    health = ", ".join(f"{count} {name}" for name, count in facts.get("health", {}).items())
    text = "; ".join(part for part in (facts["why"], f"examined: {health}" if health else "") if part)
    return " ".join(text.split())


def shares(result: Result) -> str:
    """How many documented functions 20 tasks need at the shares seen, and how many trees have them."""
    rows = result["packages"].values()
    looked = [row for row in rows if row.get("looked_at")]
    entered, of = sum(row["reached"] for row in looked), sum(row["looked_at"] for row in looked)
    valid = sum(row.get("health", {}).get("valid", 0) for row in rows)
    examined = sum(row.get("examined", 0) for row in rows)
    needed = math.ceil(_ENOUGH / (entered / of) / (valid / examined))
    counts = result["documented"].values()
    rich = sum(count >= needed for count in counts)
    return (
        f"Tests enter {entered} of {of} functions that were looked at, and {valid} of {examined} examined are valid.\n"
        f"At these shares {_ENOUGH} tasks need {needed} documented functions,"
        f" which {rich} of {len(counts)} packages drawn so far have."
    )


def counts(result: Result) -> str:
    """How many of the packages that were tried give enough tasks, and whether a body passed that mustn't."""
    tried = result["packages"].values()
    whole = [row for row in tried if row.get("tasks", 0) >= _ENOUGH and row["gold_passed"] == row["gold_runs"]]
    some = sum(0 < row.get("tasks", 0) < _ENOUGH for row in tried)
    cheats = sum(row.get("forgeries_passed", 0) + row.get("plain_stubs_passed", 0) for row in tried)
    return (
        f"Of {len(tried)} packages tried {len(whole)} give {_ENOUGH} tasks or more, all golds passing,"
        f" and {some} {'gives' if some == 1 else 'give'} fewer.\n"
        f"Stubs and forgeries that passed, in all: {cheats}."
    )


def passed_over(result: Result) -> str:
    """Why packages that came up weren't taken."""
    counts = Counter(_kind(why) for why in result["passed_over"].values())
    lines = ["| why not taken | packages |", "| --- | ---: |"]
    return "\n".join([*lines, *(f"| {why} | {count} |" for why, count in counts.most_common())])


def _kind(why: str) -> str:
    if "lines of C and C++" in why:
        return "fewer than 5,000 or more than 500,000 lines of C and C++"
    for words in ("documented functions", "files of test code", "tests are named"):
        if words in why:
            return f"too few {words}"
    if "doesn't fit: " in why:
        return "Debian's patches don't fit"
    return why
