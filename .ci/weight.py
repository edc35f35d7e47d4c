"""Print what each core dependency weighs on the disk, with what it alone brings along, and what Graft needs it for.

The list of dependencies and their order is pyproject.toml's. A dependency without a purpose here is an error.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

PURPOSE = {
    "docker": "the Docker sandbox",
    "faiss-cpu": "nearest vectors of the dense retrievers",
    "jinja2": "prompt templates",
    "lightgbm": "the learned ranker's trees",
    "litellm": "every provider's wire format and prices",
    "numpy": "the index's arrays",
    "pydantic": "configurations, recipes and records, with strict keys",
    "pyyaml": "configurations, recipes and tasks",
    "rapidfuzz": "near names in compiler feedback and edit similarity",
    "rich": "tables and progress in the terminal",
    "scipy": "sparse matrices of text search, intervals",
    "tenacity": "retries of model calls",
    "tree-sitter": "the parser",
    "tree-sitter-c": "the grammar of C",
    "tree-sitter-cpp": "the grammar of C++",
    "typer": "the command line",
    "zstandard": "packed precompiled headers",
}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def needed(name: str, seen: set[str]) -> set[str]:
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
                needed(normal(match[0]), seen)
    return seen


def size(found: Distribution) -> int:
    paths = (Path(str(found.locate_file(file))) for file in found.files or ())
    return sum(path.stat().st_size for path in paths if path.is_file())


def main() -> int:
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [normal(re.match(r"[\w.-]+", line)[0]) for line in project["dependencies"]]  # type: ignore[index]
    if unexplained := [name for name in names if name not in PURPOSE]:
        sys.stderr.write(f".ci/weight.py doesn't say what {', '.join(unexplained)} is for\n")
        return 1
    every = {name: needed(name, set()) for name in names}
    weights = {name: size(distribution(name)) / 1e6 for name in set().union(*every.values())}
    sys.stdout.write(f"{'dependency':16}{'itself, MB':>12}{'brings alone, MB':>18}  for\n")
    for name in sorted(names, key=lambda name: -weights[name]):
        others = set().union(*(packages for other, packages in every.items() if other != name))
        alone = sum(weights[package] for package in every[name] - others - {name})
        sys.stdout.write(f"{name:16}{weights[name]:12.1f}{alone:18.1f}  {PURPOSE[name]}\n")
    sys.stdout.write(f"{'all':16}{sum(weights.values()):12.1f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
