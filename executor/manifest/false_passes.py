"""False-pass rates: which part of the wrong bodies passes the suites that judge their task.

Bodies that only an injected fault, a race, a huge input or a clock could tell are left out, and so are those that
aren't built or whose fate isn't known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from executor.grading.metrics import Estimate, estimate_mean
from executor.manifest.health import Fate, HealthManifest, JudgedBodies, PlusHealth, WrongFate


@dataclass(frozen=True, slots=True)
class Passing:
    """`passed` of `bodies` wrong bodies passed."""

    passed: int
    bodies: int

    @property
    def pass_rate_or_nan(self) -> float:
        """NaN without a body."""
        return self.passed / self.bodies if self.bodies else math.nan


def select_ordinary_killed_and_surviving_bodies(bodies: Iterable[WrongFate], *, held: bool | None) -> list[WrongFate]:
    """The bodies that a figure is taken on. `held`: those that are held back, the others, or (None) both."""
    known = (Fate.KILLED, Fate.SURVIVED)
    return [b for b in bodies if b.only is None and b.fate in known and held in (None, b.held)]


def count_passing_bodies(bodies: Iterable[WrongFate], *, held: bool | None) -> Passing:
    found = select_ordinary_killed_and_surviving_bodies(bodies, held=held)
    return Passing(sum(body.fate is Fate.SURVIVED for body in found), len(found))


def false_pass_rate_of_task(judged: JudgedBodies, *, held: bool | None) -> Estimate:
    """One task's false-pass rate with its interval: what another wrong body of this kind would do."""
    return estimate_mean(
        [
            float(body.fate is Fate.SURVIVED)
            for body in select_ordinary_killed_and_surviving_bodies(judged.bodies, held=held)
        ]
    )


def count_passing_held_back_bodies(
    manifest: HealthManifest | None, task_id: str, suites: Sequence[str], *, plus: bool = False
) -> Passing | None:
    """The bodies of the task that are held back, as these suites judge them and, with `plus`, the task's plus tests
    too; None where that isn't known."""
    if manifest is None or (judged := manifest.wrong.get(task_id)) is None or set(judged.suites) != set(suites):
        return None
    if plus and task_id not in manifest.plus:
        return None
    bodies = judge_bodies_by_plus_tests(judged, manifest.plus.get(task_id)) if plus else judged.bodies
    found = count_passing_bodies(bodies, held=True)
    return found if found.bodies else None


def judge_bodies_by_plus_tests(judged: JudgedBodies, plus: PlusHealth | None) -> tuple[WrongFate, ...]:
    """The bodies, where those that pass their suites must pass the task's plus tests as well. Tests that the gold
    fails, or that are of another text of it, count for nothing."""
    if plus is None or not plus.has_gold_always_passed or plus.text_digest != judged.text_digest:
        return judged.bodies
    more = {body.digest: body for body in plus.bodies}
    return tuple(
        replace(body, fate=Fate.KILLED, by=more[body.digest].by)
        if body.fate is Fate.SURVIVED and body.digest in more and more[body.digest].fate is not Fate.SURVIVED
        else body
        for body in judged.bodies
    )


def mean_false_pass_rate(tasks: Iterable[Passing]) -> Estimate:
    """The mean rate over tasks, each of which counts alike, however many bodies it has."""
    return estimate_mean([task.pass_rate_or_nan for task in tasks if task.bodies])


def sum_passing_counts(tasks: Sequence[Passing]) -> Passing:
    return Passing(sum(task.passed for task in tasks), sum(task.bodies for task in tasks))
