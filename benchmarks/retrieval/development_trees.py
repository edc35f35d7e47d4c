"""What the retrieval benchmarks share: their trees and targets.

Trees are named on the command line: `redis` (a repository of the data set, its source from GRAFT_MIRROR) or
`NAME=DIR`. Targets are those of the development split, never the benchmark's own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.tasks.datasets import load_rows, make_task_from_row
from index.errors import UserError
from index.repo_index import RepoIndex
from index.values import Target
from lab.retrieval_eval.run import check_out_repository, open_updated_index
from lab.retrieval_eval.targets import EvaluationTarget, draw_targets


@dataclass(frozen=True)
class DevelopmentTree:
    """A repository: its index, the benchmark's targets in it, and the targets drawn for development."""

    name: str
    index: RepoIndex
    benchmark: list[Target]
    targets: list[EvaluationTarget]

    @property
    def held_out(self) -> list[Target]:
        """What nothing may be fitted on."""
        return [*self.benchmark, *(target.target for target in self.targets)]


def make_parser(doc: str | None, targets: int) -> argparse.ArgumentParser:
    """A parser with the options that all these benchmarks have. `doc`: the program's docstring."""
    parser = argparse.ArgumentParser(description=(doc or "").split("\n")[0])
    parser.add_argument(
        "trees", nargs="+", metavar="NAME[=DIR]", help="a repository of the data set, or a source tree"
    )
    parser.add_argument("--targets", type=int, default=targets, help="functions of each tree (default: %(default)s)")
    return parser


def open_development_trees(words: Sequence[str], targets: int) -> Iterator[DevelopmentTree]:
    """Each tree, indexed in Graft's cache, with at most so many targets."""
    for word in words:
        name, _, folder = word.partition("=")
        root = Path(folder) if folder else check_out_repository(name, None)
        index = open_updated_index(root)
        benchmark = bind_benchmark_targets(name, root)
        yield DevelopmentTree(name, index, benchmark, draw_targets(index, name, targets, benchmark))


def bind_benchmark_targets(name: str, root: Path) -> list[Target]:
    """The benchmark's targets in a repository; those that this version of it lacks are reported and left out."""
    found = []
    for row in load_rows("yabloco"):
        if row.repository == name:
            try:
                found.append(make_task_from_row(row, root).target)
            except UserError as error:
                sys.stderr.write(f"{error}\n")
    return found
