"""Runs a candidate beside the gold at the calls that the task's suites make."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from executor.candidate.execute import Runner, plan_for, read_unmodified, remove_outdated, run_suite, suite_limit_s
from executor.differential.programs import RESULTS, build, describe, unit_of
from executor.differential.results import read_results
from executor.differential.values import Differential, NotApplicableError
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.values import Task
from index.errors import RecipeError

# What the forks may add to a suite's time.
_MORE_S = 60.0


def compare_with_gold(
    image: Image, task: Task, candidates: Sequence[str], backend: Backend, suites: Sequence[str], folder: Path
) -> tuple[Differential, ...]:
    """Build the suites' programs with the gold's body and the candidates' in one unit, in a fresh session, and run the
    suites. Returns what was found of each candidate. One that doesn't compile is `not_applicable`, and so are those
    beside it. Logs lie in `folder`. Raises SandboxError."""
    folder.mkdir(parents=True, exist_ok=True)
    target = task.target
    source = read_unmodified(image, target.path)
    try:
        todo = plan_for(image, target.path, target.span, suites=suites)
        step = unit_of(todo.steps, task)
        with backend.session(image.key) as session:
            runner = Runner(session, folder)
            session.write(RESULTS, b"")
            unit = describe(runner, step, task)
            remove_outdated(session, todo.outdated)
            build(runner, todo.steps, unit, task, candidates, source, f"_{secrets.token_hex(6)}")
            for name in suites:
                suite = image.recipe.suite(name)
                run_suite(runner, image, suite, suite_limit_s(image, suite) + _MORE_S, prefix="differential")
            results = session.read(RESULTS)
    except (NotApplicableError, RecipeError) as error:
        return (Differential(not_applicable=str(error)),) * len(candidates)
    (folder / "differential.txt").write_bytes(results)
    return read_results(results, len(candidates))
