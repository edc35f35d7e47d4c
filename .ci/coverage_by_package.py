"""Print the share of lines that the tests ran, one line for each package, from the data file of the last test run."""

from __future__ import annotations

import io
import sys
from collections import Counter
from pathlib import Path

import coverage
from coverage.exceptions import NoSource


def main() -> None:
    data = coverage.Coverage()
    data.load()
    root = Path.cwd()
    lines: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for name in data.get_data().measured_files():
        if not name.endswith(".py"):
            continue  # A template of prompts, which Jinja compiles under its own name.
        try:
            _, statements, _, missing, _ = data.analysis2(name)
        except NoSource:
            continue  # A module that a test wrote and removed.
        package = Path(name).relative_to(root).parts[0]
        lines[package] += len(statements)
        missed[package] += len(missing)
    out = io.StringIO()
    for package in sorted(lines):
        out.write(f"{package:12} {lines[package]:6} lines, {1 - missed[package] / lines[package]:4.0%} covered\n")
    all_lines, all_missed = lines.total(), missed.total()
    if all_lines:
        out.write(f"{'all':12} {all_lines:6} lines, {1 - all_missed / all_lines:4.0%} covered\n")
    sys.stdout.write(out.getvalue())


if __name__ == "__main__":
    main()
