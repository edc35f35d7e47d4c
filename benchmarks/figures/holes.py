"""holes.json, which holes.py writes, as the tables of docs/measured/making.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.tables import render_cells

Result = Mapping[str, Any]


def counts(result: Result) -> str:
    """A row for each repository, of its valid tasks."""
    rows = []
    for name, facts in result["repositories"].items():
        valid = [task for task in facts["examined"] if task["health"] == "valid"]
        functions = [function for task in valid for function in task["functions"]]
        rows.append(
            [
                name,
                f"{len(valid)} of {len(facts['examined'])}",
                str(len(functions)),
                str(sum(len({f["path"] for f in task["functions"]}) > 1 for task in valid)),
                f"{sum(task['gold_passed'] for task in valid)} of {sum(task['gold_runs'] for task in valid)}",
                f"{sum(f['stub'] == 'killed' for f in functions)} of {len(functions)}",
            ]
        )
    head = [
        "repository",
        "valid of examined tasks",
        "their functions",
        "tasks over several files",
        "all golds together passed",
        "one gold replaced by its stub: failed",
    ]
    return _table(head, rows)


def tasks(result: Result) -> str:
    """A row for each examined task."""
    rows = [
        [
            name,
            ", ".join(f"`{f['name']}` ({f['lines']})" for f in task["functions"]),
            str(len({f["path"] for f in task["functions"]})),
            f"{task['gold_passed']} of {task['gold_runs']}",
            ", ".join(f["stub"] for f in task["functions"]),
            task["health"],
        ]
        for name, facts in result["repositories"].items()
        for task in facts["examined"]
    ]
    head = [
        "repository",
        "functions (lines)",
        "files",
        "golds passed",
        "stub of each, others' golds beside it",
        "health",
    ]
    return _table(head, rows)


def _table(head: list[str], rows: list[list[str]]) -> str:
    return render_cells(head, rows, left=len(head))
