"""Tasks of several functions, made of repositories that have a recipe, and what the doctor says of them.

python -m benchmarks.executor.making.tasks_of_several_functions WORK NAME[:FILES[:SUITES]]... [--tasks N] \\
    [--holes 2-4] [--lines 5-150]

Functions are put together as `graft make --holes` does. FILES are patterns of source files, SUITES the names of the
suites that judge, each list with commas; without them all. Of each repository the first groups that its suites enter
are examined until N are valid: the golds of all functions run three times, and each function alone is replaced by its
plain stub, the others' golds beside it. The task folders of the valid ones are written to WORK/NAME. Prints, as JSON,
what was found here and earlier in WORK, each repository with what it was asked for.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import logging
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from executor.cache import cache_root
from executor.manifest.health import Health, TaskHealth
from executor.repository.images import build_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source, mirror_from_env
from executor.sandbox.choose import choose_backend
from executor.tasks.datasets import bind_row
from executor.tasks.task_folders import write_task_folder
from executor.values import Task
from index.build import build_index
from index.repo_index import open_index
from lab.doctor.body_trial import Effort
from lab.doctor.reach import measure_reach
from lab.doctor.stubs_and_mutants import is_plain_stub
from lab.doctor.task_examination import examine_task
from lab.making.functions.choose_functions import choose_functions
from lab.making.settings import ChooseSettings

_EFFORT = Effort(budget_s=60.0, gold_runs=3, mutants=2, patience_s=20.0, forgeries=False, weak_too=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("repositories", nargs="+", metavar="NAME[:FILES[:SUITES]]")
    parser.add_argument("--tasks", type=int, default=4)
    parser.add_argument("--holes", default="2-4")
    parser.add_argument("--lines", default="5-150")
    parser.add_argument("--sandbox", default="bwrap")
    words = parser.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(message)s")
    settings = ChooseSettings(tasks=words.tasks, holes=read_range(words.holes), lines=read_range(words.lines))
    words.work.mkdir(parents=True, exist_ok=True)
    for spec in words.repositories:
        facts = {"spec": spec, "holes": words.holes, "lines": words.lines}
        facts |= examine_repository(spec, settings, words.work, words.sandbox)
        (words.work / f"{spec.partition(':')[0]}.json").write_text(json.dumps(facts, indent=1))
    kept = {path.stem: json.loads(path.read_text()) for path in sorted(words.work.glob("*.json"))}
    sys.stdout.write(json.dumps({"repositories": kept}, indent=1) + "\n")
    return 0


def read_range(text: str) -> tuple[int, int]:
    low, high = map(int, text.split("-"))
    return low, high


def examine_repository(spec: str, settings: ChooseSettings, work: Path, sandbox: str) -> dict[str, Any]:
    name, files, suites = (*spec.split(":"), "", "")[:3]
    cache = cache_root()
    recipe = find_recipe(name)
    names = [suite for suite in suites.split(",") if suite] or [suite.name for suite in recipe.suites]
    backend = choose_backend(sandbox, cache).backend
    source = checkout_source(recipe, mirror_from_env(None), cache)
    image = build_image(recipe, source, backend, None, cache, names)
    patterns = [pattern for pattern in files.split(",") if pattern] or ["*"]
    folder = cache / "indexes" / source.root.name
    build_index(source.root, folder)
    with closing(open_index(folder, source.root)) as index:
        # Other files are left out before groups are made, so that a function isn't grouped with one of them.
        others = {
            e.symbol.path for e in index.functions if not any(fnmatch.fnmatch(e.symbol.path, p) for p in patterns)
        }
        chosen = choose_functions(
            index, image.graph, settings.model_copy(update={"exclude": tuple(sorted(others))}), name, None
        )
    tasks = [bind_row(candidate.row, source.root) for candidate in chosen.candidates[: 4 * settings.tasks]]
    logging.info(f"{name}: {len(chosen.candidates)} groups, {len(tasks)} looked at")
    reach = measure_reach(image, backend, tasks, names, cache)
    examined: list[tuple[Task, TaskHealth]] = []
    with tempfile.TemporaryDirectory() as logs:
        for task in tasks:
            if sum(health.health is Health.VALID for _, health in examined) >= settings.tasks:
                break
            if not reach.entered.get(task.id):
                continue
            started = time.monotonic()
            health = examine_task(image, backend, task, reach, _EFFORT, Path(logs) / task.id)
            examined.append((task, health))
            logging.info(
                f"{name}: {task.id}: {health.health.value}, {health.reason[:100]} ({time.monotonic() - started:.0f} s)"
            )
    for task, health in examined:
        if health.health is Health.VALID and not (work / name / task.id).exists():
            write_task_folder(task, work / name)
    return {
        "groups": len(chosen.candidates),
        "looked_at": len(tasks),
        "entered": sum(bool(reach.entered.get(task.id)) for task in tasks),
        "examined": [describe_examination(task, health) for task, health in examined],
    }


def describe_examination(task: Task, health: TaskHealth) -> dict[str, Any]:
    plains = [f for f in health.findings if is_plain_stub(f.kind, f.name)]
    return {
        "task": task.id,
        "health": health.health.value,
        "reason": health.reason,
        "suites": list(health.suites),
        "gold_runs": health.gold_runs,
        "gold_passed": health.gold_passed,
        "mutants": [health.mutants_killed, health.mutants],
        "functions": [
            {
                "name": hole.name,
                "path": hole.path,
                "lines": hole.span.last - hole.span.first + 1,
                "stub": find_fate(plains, number),
            }
            for number, hole in enumerate(task.target.holes)
        ],
    }


def find_fate(plains: Sequence[Any], number: int) -> str:
    """What became of the function's plain stub beside the others' golds."""
    return plains[number].fate.value if number < len(plains) else "not tried"


if __name__ == "__main__":
    sys.exit(main())
