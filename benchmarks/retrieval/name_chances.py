"""Fit the trees that ship with Graft, which say how likely a body needs each name; and what each signal is worth.

    python -m benchmarks.retrieval.name_chances fit NAME=DIR ... [--functions 150]
    python -m benchmarks.retrieval.name_chances signals NAME[=DIR] ... [--functions 250]

A tree is a repository of the data set, its source from GRAFT_MIRROR, or NAME=DIR. `fit` learns from the functions of
all trees together and writes retrieval/ranker/name_chances.txt. `signals` fits the trees of each repository alone,
once with all signals and once without each group of them, and prints how well the names of its development split are
ranked: those among the first 100 and 300, and the share of functions of which all are. Targets of a benchmark, of the
development split and their clones teach nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.tables import TitledTable, print_tables
from executor.tasks.datasets import load_rows, make_task_from_row
from experiments.consoles import print_line, set_up_stderr_logging
from index.errors import UserError
from index.repo_index import RepoIndex
from index.values import Target
from lab.retrieval_eval.run import check_out_repository, open_updated_index
from lab.retrieval_eval.targets import draw_targets
from retrieval.names.name_evidence import FEATURE_NAMES
from retrieval.ranker.name_chances import GENERIC_FILE, Lesson, fit_name_chance_trees, make_lessons
from retrieval.structure.signal_maker import Signaller

CUTS = (100, 300)
ALL = 1_000_000
GROUPS: Mapping[str, frozenset[str]] = {
    "functions near the target": frozenset({"near", "file", "folder", "scope"}),
    "functions like the target": frozenset({"names", "alike", "more_alike", "types", "docs"}),
    "callers": frozenset({"callers", "callers_callees"}),
    "likely callees and who calls them": frozenset({"callees", "cousins", "rank"}),
    "words of name and comment": frozenset(
        {"in_doc", "name_words", "doc_words", "offered_words", "words", "parts", "family"}
    ),
    "types and owners": frozenset(
        {"owner", "owner_taken", "owner_held", "owner_of_global", "fellow_members", "typed", "typed_taken"}
    ),
    "place and kind": frozenset(
        {
            *("distance", "in_file", "in_test", "meanings", "member"),
            *(name for name in FEATURE_NAMES if name.startswith("is_")),
        }
    ),
    "how often it is used": frozenset({"frequency", "other_form"}),
}
"""Signals that are left out together; `all` is the sum of the votes and stays."""


class DevelopmentTree(NamedTuple):
    """A repository: its index, and the targets on which nothing may be fitted."""

    name: str
    index: RepoIndex
    held_out: list[Target]


def open_development_trees(words: Sequence[str], targets: int) -> Iterator[DevelopmentTree]:
    """Each tree, indexed in Graft's cache; beside the benchmark's targets at most so many of the development split are
    held out."""
    for word in words:
        name, _, folder = word.partition("=")
        root = Path(folder) if folder else check_out_repository(name, None)
        index = open_updated_index(root)
        benchmark = bind_benchmark_targets(name, root)
        drawn = draw_targets(index, name, targets, benchmark)
        yield DevelopmentTree(name, index, [*benchmark, *(target.target for target in drawn)])


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


def fit_generic_chances(trees: Iterable[DevelopmentTree], functions: int) -> str:
    """The fitted trees as text, after a line for each repository."""
    lessons: list[Lesson] = []
    for tree in trees:
        found = list(make_lessons(Signaller(tree.index), tree.held_out, count=functions))
        print_line(f"{tree.name}: {len(found)} functions")
        lessons += found
    return fit_name_chance_trees(lessons)


def measure_signals(tree: DevelopmentTree, functions: int) -> list[tuple[str | float, ...]]:
    """A row for all signals and one without each group. The functions that are asked about teach nothing: every
    second one of the lessons is held back."""
    lessons = list(make_lessons(Signaller(tree.index), tree.held_out, count=2 * functions, most_others=ALL))
    taught, asked = lessons[::2], lessons[1::2]
    rows = []
    for title, group in (("all", frozenset[str]()), *GROUPS.items()):
        kept = [number for number, name in enumerate(FEATURE_NAMES) if name not in group]
        rows.append((tree.name, title if not group else f"without {title}", *_rank_names(taught, asked, kept)))
    return rows


def _rank_names(taught: Sequence[Lesson], asked: Sequence[Lesson], kept: Sequence[int]) -> list[float]:
    import lightgbm

    booster = lightgbm.Booster(model_str=fit_name_chance_trees([_blank_others(lesson, kept) for lesson in taught]))
    shares = []
    for cut in CUTS:
        found = total = whole = 0
        for lesson in asked:
            chances = np.asarray(booster.predict(_blank_others(lesson, kept).table, num_threads=1))
            best = np.argsort(-chances, kind="stable")[:cut]
            found += int(lesson.needed[best].sum())
            total += int(lesson.needed.sum())
            whole += bool(lesson.needed[best].sum() == lesson.needed.sum())
        shares += [found / max(1, total), whole / max(1, len(asked))]
    return shares


def _blank_others(lesson: Lesson, kept: Sequence[int]) -> Lesson:
    table = np.zeros_like(lesson.table)
    table[:, kept] = lesson.table[:, kept]
    return lesson._replace(table=table)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=("fit", "signals"))
    parser.add_argument(
        "trees", nargs="+", metavar="NAME[=DIR]", help="a repository of the data set, or a source tree"
    )
    parser.add_argument("--functions", type=int, default=150, help="functions of each tree (default: %(default)s)")
    given = parser.parse_args()
    trees = open_development_trees(given.trees, 1 if given.what == "fit" else 400)
    if given.what == "fit":
        GENERIC_FILE.write_text(fit_generic_chances(trees, given.functions), encoding="ascii")
        return 0
    columns = ("tree", "signals", *(f"{what} @{cut}" for cut in CUTS for what in ("names", "all of a function")))
    rows = [row for tree in trees for row in measure_signals(tree, given.functions)]
    print_tables([TitledTable("What each signal is worth", columns, tuple(rows))])
    return 0


if __name__ == "__main__":
    set_up_stderr_logging()
    sys.exit(main())
