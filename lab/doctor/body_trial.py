"""Tries a text in a fresh session: builds what the next suite needs, then runs the suite."""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from executor.candidate.execute import (
    make_edited_files,
    plan_rebuild_after_edits,
    remove_outdated_files,
    run_suite,
    suite_limit_s,
)
from executor.candidate.runner import BUILD_LIMITS, Runner
from executor.confine.confinement import Confinement
from executor.function.splice import make_edits
from executor.grading.grade import shorten_name_list, why_suite_failed
from executor.repository.build.graph import BuildStep
from executor.repository.build.plan import Plan, select_steps_for_goals
from executor.repository.images import Image
from executor.repository.tamper import find_tampering
from executor.sandbox.contract import Backend, Session
from executor.values import Task, Tier
from index.errors import TimeOver

# A variant that hangs is stopped sooner than a candidate, because many variants hang. On a busy machine this also
# stops what is only slow. So the gold and the plain stub, which decide a task, get a candidate's limit, and on a busy
# machine a variant that was stopped runs once more with a candidate's limit.
HANG_FACTOR = 8.0
HANG_MIN_S = 15.0
# The prefix of suites that are stricter than the repository's own tests.
STRICTER_PREFIX = "leaks."


@dataclass(frozen=True, slots=True)
class Effort:
    """How much the doctor does. `budget_s`: wall seconds for the variants of one task; the gold, the plain stub and
    the forgeries are always tried. `patience_s`: a variant other than the plain stub counts as a survivor once it has
    passed suites that take the unmodified tree so long, the likeliest killers first. `weak_too`: try the other
    variants even when the plain stub passes, which alone makes the task weak. `repeat_stubs`: try the plain stubs once
    more on the chosen suites. `ends`: seconds since the epoch when an unfinished examination raises TimeOver.
    `at_once`: how many variants of a task are tried at the same time."""

    budget_s: float = 300.0
    gold_runs: int = 3
    mutants: int = 12
    patience_s: float = 60.0
    forgeries: bool = True
    weak_too: bool = True
    repeat_stubs: bool = True
    ends: float = math.inf
    at_once: int = 1


class BuildPlanner:
    """The build steps for texts of a task, suite by suite: parts of one plan, as planning reads the whole graph."""

    def __init__(self, image: Image, task: Task) -> None:
        self.image, self.task = image, task
        self._known: dict[str, tuple[BuildStep, ...]] = {}

    @cached_property
    def _rebuild_plan_of_edited_task(self) -> Plan:
        return plan_rebuild_after_edits(self.image, make_edits(self.task.target, self.task.gold))

    def plan_suite_rebuild_steps(self, suite: str) -> tuple[BuildStep, ...]:
        """The steps that bring the suite's programs up to date after the task's text has changed; empty when they
        aren't built from its file. Raises RecipeError when no suite's programs are."""
        if suite not in self._known:
            self._known[suite] = select_steps_for_goals(
                self._rebuild_plan_of_edited_task.steps, self.image.recipe.find_goals([suite])
            )
        return self._known[suite]

    def find_unneeded_outdated_files(self, suites: Sequence[str]) -> tuple[str, ...]:
        """Files that were built from the original text and that these suites don't need by their recipe. For a
        candidate that they judge these files are removed (see `execute`)."""
        needed = {output for name in suites for step in self.plan_suite_rebuild_steps(name) for output in step.outputs}
        return (
            tuple(path for path in self._rebuild_plan_of_edited_task.outdated if path not in needed) if suites else ()
        )


def is_machine_busy() -> bool:
    """Whether more processes want to run than this process has cores, so that wall times say little."""
    return os.getloadavg()[0] > len(os.sched_getaffinity(0))


