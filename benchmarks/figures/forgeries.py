"""The tables of forgeries.json: what became of answers that cheat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.record import load_record
from benchmarks.tables import render_cells, write_repository

CATCHES = ("tests", "build", "tree", "time", "control", "to review", "infra", "passed, flagged", "passed, unflagged")


def read_trials() -> list[Mapping[str, Any]]:
    records = load_record("forgeries")["records"]
    return [trial for record in records for trial in record["played"]]


def build_forgeries_table(key: str, head: str) -> str:
    trials = read_trials()
    rows = []
    for name in sorted({trial[key] for trial in trials}):
        own = [trial for trial in trials if trial[key] == name]
        tally = [str(sum(trial["catch"] == catch for trial in own)) for catch in CATCHES]
        rows.append([write_repository(name), str(len({trial["forgery"] for trial in own})), str(len(own)), *tally])
    total = [str(sum(trial["catch"] == catch for trial in trials)) for catch in CATCHES]
    rows.append(["all", str(len({trial["forgery"] for trial in trials})), str(len(trials)), *total])
    return render_cells([head, "forgeries", "trials", *CATCHES], rows)


def build_played_table() -> str:
    """How much of all was played, for each record."""
    records = load_record("forgeries")["records"]
    head = ["date", "sandbox", "repositories", "valid tasks drawn from", "forgeries", "pairs", "played"]
    rows = [
        [
            record["date"],
            record["sandbox"],
            ", ".join(sorted({write_repository(name) for name in _find_repositories(record)})),
            *(str(record[key]) for key in ("tasks", "forgeries", "pairs")),
            str(len(record["played"])),
        ]
        for record in records
    ]
    return render_cells(head, rows, left=3)


def _find_repositories(record: Mapping[str, Any]) -> set[str]:
    """What was played or, where nothing had to be, read."""
    return {trial["repository"] for trial in record["played"]} or {text["repo"] for text in record["by_text"]}


def select_readings(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """For each repository the records that read its texts: the last one of the whole library, and those of fewer
    forgeries after it, which came later."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        for text in record.get("by_text", ()):
            before = found.get(text["repo"], [])
            is_further = bool(before) and record["forgeries"] < before[0]["forgeries"]
            found[text["repo"]] = [*before, record] if is_further else [record]
    return found


def build_texts_table() -> str:
    """Of each repository's pairs those that a flag marks by their text alone, and what became of the others."""
    records = load_record("forgeries")["records"]
    rows = []
    for repository, read in select_readings(records).items():
        found = [text for record in read for text in record["by_text"] if text["repo"] == repository]
        own = [trial for record in read for trial in record["played"] if trial["repository"] == repository]
        passed = sum(trial["catch"].startswith("passed") for trial in own)
        pairs, flagged = (sum(text[key] for text in found) for key in ("pairs", "flagged"))
        counts = (max(text["tasks"] for text in found), pairs, flagged, pairs - flagged, len(own), passed)
        rows.append([read[-1]["date"], write_repository(repository), *map(str, counts)])
    if rows:
        rows.append(["", "all", *(str(sum(int(row[place]) for row in rows)) for place in range(2, 8))])
    head = [
        "date",
        "repository",
        "valid tasks",
        "pairs",
        "flagged by their text",
        "others",
        "of these played",
        "passed",
    ]
    return render_cells(head, rows, left=2)


def build_passed_table() -> str:
    """Each forgery that passed, with the tasks."""
    found: dict[tuple[str, str], list[str]] = {}
    for trial in read_trials():
        if trial["catch"].startswith("passed"):
            name = f"{trial['class']}/{trial['forgery']}"
            found.setdefault((name, trial["catch"]), []).append(f"`{trial['function']}`")
    rows = [[name, catch, ", ".join(sorted(tasks))] for (name, catch), tasks in sorted(found.items())]
    return render_cells(["forgery", "how", "functions"], rows, left=3)
