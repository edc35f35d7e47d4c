"""The tables of the doctor's manifests: which tasks are valid and which aren't, and what control runs draw from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from benchmarks.record import ROOT
from benchmarks.tables import REPOSITORIES, Column, render_cells, render_table, write_repository
from executor.manifest.health import Fate
from executor.tasks.made_datasets import find_differently_named_made_datasets
from lab.doctor.stubs_and_mutants import is_plain_zero_stub

RECIPES = ROOT / "recipes"

Tasks = Sequence[Mapping[str, Any]]


def read_manifests() -> Iterator[tuple[str, Mapping[str, Any], list[Mapping[str, Any]]]]:
    """(repository, manifest, its own tasks) in the order of REPOSITORIES."""
    for repository in REPOSITORIES:
        manifest = json.loads((RECIPES / repository / "manifest.json").read_text(encoding="utf-8"))
        beside = list_ids_beside(repository)
        yield repository, manifest, [task for key, task in manifest["tasks"].items() if key not in beside]


def list_ids_beside(repository: str) -> frozenset[str]:
    """The ids of the tasks in data sets beside the repository's own, which share its manifest."""
    places = [RECIPES / name / "places.json" for name in find_differently_named_made_datasets(repository)]
    return frozenset(task["id"] for path in places for task in json.loads(path.read_bytes())["tasks"])


def select_by_health(tasks: Iterable[Mapping[str, Any]], *healths: str) -> list[Mapping[str, Any]]:
    """By all that grades a task."""
    return [task for task in tasks if task["health"] in healths]


def select_valid_by_suites(tasks: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The tasks that are valid by their suites alone."""
    return [task for task in tasks if (task.get("by_suites") or task)["health"] == "valid"]


def count_caught_mutants(tasks: Tasks) -> str:
    return f"{sum(t['mutants_killed'] for t in tasks)} of {sum(t['mutants'] for t in tasks)}"


def count_passed_forgeries(tasks: Tasks) -> int:
    return sum(len(task["forgeries_passed"]) for task in tasks)


def build_validity_table() -> str:
    columns = (
        Column("repository", 0),
        Column("tasks", lambda row: len(row[2])),
        Column("valid", lambda row: len(select_by_health(row[2], "valid"))),
        Column("by the suites alone", lambda row: len(select_valid_by_suites(row[2]))),
        Column("weak", lambda row: len(select_by_health(row[2], "weak"))),
        Column("flaky or broken", lambda row: len(select_by_health(row[2], "flaky", "broken"))),
        Column("golds that pass each time", lambda row: count_steady_golds(row[2])),
        Column("mutants caught, valid tasks", lambda row: count_caught_mutants(select_by_health(row[2], "valid"))),
        Column("date", 1),
    )
    found = [(write_repository(name), manifest["date"], tasks) for name, manifest, tasks in read_manifests()]
    benchmark = [task for name, _, tasks in read_manifests() if name != "example" for task in tasks]
    return render_table(columns, [*found, ("all but the example", "", benchmark)])


def count_steady_golds(tasks: Tasks) -> str:
    tried = [task for task in tasks if task["gold_runs"]]
    return f"{sum(task['gold_passed'] == task['gold_runs'] for task in tried)} of {len(tried)}"


def count_passed_plain_stubs(tasks: Tasks) -> str:
    """Of the plain stubs, each beside the others' golds, how many pass."""
    fates = [
        found["fate"]
        for task in tasks
        for found in task["findings"]
        if is_plain_zero_stub(found["kind"], found["name"])
    ]
    return f"{fates.count(Fate.SURVIVED.value)} of {len(fates)}"


def build_doctor_table() -> str:
    """What was examined by suites alone."""
    columns = (
        Column("repository", lambda row: write_repository(row[0])),
        Column("mutants caught, all tasks", lambda row: count_caught_mutants(row[2])),
        Column("mean kill score, valid tasks", lambda row: compute_mean_kill_score(row[3]), ".2f"),
        Column("forgeries tried", lambda row: sum(task["forgeries"] for task in row[2])),
        Column("passed", lambda row: count_passed_forgeries(row[2])),
        Column("passed on a valid task", lambda row: count_passed_forgeries(row[3])),
        Column("suites of the valid tasks, s", lambda row: sum(task["cost_s"] for task in row[3]), ".0f"),
        Column("cut off by the budget", lambda row: sum(not task["complete"] for task in row[2])),
        Column("machine", (1, "machine")),
        Column("sandbox", (1, "sandbox")),
    )
    return render_table(columns, [(*found, select_valid_by_suites(found[2])) for found in read_manifests()])


def compute_mean_kill_score(tasks: Tasks) -> float | None:
    scores = [task["kill_score"] for task in tasks if task["kill_score"] is not None]
    return fmean(scores) if scores else None


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
            many = sum(count >= 2 for count in known)
            rows.append([write_repository(repository), len(known), many, known.count(1), known.count(0)])
    return render_cells(["repository", "task and suite", "two or more", "one", "none"], rows)
