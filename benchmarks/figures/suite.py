"""The table of graft-suite: what each of its packages holds, from the files that come with Graft."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.figures.program import fill_paragraphs
from benchmarks.figures.validity import RECIPES, compute_mean_kill_score, select_by_health
from benchmarks.tables import Column, render_table
from executor.repository.recipe import find_recipe
from executor.tasks.suite_members import SuiteMember, load_suite

SHORT, LONG = 10, 30
_CODE = {"c": "C", "cpp": "C++"}


def build_suite_table() -> str:
    """How the suite was drawn, and a row for each package and for all."""
    suite = load_suite()
    rows = [read_member(member) for member in suite.members]
    every = {key: [item for row in rows for item in row[key]] for key in ("places", "health")}
    columns = (
        Column("package", "package"),
        Column("split", "split"),
        Column("licence", "licence"),
        Column("code", lambda row: ", ".join(dict.fromkeys(_CODE[place["language"]] for place in row["places"]))),
        Column("tasks", lambda row: len(row["places"])),
        Column(f"under {SHORT} lines", lambda row: sum(count_lines(place) < SHORT for place in row["places"])),
        Column(f"{LONG} or more", lambda row: sum(count_lines(place) >= LONG for place in row["places"])),
        Column("of several functions", lambda row: sum(bool(place.get("further")) for place in row["places"])),
        Column("valid", lambda row: len(select_by_health(row["health"], "valid"))),
        Column("examined", "date"),
        Column("mean kill score", lambda row: compute_mean_kill_score(row["health"]), ".2f"),
    )
    table = render_table(columns, [*rows, {"package": "all", "split": "", "licence": "", "date": "", **every}])
    return f"{fill_paragraphs(f'Version {suite.version}. {suite.drawn}')}\n\n{table}"


def read_member(member: SuiteMember) -> dict[str, Any]:
    """Its row, with where its tasks stand and what the doctor found of them."""
    folder, source = RECIPES / member.name, find_recipe(member.name).source
    places: Sequence[Mapping[str, Any]] = json.loads((folder / "places.json").read_bytes())["tasks"]
    manifest = json.loads((folder / "manifest.json").read_bytes())
    health = [manifest["tasks"][place["id"]] for place in places if place["id"] in manifest["tasks"]]
    package = f"{source.package} {source.version}"
    facts = {"package": package, "split": member.split, "licence": member.licence, "date": manifest["date"]}
    return {**facts, "places": places, "health": health}


def count_lines(place: Mapping[str, Any]) -> int:
    """The lines of all functions of a task."""
    return sum(int(hole["last"]) - int(hole["first"]) + 1 for hole in (place, *place.get("further", ())))
