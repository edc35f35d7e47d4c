"""What a verdict costs, against the official commands: golds by Graft's tiers, and the first of them by theirs too.

    .venv/bin/python -m benchmarks.executor.costs.verdict_cost redis --official 1
    .venv/bin/python -m benchmarks.executor.costs.verdict_cost bullet3 --limit 5 --official 5

CPU-s are user + system of all processes, as the sandbox counts them: from a text to linked programs, the chosen
suites, and what the published harness runs for one candidate on the same machine and source. Prints a Markdown table
of medians. Needs the warm image. Exit status 1 when a gold doesn't pass or the official commands say otherwise.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.executor.official.official_commands import judge_by_official_commands
from benchmarks.tables import render_cells
from executor.cache import cache_root
from executor.candidate.execute import execute_edits
from executor.function.splice import Edit
from executor.grading.grade import grade, select_expected
from executor.manifest.manifest import choose_judging_suites, load_manifest, manifest_path
from executor.repository.images import Image, build_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source, mirror_from_env
from executor.sandbox.choose import choose_backend
from executor.sandbox.contract import Backend
from executor.tasks.datasets import bind_row, load_rows, select_rows
from executor.values import Outcome, Task
from experiments.consoles import log_to_stderr, print_line


class Judgement(NamedTuple):
    """A gold by Graft's tiers: CPU-seconds until it is linked, those of its suites, seconds of all, and its end."""

    built_s: float
    tests_s: float
    wall_s: float
    outcome: Outcome


def judge_gold(image: Image, backend: Backend, task: Task, suites: tuple[str, ...], folder: Path) -> Judgement:
    began = time.perf_counter()
    run = execute_edits(
        image, [Edit(task.target.path, task.target.span, task.gold)], backend, suites, folder / task.id
    )
    wall = time.perf_counter() - began
    outcome = grade(run, select_expected(image.expected, suites), task.gold).outcome
    built = sum(step.cpu_s or 0.0 for step in (*run.check, *run.build))
    return Judgement(built, sum(suite.step.cpu_s or 0.0 for suite in run.suites), wall, outcome)


def write_median(values: list[float]) -> str:
    return f"{statistics.median(values):.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repo")
    parser.add_argument("--dataset", default="yabloco")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--official", type=int, default=1, metavar="N", help="the first N by official commands too")
    options = parser.parse_args()
    cache = cache_root()
    recipe, backend = find_recipe(options.repo), choose_backend(options.sandbox, cache).backend
    source = checkout_source(recipe, mirror_from_env(), cache)
    image = build_image(recipe, source, backend, None, cache)
    manifest = load_manifest(manifest_path(recipe))
    rows = select_rows(load_rows(options.dataset), repos=[options.repo], limit=options.limit)
    tasks = [bind_row(row, source.root) for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        ours = [
            judge_gold(image, backend, task, tuple(choose_judging_suites(recipe, manifest, task.id)), Path(folder))
            for task in tasks
        ]
        golds = [(task, task.gold) for task in tasks[: options.official]]
        theirs = judge_by_official_commands(image, backend, golds, Path(folder)) if golds else []
    passed = sum(judgement.outcome is Outcome.PASSED for judgement in ours)
    table = [
        ["text to linked", str(len(ours)), "", write_median([j.built_s for j in ours]), ""],
        ["with the chosen suites", str(len(ours)), str(passed), write_median([j.built_s + j.tests_s for j in ours]),
         write_median([j.wall_s for j in ours])],
    ]  # fmt: skip
    if theirs:
        agreed = sum(official.passed for official in theirs)
        costs = [write_median([j.cpu_s for j in theirs]), write_median([j.wall_s for j in theirs])]
        table.append(["the official commands", str(len(theirs)), str(agreed), *costs])
    print_line(
        render_cells((f"{options.repo}: a gold by", "golds", "passed", "CPU-s, median", "wall, s, median"), table)
    )
    return 0 if passed == len(ours) and all(official.passed for official in theirs) else 1


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
