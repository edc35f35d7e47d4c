"""The table of graft-suite: what each of its packages holds, from the files that come with Graft."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from benchmarks.figures.program import fill_paragraphs
from benchmarks.figures.validity import RECIPES, compute_mean_kill_score, select_by_health
from benchmarks.tables import Column, render_table
from executor.repository.recipe import find_recipe
from executor.tasks.suite_members import SuiteMember, load_suite
from lab.making.functions.candidate_cost import SHORT_LINES

LONG = 30
_CODE = {"c": "C", "cpp": "C++"}


def build_suite_table() -> str:
    """How the suite was drawn, what its packages are, what their tasks are, and which packages aren't in it."""
    suite = load_suite()
    rows = [read_member(member) for member in suite.members]
    every = {"package": "all", "name": "all", "split": "", "licence": "", "date": ""}
    every |= {key: [item for row in rows for item in row[key]] for key in ("places", "health")}
    every["lines"] = sum(row["lines"] for row in rows)
    packages = (
        Column("package", "package"),
        Column("split", "split"),
        Column("licence", "licence"),
        Column("code", lambda row: ", ".join(dict.fromkeys(_CODE[place["language"]] for place in row["places"]))),
        Column("lines", "lines", ",d"),
        Column("examined", "date"),
    )
    tasks = (
        Column("package", "name"),
        Column("tasks", lambda row: len(row["places"])),
        Column("valid", lambda row: len(select_by_health(row["health"], "valid"))),
        Column(f"under {SHORT_LINES} lines", lambda row: sum(count_lines(p) < SHORT_LINES for p in row["places"])),
        Column(f"{LONG} or more", lambda row: sum(count_lines(place) >= LONG for place in row["places"])),
        Column("of several functions", lambda row: sum(bool(place.get("further")) for place in row["places"])),
        Column("mean kill score", lambda row: compute_mean_kill_score(row["health"]), ".2f"),
        Column("CPU s a candidate", lambda row: compute_median_cost(row["health"]), ".1f"),
    )
    parts = [
        fill_paragraphs(f"Version {suite.version}. {suite.drawn}"),
        render_table(packages, [*rows, every], left=3),
        "Their tasks; the lines are those of all functions of a task, the cost is the median for build and tests:",
        render_table(tasks, [*rows, every]),
    ]
    if suite.left_out:
        parts.append("Drawn, and not in it:")
        parts.append("\n".join(f"- {name}: {why}" for name, why in suite.left_out.items()))
    return "\n\n".join(parts)


def compute_median_cost(health: Sequence[Mapping[str, Any]]) -> float:
    return median(entry["build_cpu_s"] + entry["cost_s"] for entry in health)


def read_member(member: SuiteMember) -> dict[str, Any]:
    """Its row, with where its tasks stand and what the doctor found of them."""
    folder, source = RECIPES / member.name, find_recipe(member.name).source
    shipped = json.loads((folder / "places.json").read_bytes())
    places: Sequence[Mapping[str, Any]] = shipped["tasks"]
    manifest = json.loads((folder / "manifest.json").read_bytes())
    health = [manifest["tasks"][place["id"]] for place in places if place["id"] in manifest["tasks"]]
    package = f"{source.package} {source.version}"
    facts = {
        "name": member.name,
        "package": package,
        "split": member.split,
        "licence": member.licence,
        "date": manifest["date"],
    }
    return {**facts, "lines": shipped.get("lines", 0), "places": places, "health": health}


def count_lines(place: Mapping[str, Any]) -> int:
    """The lines of all functions of a task."""
    return sum(int(hole["last"]) - int(hole["first"]) + 1 for hole in (place, *place.get("further", ())))
