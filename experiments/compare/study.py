"""A study: its runs one after the other, then ranked, and compared with the first of them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from executor.workers.contract import GoldComparison
from experiments.compare.comparison_document import make_comparison_document, write_comparison_files
from experiments.compare.leaderboard import make_leaderboard_document, rank_sides_into_rows, write_leaderboard_files
from experiments.compare.pairs import compare_sides
from experiments.compare.sides import read_sides
from experiments.compare.study_file import Matrix
from experiments.consoles import make_stdout_console
from experiments.documents import print_document
from experiments.report.run_end import write_and_print_report
from experiments.run.experiment import run_experiment
from index.progress import SILENT, Progress

log = logging.getLogger(__name__)

LEADERBOARD, COMPARISON = "leaderboard", "comparison"


def run_study_and_print_tables(
    matrix: Matrix,
    cache: Path,
    progress: Progress = SILENT,
    *,
    retry_errors: bool = False,
    comparison: GoldComparison | None = None,
) -> int:
    """Do every run of the study, or what is left of each, print and keep the tables. Returns the exit code: 0, or that
    of a run which stopped before its end; the others are done all the same. Raises what a run raises."""
    ends = []
    codes = []
    for number, part in enumerate(matrix.runs, start=1):
        log.info(f"run {number}/{len(matrix.runs)}: {part.title}")
        end = run_experiment(part.config, cache, progress, retry_errors=retry_errors, comparison=comparison)
        ends.append(end)
        codes.append(write_and_print_report(end))
    # One that stopped before its first sample has nothing to rank, and doesn't keep the others' tables back.
    if begun := [end.run for end in ends if end.records]:
        print_and_keep_study_tables(matrix.out, begun, make_stdout_console())
    return max(codes)


def print_and_keep_study_tables(out: Path, runs: Sequence[Path], console: Console) -> None:
    """Print the leaderboard of the runs and the comparison of each arm with the first one of the first run, and keep
    both in the study's folder `out`, as Markdown and as JSON. An arm whose samples all ended in Graft's own failures
    stands in neither. Raises ConfigError for a run without a finished sample."""
    sides = [side for side in read_sides([str(run) for run in runs], fewest=1) if side.records]
    places = rank_sides_into_rows(sides, {})
    write_leaderboard_files(places, "repository", out / f"{LEADERBOARD}.json", out / f"{LEADERBOARD}.md")
    print_document(console, make_leaderboard_document(places), hint=f"{out}/{LEADERBOARD}.md has them")
    if len(sides) > 1:
        found = compare_sides(sides, baseline="1")
        write_comparison_files(found, sides, out / f"{COMPARISON}.json", out / f"{COMPARISON}.md")
        console.print()
        print_document(console, make_comparison_document(found, sides), hint=f"{out}/{COMPARISON}.md has them")
    kept = f"\nKept: {out} ({LEADERBOARD}.md, {COMPARISON}.md, both as .json, and a folder for each run)"
    console.print(kept, markup=False)
