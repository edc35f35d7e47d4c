"""How many lines of Python each package has without its tests, and how many came with what Graft has learnt since.

    python -m benchmarks.record benchmarks/records/lines.json --text -- python -m benchmarks.lines
    python -m benchmarks.lines --at before=COMMIT --at after=COMMIT   # further commits, each a column

Every line counts: code, comments, docstrings, empty ones. Prints Markdown tables.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping

from benchmarks.tables import render_cells

PACKAGES = ("graft", "index", "retrieval", "agent", "executor", "experiments")
# The commits before and after the rooms were made, when 32,000 lines were aimed at for what Graft did then.
ROOMS_MADE = {"before the rooms": "f0c9507", "after": "db2a323"}
# What Graft has learnt since, and the rooms that hold nothing else.
SINCE = {
    "suites that no answer can fool: launcher, forgeries": ("executor/confine", "executor/doctor/forger"),
    "the same repository under other names": ("executor/variants", "experiments/memory"),
    "pages, plots, comparisons, exports": tuple(
        f"experiments/{room}" for room in ("page", "paper", "compare", "export")
    ),
    "wrong bodies, plus tests, comparison call by call": ("executor/wrong", "executor/differential"),
    "`graft make`": ("executor/making",),
    "many machines, shared images": ("executor/published", "executor/workers"),
}


def lines_of(commit: str) -> Mapping[str, int]:
    """Each Python file of the packages at this commit, with its lines. Raises CalledProcessError."""
    words = ["git", "grep", "--count", "--text", "", commit, "--", *(f"{package}/*.py" for package in PACKAGES)]
    printed = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = (line.removeprefix(f"{commit}:").rpartition(":") for line in printed.splitlines())
    return {path: int(count) for path, _, count in rows}


def below(lines: Mapping[str, int], *folders: str) -> int:
    return sum(count for path, count in lines.items() if path.startswith(tuple(f"{folder}/" for folder in folders)))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--at", action="append", default=[], metavar="TITLE=COMMIT", help="a further column")
    further = dict(text.split("=", 1) for text in parser.parse_args().at)
    columns = {title: lines_of(commit) for title, commit in {**ROOMS_MADE, **further, "now": "HEAD"}.items()}
    rows = [[f"`{package}`", *(f"{below(lines, package):,}" for lines in columns.values())] for package in PACKAGES]
    rows.append(["all", *(f"{sum(lines.values()):,}" for lines in columns.values())])
    now = columns["now"]
    features = [
        [name, ", ".join(f"`{room}`" for room in rooms), f"{below(now, *rooms):,}"] for name, rooms in SINCE.items()
    ]
    rooms = [room for each in SINCE.values() for room in each]
    features.append(["all of these", "", f"{below(now, *rooms):,}"])
    features.append(["all else", "", f"{sum(now.values()) - below(now, *rooms):,}"])
    sys.stdout.write(f"{render_cells(['package', *columns], rows)}\n\n")
    sys.stdout.write(f"{render_cells(['feature', 'its rooms', 'lines'], features, left=2)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
