"""The table of graft-suite: what each of its packages holds, from the files that come with Graft."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from statistics import median
from typing import Any

from benchmarks.figures.program import fill_paragraphs
from benchmarks.figures.validity import (
    RECIPES,
    compute_mean_kill_score,
    count_passed_forgeries,
    count_passed_plain_stubs,
    count_steady_golds,
    select_by_health,
)
from benchmarks.figures.wrong_bodies import write_pass_rate
from benchmarks.record import describe_source, load_record
from benchmarks.tables import Column, read_tables, render_table
from executor.manifest.false_passes import judge_bodies_by_plus_tests
from executor.manifest.manifest import load_manifest
from executor.repository.recipe import find_recipe
from executor.tasks.suite_members import SuiteMember, load_task_suite
from lab.making.functions.choose_functions import SHORT_LINES

LONG = 30
_CODE = {"c": "C", "cpp": "C++"}
STEPS = (
    Column("step", "step"),
    Column("ended", "ended"),
    Column("minutes", lambda row: None if row.get("resumed") else row["wall_s"] / 60, ".1f"),
    Column("CPU minutes", lambda row: None if row.get("resumed") else row["cpu_s"] / 60, ".1f"),
    Column("MB on disk", lambda row: row.get("cache_mb"), ",d"),
    Column("samples", lambda row: row.get("samples")),
    Column("passed", lambda row: row.get("passed")),
)


def build_suite_table() -> str:
    """How the suite was drawn, what its packages and their tasks are, what was proved of these, and which packages
    aren't in it."""
    suite = load_task_suite()
    record = load_record("suite_runs")
    measured = {row["package"]: row for row in record["result"]["packages"]}
    rows = [read_member(member) | {"measured": measured.get(member.name, {})} for member in suite.members]
    every = {"package": "all", "name": "all", "split": "", "licence": ""}
    every |= {
        key: [item for row in rows for item in row[key]] for key in ("places", "health", "plus", "wrong", "both")
    }
    every["lines"] = sum(row["lines"] for row in rows)
    every["measured"] = {"cpu_s": median(row["cpu_s"] for row in measured.values())}
    packages = (
        Column("package", "package"),
        Column("split", "split"),
        Column("licence", "licence"),
        Column("code", lambda row: ", ".join(dict.fromkeys(_CODE[place["language"]] for place in row["places"]))),
        Column("lines", "lines", ",d"),
    )
    tasks = (
        Column("package", "name"),
        Column("tasks", lambda row: len(row["places"])),
        Column(f"under {SHORT_LINES} lines", lambda row: sum(count_lines(p) < SHORT_LINES for p in row["places"])),
        Column(f"{LONG} or more", lambda row: sum(count_lines(place) >= LONG for place in row["places"])),
        Column("of several functions", lambda row: sum(bool(place.get("further")) for place in row["places"])),
        Column("kill score", lambda row: compute_mean_kill_score(row["health"]), ".2f"),
        Column("with plus tests", lambda row: len(row["plus"])),
        Column("wrong bodies passed", lambda row: write_pass_rate(row["both"], held=None)[0] if row["both"] else ""),
        Column("CPU s", ("measured", "cpu_s"), ".1f"),
    )
    parts = [
        fill_paragraphs(f"Version {suite.version}. {suite.drawn}"),
        render_table(packages, [*rows, every], left=3),
        fill_paragraphs(describe_proof(every)),
        render_table(tasks, [*rows, every]),
        fill_paragraphs(describe_nonsense({member.name for member in suite.members})),
        f"All of it from a bare machine to its stubs, on {describe_source(record)}",
        render_table(STEPS, record["result"]["steps"]),
    ]
    if suite.left_out:
        parts.append("Drawn, and not in it:")
        parts.append("\n".join(f"- {name}: {why}" for name, why in suite.left_out.items()))
    return "\n\n".join(parts)


def read_variants() -> list[dict[str, str]]:
    """What was shown of each variant, by the heads of the record's table."""
    table = read_tables(load_record("variants")["result"])[0]
    return [dict(zip(table.head, row, strict=True)) for row in table.rows]


def describe_nonsense(names: Collection[str]) -> str:
    """What was shown of these packages under nonsense names."""
    mine = [row for row in read_variants() if row["repository"] in names and row["style"] == "nonsense"]
    tried = [row for row in mine if row["seed"] == "1"]
    proved = [row for row in tried if row["proved"] == "yes"]
    golds, stubs = (
        [sum(int(row[head].split()[place]) for row in proved) for place in (0, 2)] for head in ("golds", "stubs")
    )
    return (
        f"Tried under [nonsense names](../explanation/variants.md): {len(tried)} of {len(names)} packages; proved:"
        f" {', '.join(row['repository'] for row in proved)}; there {golds[0]} of {golds[1]} golds pass,"
        f" {stubs[0]} of {stubs[1]} stubs fail."
    )


def describe_proof(every: Mapping[str, Any]) -> str:
    """What the doctor found of all tasks, and what the table's columns are."""
    health, (passed, rate) = every["health"], write_pass_rate(every["both"], held=None)
    tests, (by_suites, _) = sum(plus.tests for plus in every["plus"]), write_pass_rate(every["wrong"], held=None)
    bodies = (
        f" {len(every['plus'])} tasks have plus tests, {tests} in all. Of wrong bodies of drawn tasks, by writers who"
        f" saw no test, {by_suites} pass the suites and {passed} all that grades their task: {rate} by tasks."
    )
    return (
        f"{len(select_by_health(health, 'valid'))} of {len(every['places'])} tasks are valid. Golds that passed each"
        f" time: {count_steady_golds(health)}; plain stubs that passed: {count_passed_plain_stubs(health)}; forgeries:"
        f" {count_passed_forgeries(health)} of {sum(task['forgeries'] for task in health)}."
        f"{bodies if every['wrong'] else ''} Lines are those of all functions of a task, the cost is the median of a"
        " gold's verdict, without its control runs:"
    )


def read_member(member: SuiteMember) -> dict[str, Any]:
    """Its row, with where its tasks stand and what the doctor found of them."""
    folder, source = RECIPES / member.name, find_recipe(member.name).source
    shipped = json.loads((folder / "places.json").read_bytes())
    places: Sequence[Mapping[str, Any]] = shipped["tasks"]
    return {
        "name": member.name,
        "package": f"{source.package} {source.version}",
        "split": member.split,
        "licence": member.licence,
        "lines": shipped.get("lines", 0),
        "places": places,
        **collect_findings(member.name, [place["id"] for place in places]),
    }


def collect_findings(recipe: str, ids: Sequence[str]) -> dict[str, Any]:
    """What the doctor found of these tasks, of their wrong bodies by the suites and by all that grades them, and their
    plus tests."""
    path = RECIPES / recipe / "manifest.json"
    tasks, judged = json.loads(path.read_bytes())["tasks"], load_manifest(path)
    assert judged is not None
    wrong = {key: judged.wrong[key] for key in ids if key in judged.wrong}
    return {
        "health": [tasks[key] for key in ids if key in tasks],
        "wrong": [found.bodies for found in wrong.values()],
        "both": [judge_bodies_by_plus_tests(found, judged.plus.get(key)) for key, found in wrong.items()],
        "plus": [judged.plus[key] for key in ids if key in judged.plus and judged.plus[key].has_gold_always_passed],
    }


def count_lines(place: Mapping[str, Any]) -> int:
    """The lines of all functions of a task."""
    return sum(int(hole["last"]) - int(hole["first"]) + 1 for hole in (place, *place.get("further", ())))
