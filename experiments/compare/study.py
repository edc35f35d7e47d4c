"""A study in one file: keys that vary, and a run for each of their combinations. They are done one after the other,
then ranked, and compared with the first of them.

vary:
  model: [openai/gpt-4o, anthropic/claude-sonnet-4-5]
  seed: [0, 1]
arms: [none, oracle]        # every other key is the same in all runs
"""

from __future__ import annotations

import itertools
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from executor.workers.contract import GoldComparison
from experiments.compare.comparison_document import make_comparison_document, write_comparison_files
from experiments.compare.leaderboard import (
    make_leaderboard_document,
    rank_sides_with_samples_into_rows,
    write_leaderboard_files,
)
from experiments.compare.pairs import compare_sides
from experiments.compare.sides import read_sides
from experiments.consoles import make_stdout_console
from experiments.documents import print_document
from experiments.report.run_end import write_and_print_report
from experiments.run.config import RunConfig, find_config_file, read_override, validate_config
from experiments.run.experiment import run_experiment
from index.errors import ConfigError
from index.progress import SILENT, Progress
from index.user_files import make_spelling_hint, read_yaml

log = logging.getLogger(__name__)

VARY = "vary"
LEADERBOARD, COMPARISON = "leaderboard", "comparison"
# They make up one run's samples, or where it lies; a list of them is no list of runs. Runs on two data sets can't be
# paired.
_NOT_VARIED = frozenset({"out", "mirror", "dataset", "arms", "repos", "tasks", "levels", "groups"})


@dataclass(frozen=True, slots=True)
class Combination:
    """A run of the study. `title` says what varies: `model=gpt-4o seed=1`."""

    title: str
    config: RunConfig


@dataclass(frozen=True, slots=True)
class Matrix:
    """The study's folder and its runs, each in a folder of its own there."""

    out: Path
    runs: tuple[Combination, ...]


def read_matrix(path: Path, overrides: Sequence[str] = ()) -> Matrix | None:
    """The study that the file describes; None for a file without `vary`. A `key=value` word for a key that varies
    leaves that value alone. Raises ConfigError: one line that names the file, the key and the fix."""
    path = find_config_file(path)
    data = read_yaml(path, ConfigError)
    if VARY not in data:
        return None
    given = dict(read_override(word) for word in overrides)
    vary = {key: values for key, values in _check_varied_keys(data.pop(VARY), str(path)).items() if key not in given}
    out = Path(given.get("out") or data.get("out") or Path("runs") / path.stem)
    runs: dict[str, Combination] = {}
    for values in itertools.product(*vary.values()):
        chosen = dict(zip(vary, values, strict=True))
        folder = (
            "-".join(filter(None, (_make_folder_name_part_or_empty(key, value) for key, value in chosen.items())))
            or "run"
        )
        if folder in runs:
            raise ConfigError(f"{path}: {VARY}: two combinations are called {folder}; leave one of them out")
        config = validate_config({**data, **chosen}, overrides, str(path))
        title = " ".join(f"{key}={value}" for key, value in chosen.items())
        runs[folder] = Combination(title, config.model_copy(update={"out": out / folder}))
    return Matrix(out, tuple(runs.values()))


def _check_varied_keys(given: object, origin: str) -> Mapping[str, Sequence[Any]]:
    if not isinstance(given, dict) or not given:
        raise ConfigError(f"{origin}: {VARY}: expected keys with lists, such as `model: [gold, stub]`")
    known = [key for key in RunConfig.model_fields if key not in _NOT_VARIED]
    for key, values in given.items():
        if key in _NOT_VARIED:
            raise ConfigError(f"{origin}: {VARY}.{key}: {key} can't vary; give it beside {VARY}, for all runs")
        if key not in known:
            raise ConfigError(f"{origin}: {VARY}.{key}: unknown key{make_spelling_hint(str(key), known)}")
        if not isinstance(values, list) or not values:
            raise ConfigError(f"{origin}: {VARY}.{key}: expected a list of values")
    return given


def _make_folder_name_part_or_empty(key: str, value: object) -> str:
    """`gpt-4o`, `seed1`, `renamed-seed-1`; "" for null, which is the usual value."""
    if value is None:
        return ""
    text = value.rpartition("/")[2] if key == "model" and isinstance(value, str) else str(value)
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-")
    return plain if isinstance(value, str) else f"{key}{plain}"


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
    places = rank_sides_with_samples_into_rows(sides, {})
    write_leaderboard_files(places, "repository", out / f"{LEADERBOARD}.json", out / f"{LEADERBOARD}.md")
    print_document(console, make_leaderboard_document(places), hint=f"{out}/{LEADERBOARD}.md has them")
    if len(sides) > 1:
        found = compare_sides(sides, baseline="1")
        write_comparison_files(found, sides, out / f"{COMPARISON}.json", out / f"{COMPARISON}.md")
        console.print()
        print_document(console, make_comparison_document(found, sides), hint=f"{out}/{COMPARISON}.md has them")
    kept = f"\nKept: {out} ({LEADERBOARD}.md, {COMPARISON}.md, both as .json, and a folder for each run)"
    console.print(kept, markup=False)
