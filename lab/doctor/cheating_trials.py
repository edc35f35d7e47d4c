"""Runs a task's suites on the bodies that cheat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from executor.grading.flags import find_flags
from executor.manifest.health import Fate, Finding
from executor.repository.tamper import list_tree_state
from executor.sandbox.contract import Backend
from lab.doctor.body_trial import BodyTrial, BuildPlanner, open_trial
from lab.doctor.cheating_bodies import SWITCH, make_cheating_texts
from lab.doctor.stubs_and_mutants import join_with_stubs

# Stands for the tree's folder in a forgery's text until its session is open.
_ROOT = "@root@"


def try_cheating_bodies(
    planner: BuildPlanner,
    backend: Backend,
    stub: str,
    suites: Sequence[str],
    order: Sequence[str],
    folder: Path,
    ends: float,
) -> Iterator[Finding]:
    """The fate of each body that cheats, made of the plain `stub` of the first function. It is killed by one of
    `suites`, by another suite in `order`, or by the files that it changed; or it survives; or it can't be built. Logs
    lie in `folder`. Raises SandboxError, and TimeOver once `ends` has come."""
    to_run = [*suites, *(name for name in order if name not in suites)]
    for group in make_cheating_texts(stub, planner.image, _ROOT):
        # The tricks of one text in one session, so that the text is built once.
        with backend.session(planner.image.key) as session:
            text = join_with_stubs(planner.task, group.text.replace(_ROOT, session.root))
            # One unit is enough for a constructor to run. Built as a candidate is, one in btVector3.h takes 170 units,
            # and the program ends no sooner.
            place = folder / "forgery" / group.name
            trial = open_trial(planner, session, text, place, backend=backend, ends=ends)
            built = all(trial.build_for_suite(suite) for suite in suites)
            for letter, name in group.tricks:
                if not built:
                    yield Finding("forgery", name, Fate.UNBUILT, "", trial.failed)
                    continue
                session.write(SWITCH, letter.encode())
                yield _run_suites_until_killed(trial, name, to_run, len(suites), ", ".join(find_flags(group.text)))


def _run_suites_until_killed(trial: BodyTrial, name: str, to_run: Sequence[str], chosen: int, marks: str) -> Finding:
    """Run the suites until one fails. The first `chosen` of them are those that judge the task."""
    before, ran = list_tree_state(trial.session), list[str]()
    for number, suite in enumerate(to_run):
        if number == chosen:
            # A candidate runs no further, and its verdict checks this as well.
            tampered = trial.find_tampering(before)
            if tampered:
                return Finding("forgery", name, Fate.KILLED, "", tampered, "", tuple(ran))
        if not trial.build_for_suite(suite):
            continue
        why, _ = trial.run_suite_once(suite)
        ran.append(suite)
        if why:
            return Finding("forgery", name, Fate.KILLED, suite, why, "", tuple(ran))
    why = trial.find_tampering(before)
    if why:
        return Finding("forgery", name, Fate.KILLED, "", why, "", tuple(ran))
    return Finding("forgery", name, Fate.SURVIVED, "", f"passed; flagged: {marks}", "", tuple(ran))
