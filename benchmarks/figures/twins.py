"""twins.json, which twins.py prints, as the tables of docs/measured/twins.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.tables import render_cells

Result = Mapping[str, Any]


def rules(result: Result) -> str:
    """Precision and recall of each rule in both halves, and how many idioms it takes for twins."""
    head = ["rule"]
    for half in ("development", "held-out"):
        head += [f"{half}: precision", "recall", "found", "of them idioms"]
    rows = []
    for entry in result["rules"]:
        row = [entry["rule"]]
        for half in entry["halves"]:
            row += [f"{half['precision']:.2f}", f"{half['recall']:.2f}", str(half["found"]), str(half["idioms"])]
        rows.append(row)
    return render_cells(head, rows)


def labels(result: Result) -> str:
    """How many pairs of each half have each label."""
    rows = [
        [half, *(str(tally[label]) for label in ("yes", "idiom", "no"))] for half, tally in result["labels"].items()
    ]
    return render_cells(["half", "yes", "idiom", "no"], rows)


def hidden(result: Result) -> str:
    """What strict masking hides for the benchmark's tasks."""
    rows = [
        [
            row["repo"],
            f"{row['functions']:,}",
            str(row["tasks"]),
            f"{row['with_twins']} ({row['with_twins_by_shape']})",
            f"{row['hidden']} ({row['hidden_by_shape']})",
            str(row["most"]),
            f"{row['callees_hidden']} of {row['callees']}",
            f"{row['ms_median']}",
            f"{row['ms_most']}",
        ]
        for row in result["hidden"]
    ]
    head = [
        *("repository", "functions", "tasks", "with twins (by shape)", "functions hidden (by shape)"),
        *("most for a task", "callees hidden", "CPU-ms a view, median", "most"),
    ]
    return render_cells(head, rows)


def short(result: Result) -> str:
    """By size of body, how many functions of the tree are like one of them."""
    sizes = [(row["from"], row["to"]) for row in result["hidden"][0]["short"]]
    names = [f"{low} to {high - 1} tokens" if high < 10_000 else f"{low} tokens or more" for low, high in sizes]
    rows = [
        [row["repo"], *(f"{size['alike']:g} ({size['share']:.0%})" for size in row["short"])]
        for row in result["hidden"]
    ]
    return render_cells(["repository", *names], rows)
