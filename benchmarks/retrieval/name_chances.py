"""Fit the trees that ship with Graft, which say how likely a body needs each name.

    python -m benchmarks.retrieval.name_chances NAME=DIR ... [--functions 150]

It learns from the functions of all source trees together and writes retrieval/ranker/name_chances.txt.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from experiments.consoles import print_line, set_up_stderr_logging
from lab.retrieval_eval.run import open_updated_index
from lab.retrieval_eval.targets import draw_targets
from retrieval.ranker.name_chances import GENERIC_FILE, Lesson, fit_name_chance_trees, make_lessons
from retrieval.structure.signal_maker import Signaller


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("trees", nargs="+", metavar="NAME=DIR", help="a source tree")
    parser.add_argument("--functions", type=int, default=150, help="functions of each tree (default: %(default)s)")
    given = parser.parse_args()
    lessons: list[Lesson] = []
    for word in given.trees:
        name, _, folder = word.partition("=")
        index = open_updated_index(Path(folder))
        # So the trees that ship were fitted: without the first function that is drawn for development.
        held_out = [drawn.target for drawn in draw_targets(index, name, 1)]
        found = list(make_lessons(index, Signaller(index), held_out, count=given.functions))
        print_line(f"{name}: {len(found)} functions")
        lessons += found
    GENERIC_FILE.write_text(fit_name_chance_trees(lessons), encoding="ascii")


if __name__ == "__main__":
    set_up_stderr_logging()
    main()
