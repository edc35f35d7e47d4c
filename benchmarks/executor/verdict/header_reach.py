"""Does a relinked program really run a changed function? Each task's body becomes a trap; which tests die of it?

    python -m benchmarks.executor.verdict.header_reach bullet3 --sandbox bwrap       # with the recipe's header mode
    python -m benchmarks.executor.verdict.header_reach bullet3 --mode all --ids ID   # the peer: every dependent unit
    python -m benchmarks.executor.verdict.header_reach bullet3 --gold                # the original text: all must pass

A function that no test dies of is either not run by any test, or the relink is wrong: compare with `--mode all`.
CPU-seconds are user + system, as the sandbox counts them. Needs the warm image (`graft images build`).
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from executor.cache import cache_root
from executor.function.definition import split_definition
from executor.repository.images import Image, require_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Backend
from executor.tasks.datasets import bind_row, load_rows, select_rows
from executor.values import Task
from experiments.consoles import print_line, set_up_stderr_logging
from lab.doctor.body_trial import BuildPlanner, open_trial


def write_trap(gold: str) -> str:
    """The definition with a body that kills the process."""
    parts = split_definition(gold)
    if parts is None:
        raise ValueError("no body found")
    return f"{parts.header}{parts.initialisers}{{ __builtin_trap(); }}{parts.tail}"


def print_reach(image: Image, backend: Backend, task: Task, code: str) -> tuple[bool, bool]:
    """Run all suites on the text. Returns whether it was built, and whether a signal ended one of them."""
    died: list[str] = []
    failed: list[str] = []
    tests_s = 0.0
    with tempfile.TemporaryDirectory() as folder, backend.session(image.key) as session:
        trial = open_trial(BuildPlanner(image, task), session, code, Path(folder), backend=backend)
        for suite in image.recipe.suites:
            if not trial.build_for_suite(suite.name):
                break
            why, ran = trial.run_suite_and_explain_failure(suite.name)
            tests_s += ran.step.cost_s
            if ran.step.exit_code is None or ran.step.exit_code >= 128:
                died.append(suite.name)
            elif why:
                failed.append(suite.name)
    seconds = f"build {trial.cpu_s:.2f} tests {tests_s:.2f} CPU-s"
    print_line(f"{task.id} {task.target.name} ({seconds}) died: {' '.join(died) or '-'}; failed: {' '.join(failed)}")
    if trial.failed:
        print_line(f"  NOT BUILT: {trial.failed}")
    return not trial.failed, bool(died)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--base", default=None)
    parser.add_argument("--mode", choices=("recipe", "all"), default="recipe")
    parser.add_argument("--gold", action="store_true")
    parser.add_argument("--ids", nargs="*", default=())
    parser.add_argument("--dataset", default="yabloco")
    given = parser.parse_args()
    recipe = find_recipe(given.repo)
    source = checkout_source(recipe, choose_mirror_folder(), cache_root())
    backend = open_unscheduled_backend(given.sandbox, cache_root())
    image = require_image(recipe, source, backend, given.base, cache_root())
    if given.mode == "all":
        image = replace(image, recipe=recipe.model_copy(update={"header_mode": "all"}))
    tasks = [bind_row(row, source.root) for row in select_rows(load_rows(given.dataset), [given.repo], given.ids)]
    found = [print_reach(image, backend, task, task.gold if given.gold else write_trap(task.gold)) for task in tasks]
    reached, unbuilt = sum(died for _, died in found), sum(not built for built, _ in found)
    print_line(f"{len(found)} tasks, {reached} reached, {unbuilt} not built")


if __name__ == "__main__":
    set_up_stderr_logging()
    main()
