"""What the retrieval benchmarks share: their trees and targets, and one way to print and keep a result.

Trees are named on the command line: `redis` (a repository of the data set, its source from GRAFT_MIRROR) or
`NAME=DIR`. Targets are those of the development split, never the benchmark's own. `--json FILE` writes the tables
that are printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.tables import render_cells
from executor.tasks.datasets import bind_row, load_rows
from experiments.consoles import print_line
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


@dataclass(frozen=True)
class ResultTable:
    """A table of figures as it is printed: the first column says what a row is about."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]


def make_parser(doc: str | None, targets: int) -> argparse.ArgumentParser:
    """A parser with the options that all these benchmarks have. `doc`: the program's docstring."""
    parser = argparse.ArgumentParser(description=(doc or "").split("\n")[0])
    parser.add_argument(
        "trees", nargs="+", metavar="NAME[=DIR]", help="a repository of the data set, or a source tree"
    )
    parser.add_argument("--targets", type=int, default=targets, help="functions of each tree (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables there too")
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
                found.append(bind_row(row, root).target)
            except UserError as error:
                sys.stderr.write(f"{error}\n")
    return found


def publish_tables(tables: Sequence[ResultTable], file: Path | None) -> None:
    """Print the tables as Markdown; write them to `file` as JSON where there is one."""
    for result in tables:
        print_line(f"\n{result.title}\n")
        print_line(render_result(result))
    if file is not None:
        file.write_text(json.dumps([asdict(result) for result in tables], indent=1) + "\n", encoding="utf-8")


def render_result(result: ResultTable) -> str:
    """The table without its title."""
    return render_cells(result.columns, ([_write_cell(value) for value in row] for row in result.rows))


def _write_cell(value: str | float) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
