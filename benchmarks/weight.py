"""What each core dependency is for, its size on the disk, what it alone brings along, and how long it takes to import.

    python -m benchmarks.weight     # `make weight`: a Markdown table, the heaviest first

The list and the purposes are pyproject.toml's: a dependency without a comment there is an error. Import times are CPU
seconds of a fresh interpreter, the best of three, less those of an interpreter that imports nothing.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

from benchmarks.tables import render_cells

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
LISTED = re.compile(r'^    "(?P<name>[\w.-]+)[^"]*",(?:  # (?P<purpose>.+))?$', re.MULTILINE)
TRIES = 3


def normalize_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def read_purposes() -> dict[str, str]:
    """Each core dependency, by its normal name, and the comment behind it; "" where there is none."""
    text = PROJECT.read_text(encoding="utf-8")
    start = text.index("\ndependencies = [")
    block = text[start : text.index("\n]", start)]
    return {normalize_name(found["name"]): found["purpose"] or "" for found in LISTED.finditer(block)}


def find_needed(name: str, seen: set[str]) -> set[str]:
    """`name` and all that it requires without extras, by normal names; what isn't installed is left out."""
    if name in seen:
        return seen
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return seen
    seen.add(name)
    for requirement in found.requires or ():
        if "extra ==" not in requirement:
            match = re.match(r"[\w.-]+", requirement)
            if match:
                find_needed(normalize_name(match[0]), seen)
    return seen


def measure_size(found: Distribution) -> int:
    paths = (Path(str(found.locate_file(file))) for file in found.files or ())
    return sum(path.stat().st_size for path in paths if path.is_file())


def find_module(name: str) -> str:
    """The module that one imports of a distribution: the one that isn't private, or has its name."""
    modules = [module for module, owners in packages_distributions().items() if name in map(normalize_name, owners)]
    return min((m for m in modules if not m.startswith("_")), key=lambda m: (normalize_name(m) != name, m))


def measure_cpu_seconds(statement: str) -> float:
    """The least CPU time in which a fresh interpreter executes a statement, start-up included."""
    code = f"{statement}\nimport time\nprint(time.process_time())"
    return min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(TRIES)
    )


def main() -> int:
    listed = read_purposes()
    if unexplained := [name for name, purpose in listed.items() if not purpose]:
        sys.stderr.write(f"pyproject.toml doesn't say what {', '.join(unexplained)} is for: add a comment\n")
        return 1
    every = {name: find_needed(name, set()) for name in listed}
    weights = {name: measure_size(distribution(name)) / 1e6 for name in set().union(*every.values())}
    nothing = measure_cpu_seconds("pass")
    rows: list[list[str]] = []
    for name in sorted(listed, key=lambda name: -weights[name]):
        others = set().union(*(packages for other, packages in every.items() if other != name))
        alone = sum(weights[package] for package in every[name] - others - {name})
        seconds = max(measure_cpu_seconds(f"import {find_module(name)}") - nothing, 0.0)
        rows.append([name, listed[name], f"{weights[name]:.1f}", f"{alone:.1f}", f"{seconds:.2f}"])
    graft = max(measure_cpu_seconds("import graft") - nothing, 0.0)
    rows.append(["all", "", f"{sum(weights.values()):.1f}", "", ""])
    rows.append(["graft itself", "`import graft`, which loads none of them", "", "", f"{graft:.2f}"])
    head = ("dependency", "for", "itself, MB", "brings alone, MB", "import, CPU s")
    sys.stdout.write(render_cells(head, rows, left=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