@dataclass(slots=True)
class BodyTrial:
    """A text in its session. `objects` are digests of the files that its compilations made. `failed`: why it couldn't
    be built. `ends`: as of Effort."""

    planner: BuildPlanner
    session: Session
    runner: Runner
    guard: Confinement
    ends: float = math.inf
    objects: dict[str, str] = field(default_factory=dict)
    cpu_s: float = 0.0
    failed: str = ""
    _done: set[tuple[tuple[str, ...], str]] = field(default_factory=set)

    def build_for_suite(self, suite: str) -> bool:
        """Build what the suite needs, without a check of the syntax, whose messages nobody reads. False when it
        fails."""
        for step in self.planner.plan_suite_rebuild_steps(suite):
            key = (step.argv, step.cwd)
            if key in self._done:
                continue
            self._done.add(key)
            self._require_time()
            self.guard.restore_programs()
            done = self.runner.run_build_step(f"{step.kind}-{len(self._done)}", Tier.BUILD, step, BUILD_LIMITS)
            self.cpu_s += done.cost_s
            if done.exit_code != 0:
                self.failed = f"{step.title}: " + ("too slow" if done.timed_out else f"status {done.exit_code}")
                return False
            if step.kind == "compile":
                self.objects.update(self.digest_objects([step]))
        return True

    def digest_objects(self, steps: Sequence[BuildStep]) -> dict[str, str]:
        """Digests of the files that compilations among these steps make, as they are now."""
        made = [output for step in steps if step.kind == "compile" for output in step.outputs]
        return {path: self._digest_file_or_empty_if_missing(path) for path in made}

    def _require_time(self) -> None:
        if time.time() >= self.ends:
            raise TimeOver(f"the time was over while {self.planner.task.id} was examined")

    def _digest_file_or_empty_if_missing(self, path: str) -> str:
        try:
            return hashlib.sha256(self.session.read(path)).hexdigest()
        except FileNotFoundError:
            return ""

    def has_same_objects(self, objects: Mapping[str, str]) -> bool:
        """Whether everything compiled so far equals these objects."""
        return bool(self.objects) and all(objects.get(path) == digest for path, digest in self.objects.items())

    def run_suite_and_explain_failure(self, suite: str, *, patient: bool = False) -> str:
        """Why the suite didn't pass, or "". `patient`: with a candidate's limit at once."""
        self._require_time()
        image = self.planner.image
        declared = image.recipe.find_suite(suite)
        longest = wall_s = suite_limit_s(image, declared)
        if not patient:
            wall_s = min(wall_s, max(HANG_MIN_S, HANG_FACTOR * image.suite_seconds.get(suite, 0.0)))
        self.guard.apply_policy(suite)
        ran = run_suite(self.runner, image, declared, wall_s)
        if ran.step.timed_out and wall_s < longest and is_machine_busy():
            ran = run_suite(self.runner, image, declared, longest)
        return why_suite_failed(ran, image.expected)

    def explain_tampering_or_empty(self, earlier_tree_state: Mapping[str, str]) -> str:
        """Names the repository's files that were changed since `earlier_tree_state`, or "". A verdict checks the
        same."""
        image = self.planner.image
        # The launchers took their places after the look.
        left_out = {*image.expected.rewritten, *self.guard.launcher_paths}
        found = find_tampering(self.session, earlier_tree_state, image.graph, image.source_root, left_out)
        return f"changed while its tests ran: {shorten_name_list(found.changed)}" if found.changed else ""


def write_text_and_open_trial(
    planner: BuildPlanner,
    session: Session,
    text: str,
    folder: Path,
    *,
    backend: Backend,
    only_suites: Sequence[str] = (),
    ends: float = math.inf,
) -> BodyTrial:
    """Put the task's new text into its file, or its files, in the session; nothing is built yet. `only_suites`: those
    that alone will run, when everything that they don't need is to be removed. `backend` is the session's: what the
    suites' programs need is learnt in other sessions."""
    folder.mkdir(parents=True, exist_ok=True)
    remove_outdated_files(session, planner.find_unneeded_outdated_files(only_suites))
    for path, data in make_edited_files(planner.image, make_edits(planner.task.target, text)).items():
        session.write(path, data, keep_time=True)
    guard = Confinement(session, planner.image, backend)
    return BodyTrial(planner, session, Runner(session, folder), guard, ends)


def order_cheap_narrow_suites_first(
    image: Image, suites: Sequence[str], entered_task_counts: Mapping[str, int]
) -> list[str]:
    """The suites, cheap and likely killers first: a suite that enters few of the tasks' functions
    (`entered_task_counts`: suite -> how many) tests those. Any order gives the same fates, only sooner or later.
    Suites that also fail code that merely leaks come last, so that they judge only where no other does."""

    def rank_suite(name: str) -> tuple[bool, float, str]:
        cost = 0.3 + image.suite_seconds.get(name, 0.0)
        return name.startswith(STRICTER_PREFIX), cost * (1 + entered_task_counts.get(name, 0)) ** 0.5, name

    return sorted(suites, key=rank_suite)
