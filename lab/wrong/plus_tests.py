"""Tries the plus tests of a task: the gold must pass them each time, and trivial and wrong bodies should fail."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from itertools import repeat
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from executor.grading.grade import grade, limit_expected_to_suites
from executor.manifest.health import Fate, HealthManifest, PlusHealth
from executor.repository.suites import digest_plus_tests
from executor.sandbox.scheduled import find_concurrent_command_limit
from executor.threads import map_in_threads
from executor.values import Outcome, Task, TestRun
from lab.doctor.stubs_and_mutants import make_stub_variants
from lab.doctor.task_examination import digest_gold
from lab.wrong.body_file import WrongBody
from lab.wrong.stored_trials import (
    TextTrials,
    TriedText,
    make_body_fate,
    run_suites_on_text,
    try_text_on_missing_suites,
)


def find_reusable_plus_health(
    manifest: HealthManifest, trials: TextTrials, task: Task, gold_runs: int
) -> PlusHealth | None:
    """What the manifest holds of these tests, where they were tried on this gold, so many times and with success, and
    on its stubs."""
    known = manifest.plus.get(task.id)
    if known is None or not known.has_gold_always_passed or known.gold_runs < gold_runs:
        return None
    digests = digest_plus_tests(trials.image.recipe.list_plus_tests_of_task(task.id)), digest_gold(task)
    return known if (known.digest, known.text_digest) == digests else None


def try_plus_tests(trials: TextTrials, task: Task, bodies: Sequence[WrongBody], gold_runs: int = 3) -> PlusHealth:
    """Run the task's plus tests on the gold, `gold_runs` times, on the stubs and on these wrong bodies, which aren't
    tried when the gold fails. Raises InfraError when Graft itself failed, RecipeError when nothing is built from the
    function's file."""
    suites = trials.image.recipe.list_plus_tests_of_task(task.id)
    names, digest = [suite.name for suite in suites], digest_plus_tests(suites)

    def try_plus_tests_on_text(text: str) -> TriedText:
        # Mostly the test of the function that differs kills. The other programs of a large task needn't be built then.
        golds = zip(task.target.holes, task.golds, strict=True)
        changed = {f"plus-{hole.name.rpartition('::')[2]}" for hole, gold in golds if gold not in text}
        own = [name for name in names if name in changed]
        found = try_text_on_missing_suites(trials, task, text, own, plus=digest) if own else TriedText()
        decided = found.find_fate(names) in (Fate.KILLED, Fate.UNBUILT)
        return found if decided else try_text_on_missing_suites(trials, task, text, names, plus=digest)

    passed, cpu_s, reason = _run_gold_until_failure(trials, task, names, gold_runs)
    stub_texts = [] if reason else [variant.text for variant in make_stub_variants(task)]
    bodies = () if reason else bodies
    texts = [*stub_texts, *(body.text for body in bodies)]
    tried = map_in_threads(try_plus_tests_on_text, texts, find_concurrent_command_limit(trials.backend))
    stubs = [found.find_fate(names) for found in tried[: len(stub_texts)]]
    fates = tuple(map(make_body_fate, bodies, tried[len(stub_texts) :], repeat(names)))
    return PlusHealth(
        suites=tuple(names),
        tests=sum(len(suite.tests) for suite in suites),
        digest=digest,
        text_digest=digest_gold(task),
        gold_runs=gold_runs,
        gold_passed=passed,
        stubs_killed=sum(found in (Fate.KILLED, Fate.UNBUILT) for found in stubs),
        stubs=len(stubs),
        bodies=fates,
        cpu_s=round(cpu_s, 2),
        reason=reason,
    )


class _PassesSlowestCpuSecondsAndFailure(NamedTuple):
    """How often the gold passed, the CPU seconds of its slowest run, and why it failed first, or ""."""

    passed: int
    cpu_s: float
    reason: str


def _run_gold_until_failure(
    trials: TextTrials, task: Task, names: Sequence[str], runs: int
) -> _PassesSlowestCpuSecondsAndFailure:
    most = 0.0
    for passed in range(runs):
        logs = Path(mkdtemp(prefix=f"plus-{task.id}-", dir=trials.ensure_log_folder()))
        run = run_suites_on_text(trials, task, task.gold, names, logs)
        verdict = grade(run, limit_expected_to_suites(trials.image.expected, names), task.gold)
        steps = (*run.check, *run.build, *(suite.step for suite in run.suites))
        most = max(most, sum(step.cost_s for step in steps))
        if verdict.outcome is not Outcome.PASSED:
            why = f"{find_plus_test_compile_error_or_empty(run, logs) or verdict.reason} ({logs})"
            return _PassesSlowestCpuSecondsAndFailure(passed, most, why)
        shutil.rmtree(logs, ignore_errors=True)
    return _PassesSlowestCpuSecondsAndFailure(runs, most, "")


def find_plus_test_compile_error_or_empty(run: TestRun, logs: Path) -> str:
    """Which plus test couldn't be built, and the first error line of its log; "" where all could."""
    for suite in run.suites:
        # A test that was built ends with the step of its run, another with a step of its build.
        if suite.step.name.startswith("make-"):
            lines = (logs / suite.step.log).read_text(encoding="utf-8", errors="replace").splitlines()
            first = next((line for line in lines if "error" in line), lines[-1] if lines else "no output")
            return f"{suite.suite}: {suite.problem}: {first.strip()}"
    return ""
