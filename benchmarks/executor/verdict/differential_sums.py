"""What differential execution catches, and whom it accuses: sums over records of `graft audit differential`.

    .venv/bin/python -m benchmarks.executor.verdict.equivalents redis --each 3 > answers.jsonl
    graft audit differential --repos redis --answers answers.jsonl --wrong --out runs/differential-redis
    python -m benchmarks.record benchmarks/records/differential_sample.json -- \
        python -m benchmarks.executor.verdict.differential_sums runs/differential-redis/differential.jsonl

Of a task that several records hold the last counts. The answers are golds in other words, so that each that differs is
accused wrongly. What passes the suites is taken from the manifests. Prints one JSON value.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence, Set
from dataclasses import asdict, replace
from pathlib import Path
from statistics import median
from typing import Any

from executor.manifest.false_passes import (
    count_passing_bodies,
    judge_bodies_by_plus_tests,
    mean_false_pass_rate,
    sum_passing_counts,
)
from executor.manifest.health import Fate, HealthManifest, WrongFate
from executor.manifest.manifest import load_manifest, manifest_path
from executor.repository.recipe import find_recipe
from lab.differential.compare_bodies import ComparedBody, read_compared_bodies
from lab.wrong.body_file import make_body_name
from lab.wrong.pass_rate_tables import format_rate_with_interval_or_dash


def summarize_repository(rows: Sequence[ComparedBody], manifest: HealthManifest | None) -> dict[str, Any]:
    """The sums over one repository's records. `compared`: on at least one call."""
    golds = [row for row in rows if row.origin == "gold"]
    seen = [row for row in rows if row.found.compared_call_count]
    return {
        "tasks": len(golds),
        "compared": sum(row.found.compared_call_count > 0 for row in golds),
        "golds accused": sum(bool(row.found.differs) for row in golds),
        "equivalents": count_bodies([row for row in seen if row.origin == "answer"]),
        "wrong": count_bodies([row for row in seen if row.origin == "wrong" and row.only is None]),
        "held": count_bodies([row for row in seen if row.origin == "wrong" and row.only is None and row.held]),
        "false pass": count_false_passes(rows, manifest) if manifest else {},
    }


def count_bodies(rows: Sequence[ComparedBody]) -> dict[str, int]:
    """How many bodies differ at the suites' calls, and how many on these or on changed states."""
    return {
        "bodies": len(rows),
        "differ": sum(bool(row.found.differs) for row in rows),
        "differ or broke": sum(bool(row.found.differs or row.found.broke) for row in rows),
    }


def join_records(records: Sequence[Sequence[ComparedBody]]) -> list[ComparedBody]:
    """The rows of all records. Of a task that several records hold the last record counts."""
    last = {(row.repo, row.task_id): number for number, rows in enumerate(records) for row in rows}
    return [row for n, rows in enumerate(records) for row in rows if last[row.repo, row.task_id] == n]


def compute_median_cost(records: Sequence[Sequence[ComparedBody]]) -> float | None:
    """The median over the runs of what one body takes."""
    shares: dict[tuple[int, str], list[float]] = {}
    for number, rows in enumerate(records):
        for row in rows:
            if row.found.cpu_s is not None:
                shares.setdefault((number, row.task_id), []).append(row.found.cpu_s)
    return round(median(found[0] / len(found) for found in shares.values()), 2) if shares else None


def count_false_passes(rows: Sequence[ComparedBody], manifest: HealthManifest) -> dict[str, Any]:
    """How many of the bodies that are held back pass, over the tasks that were both judged and compared: the suites,
    with the comparison on changed states too, with the plus tests, with both."""
    caught = {(row.task_id, row.name) for row in rows if row.found.differs or row.found.broke}
    tasks = sorted(manifest.wrong.keys() & {row.task_id for row in rows})
    suites = {key: manifest.wrong[key].bodies for key in tasks}
    plus = {key: judge_bodies_by_plus_tests(manifest.wrong[key], manifest.plus.get(key)) for key in tasks}
    ways = {
        "suites": suites,
        "suites + differential": {key: mark_caught_bodies(key, bodies, caught) for key, bodies in suites.items()},
        "plus": plus,
        "plus + differential": {key: mark_caught_bodies(key, bodies, caught) for key, bodies in plus.items()},
    }
    return {"tasks": len(tasks), **{way: compute_pass_rate(list(found.values())) for way, found in ways.items()}}


def mark_caught_bodies(key: str, bodies: Sequence[WrongFate], caught: Set[tuple[str, str]]) -> tuple[WrongFate, ...]:
    """The bodies, where what the comparison caught is killed."""
    return tuple(
        replace(body, fate=Fate.KILLED)
        if body.fate is Fate.SURVIVED and (key, make_body_name(body.kind, body.digest)) in caught
        else body
        for body in bodies
    )


def compute_pass_rate(tasks: Sequence[Sequence[WrongFate]]) -> dict[str, Any]:
    found = [count_passing_bodies(bodies, held=True) for bodies in tasks]
    return {
        **asdict(sum_passing_counts(found)),
        "rate": format_rate_with_interval_or_dash(mean_false_pass_rate(found)),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs="+")
    given = parser.parse_args()
    records = [read_compared_bodies(path) for path in given.records]
    rows = join_records(records)
    sums = {}
    for repo in dict.fromkeys(row.repo for row in rows):
        manifest = load_manifest(manifest_path(find_recipe(repo)))
        cpu_s = compute_median_cost([[row for row in record if row.repo == repo] for record in records])
        sums[repo] = {**summarize_repository([row for row in rows if row.repo == repo], manifest), "cpu_s": cpu_s}
    json.dump(sums, sys.stdout, indent=1)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
