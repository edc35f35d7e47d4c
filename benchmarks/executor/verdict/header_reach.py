"""Does a relinked program really run a changed function? Each task's body becomes a trap; which tests die of it?

    python -m benchmarks.executor.verdict.header_reach bullet3 --sandbox bwrap       # with the recipe's header mode
    python -m benchmarks.executor.verdict.header_reach bullet3 --mode all --ids ID   # the peer: every dependent unit
    python -m benchmarks.executor.verdict.header_reach bullet3 --gold                # the original text: all must pass

A function that no test dies of is either not run by any test, or the relink is wrong: compare with `--mode all`.
CPU-seconds are user + system, as the sandbox counts them. Needs the warm image (`graft images build`).
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import dataclass
from pathlib import Path

from executor.cache import cache_root
from executor.candidate.execute import BUILD_LIMITS, CHECK_LIMITS, read_unmodified_file
from executor.function.definition import split_definition
from executor.function.header_function import classify_header_function
from executor.function.splice import splice_function
from executor.grading.logs.results import read_results
from executor.repository.baseline import make_suite_command
from executor.repository.build.graph import BuildStep, bind_step
from executor.repository.build.plan import Plan, plan_rebuild
from executor.repository.images import Image, require_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source, mirror_from_env
from executor.sandbox.choose import open_backend
from executor.sandbox.contract import Backend, Command, CommandLimits, ExecResult, Session
from executor.tasks.datasets import bind_row as bind_task
from executor.tasks.datasets import load_rows, select_rows
from executor.values import Task
from experiments.consoles import log_to_stderr, print_line

SUITE_LIMITS = CommandLimits(wall_s=120.0)


@dataclass(frozen=True, slots=True)
class Reach:
    """What one task's text did. `died` are the suites that a signal ended, `failed` those that ended otherwise;
    seconds are CPU time."""

    task: str
    name: str
    kind: str
    units: int
    problem: str
    died: tuple[str, ...]
    failed: tuple[str, ...]
    check_s: float
    build_s: float
    tests_s: float


def write_trap(gold: str) -> str:
    """The definition with a body that kills the process."""
    parts = split_definition(gold)
    if parts is None:
        raise ValueError("no body found")
    return f"{parts.header}{parts.initialisers}{{ __builtin_trap(); }}{parts.tail}"


def measure_reach(image: Image, backend: Backend, task: Task, mode: str, code: str) -> Reach:
    path, span = task.target.path, task.target.span
    source = read_unmodified_file(image, path)
    function = classify_header_function(source.decode("utf-8", "surrogateescape"), span, code)
    todo = plan_rebuild(image.graph, path, image.recipe.build.goals, "all" if mode == "all" else "override", function)
    units = sum(step.kind == "compile" for step in todo.steps)
    with backend.session(image.key) as session:
        session.write(path, splice_function(source, span, code))
        check_s, build_s, problem = _build_candidate(session, todo)
        died: list[str] = []
        failed: list[str] = []
        tests_s = 0.0
        for suite in () if problem else image.recipe.suites:
            done = session.run(make_suite_command(suite, SUITE_LIMITS))
            tests_s += done.cpu_s or 0.0
            if done.exit_code is None or done.exit_code >= 128:
                died.append(suite.name)
            elif not done.ok or not read_results(done.output, image.recipe.find_parser(suite.name)):
                failed.append(suite.name)
    name = task.target.name
    return Reach(task.id, name, function.kind, units, problem, tuple(died), tuple(failed), check_s, build_s, tests_s)


def _build_candidate(session: Session, todo: Plan) -> tuple[float, float, str]:
    check = _run_step(session, todo.check, CHECK_LIMITS)
    if not check.ok:
        return check.cpu_s or 0.0, 0.0, check.output.decode("utf-8", "replace")
    spent = 0.0
    for step in todo.steps:
        done = _run_step(session, step, BUILD_LIMITS)
        spent += done.cpu_s or 0.0
        if not done.ok:
            return check.cpu_s or 0.0, spent, f"{step.title}: {done.output.decode('utf-8', 'replace')}"
    return check.cpu_s or 0.0, spent, ""


def _run_step(session: Session, step: BuildStep, limits: CommandLimits) -> ExecResult:
    argv, cwd = bind_step(step, session.root)
    return session.run(Command(argv, cwd=cwd, limits=limits))


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
    source = checkout_source(recipe, mirror_from_env(), cache_root())
    backend = open_backend(given.sandbox, cache_root())
    image = require_image(recipe, source, backend, given.base, cache_root())
    mode = recipe.header_mode if given.mode == "recipe" else given.mode
    found: list[Reach] = []
    for row in select_rows(load_rows(given.dataset), repos=[given.repo], ids=given.ids):
        task = bind_task(row, Path(source.root))
        code = task.gold if given.gold else write_trap(task.gold)
        found.append(measure_reach(image, backend, task, mode, code))
        _print_reach(found[-1])
    built = [result.check_s + result.build_s for result in found]
    totals = [seconds + result.tests_s for seconds, result in zip(built, found, strict=True)]
    reached = sum(bool(result.died) for result in found)
    print_line(f"{len(found)} tasks, {reached} reached, {sum(bool(result.problem) for result in found)} not built")
    print_line(f"check and build: median {statistics.median(built):.1f}, worst {max(built):.1f} CPU-s")
    print_line(f"with tests: median {statistics.median(totals):.1f}, worst {max(totals):.1f} CPU-s")


def _print_reach(result: Reach) -> None:
    seconds = f"check {result.check_s:.2f} build {result.build_s:.2f} tests {result.tests_s:.2f}"
    died = f"died: {' '.join(result.died) or '-'}; failed: {' '.join(result.failed) or '-'}"
    print_line(f"{result.task} {result.name} ({result.kind}, {result.units} units, {seconds}) {died}")
    if result.problem:
        print_line(f"  NOT BUILT: {result.problem[:2000]}")


if __name__ == "__main__":
    log_to_stderr()
    main()
