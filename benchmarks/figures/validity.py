"""The tables of the doctor's manifests: which tasks are valid and which aren't, and what control runs draw from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from benchmarks.record import ROOT
from benchmarks.tables import REPOSITORIES, render_cells, write_ratio, write_repository

RECIPES = ROOT / "recipes"


def read_manifests() -> Iterator[tuple[str, Mapping[str, Any], list[Mapping[str, Any]]]]:
    """(repository, manifest, its tasks) in the order of REPOSITORIES."""
    for repository in REPOSITORIES:
        manifest = json.loads((RECIPES / repository / "manifest.json").read_text(encoding="utf-8"))
        yield repository, manifest, list(manifest["tasks"].values())


def select_by_health(tasks: Iterable[Mapping[str, Any]], *healths: str) -> list[Mapping[str, Any]]:
    """By all that grades a task."""
    return [task for task in tasks if task["health"] in healths]


def select_valid_by_suites(tasks: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The tasks that are valid by their suites alone."""
    return [task for task in tasks if (task.get("by_suites") or task)["health"] == "valid"]


def count_caught_mutants(tasks: Sequence[Mapping[str, Any]]) -> str:
    return f"{sum(t['mutants_killed'] for t in tasks)} of {sum(t['mutants'] for t in tasks)}"


def build_validity_table() -> str:
    found = [(write_repository(name), manifest["date"], tasks) for name, manifest, tasks in read_manifests()]
    benchmark = [task for name, _, tasks in read_manifests() if name != "example" for task in tasks]
    head = [
        "repository",
        "tasks",
        "valid",
        "by the suites alone",
        "weak",
        "flaky or broken",
        "golds that pass each time",
        "mutants caught, valid tasks",
        "date",
    ]
    return render_cells(head, [describe_tasks(*group) for group in [*found, ("all but the example", "", benchmark)]])


def describe_tasks(name: str, date: str, tasks: Sequence[Mapping[str, Any]]) -> list[str]:
    """The cells of a row of the table of valid tasks."""
    valid = select_by_health(tasks, "valid")
    tried = [task for task in tasks if task["gold_runs"]]
    golds = sum(task["gold_passed"] == task["gold_runs"] for task in tried)
    return [
        name,
        str(len(tasks)),
        str(len(valid)),
        str(len(select_valid_by_suites(tasks))),
        str(len(select_by_health(tasks, "weak"))),
        str(len(select_by_health(tasks, "flaky", "broken"))),
        f"{golds} of {len(tried)}",
        count_caught_mutants(valid),
        date,
    ]


def build_doctor_table() -> str:
    """What was examined by suites alone."""
    rows = []
    for repository, manifest, tasks in read_manifests():
        valid = select_valid_by_suites(tasks)
        scores = [task["kill_score"] for task in valid if task["kill_score"] is not None]
        rows.append(
            [
                write_repository(repository),
                count_caught_mutants(tasks),
                write_ratio(fmean(scores) if scores else None),
                str(sum(task["forgeries"] for task in tasks)),
                str(sum(len(task["forgeries_passed"]) for task in tasks)),
                str(sum(len(task["forgeries_passed"]) for task in valid)),
                f"{sum(task['cost_s'] for task in valid):.0f}",
                str(sum(not task["complete"] for task in tasks)),
                manifest["machine"],
                manifest["sandbox"],
            ]
        )
    head = [
        "repository",
        "mutants caught, all tasks",
        "mean kill score, valid tasks",
        "forgeries tried",
        "passed",
        "passed on a valid task",
        "suites of the valid tasks, s",
        "cut off by the budget",
        "machine",
        "sandbox",
    ]
    return render_cells(head, rows)


def build_weak_table() -> str:
    rows = []
    for repository, manifest, tasks in read_manifests():
        for task in sorted(select_by_health(tasks, "weak"), key=lambda task: task["name"]):
            tried = "tried" if task["task_id"] in manifest["plus"] else "not tried"
            rows.append(
                [write_repository(repository), f"`{task['name']}`", f"`{task['path']}`", task["reason"], tried]
            )
    return render_cells(["repository", "function", "file", "reason", "plus tests"], rows, left=5)


def build_controls_table() -> str:
    """For each task that is valid by its suites, and each of these: how many sabotages its control run draws from."""
    rows = []
    for repository, manifest, tasks in read_manifests():
        known = [
            sum(task["task_id"] in (*made["tasks"], *made["others"]) for made in manifest["sabotages"].get(suite, ()))
            for task in select_valid_by_suites(tasks)
            for suite in task["suites"]
        ]
        if any(known):
            counts = (len(known), sum(count >= 2 for count in known), known.count(1), known.count(0))
            rows.append([write_repository(repository), *map(str, counts)])
    return render_cells(["repository", "task and suite", "two or more", "one", "none"], rows)
