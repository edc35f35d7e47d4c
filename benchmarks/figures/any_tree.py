"""any_tree.json, which any_tree.py writes, as the table of docs/measured/index.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

COLUMNS = (
    *("package", "version", "files", "lines", "functions", "s", "CPU s", "peak MB", "not parsed"),
    *("ctags agrees", "search, CPU s", "update, CPU s", "ended"),
)


def table(data: Mapping[str, Any]) -> str:
    """One row for each package, by its lines; then what didn't end well, and what wasn't run, in words."""
    packages: Mapping[str, Mapping[str, Any]] = data["packages"]
    order = sorted(packages, key=lambda name: (packages[name].get("lines", 0), name))
    rows = [_cells(name, packages[name]) for name in order]
    rule = ["---", "---", *["---:"] * (len(COLUMNS) - 3), "---"]
    lines = ["| " + " | ".join(cells) + " |" for cells in (COLUMNS, rule, *rows)]
    failures = [f"- {name}: {failure}" for name in order for failure in packages[name]["failures"]]
    if failures:
        lines += ["", "What didn't end well:", "", *failures]
    if data.get("not_run"):
        lines += ["", f"Not run yet: {', '.join(data['not_run'])}."]
    return "\n".join(lines)


def _cells(name: str, row: Mapping[str, Any]) -> list[str]:
    ended = "well" if not row["failures"] else "see below"
    if "lines" not in row:
        built = (f"{row['seconds']}", f"{row['cpu_seconds']}", f"{row['peak_mb']}") if "seconds" in row else ("-",) * 3
        return [name, row.get("version", "-"), "-", "-", "-", *built, "-", "-", "-", "-", ended]
    return [
        name,
        row["version"],
        f"{row['files']:,}",
        f"{row['lines']:,}",
        f"{row['functions']:,}",
        f"{row['seconds']}",
        f"{row['cpu_seconds']}",
        f"{row['peak_mb']}",
        f"{row['parse_error_share']:.2%}",
        f"{row['ctags_share']:.1%}" if row["ctags"] else "-",
        f"{row['words_seconds']}",
        f"{row['update_seconds']}" if "update_seconds" in row else "-",
        ended,
    ]
