"""False-pass rates of a repository's wrong bodies, as tables and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from executor.grading.metrics import Estimate
from executor.manifest.false_passes import (
    Passing,
    count_passing_bodies,
    false_pass_rate_of_task,
    mean_false_pass_rate,
    sum_passing_counts,
)
from executor.manifest.health import Fate, HealthManifest


def make_wrong_body_rows(manifest: HealthManifest, ids: Sequence[str]) -> list[tuple[str, ...]]:
    """The cells of a table, a row for each judged task: id, function, how many pass of the bodies that are held back
    (with the rate and its interval), of the others, of those that are counted apart; the kinds of those that pass."""
    found: list[tuple[str, ...]] = []
    for key in ids:
        if key in manifest.wrong:
            bodies = manifest.wrong[key].bodies
            apart = [body for body in bodies if body.only is not None]
            survivors = Counter(body.kind for body in bodies if body.fate is Fate.SURVIVED)
            found.append(
                (
                    key,
                    manifest.tasks[key].name,
                    _format_passed_of_bodies(count_passing_bodies(bodies, held=True)),
                    format_rate_with_interval_or_dash(false_pass_rate_of_task(manifest.wrong[key], held=True)),
                    _format_passed_of_bodies(count_passing_bodies(bodies, held=False)),
                    f"{sum(body.fate is Fate.SURVIVED for body in apart)}/{len(apart)}",
                    ", ".join(f"{count} {kind}" if count > 1 else kind for kind, count in survivors.items()),
                )
            )
    return found


def make_plus_rows(manifest: HealthManifest, ids: Sequence[str]) -> list[tuple[str, ...]]:
    """The cells of a table, a row for each task with plus tests: id, function, tests, golds passed, stubs killed, how
    many of the bodies pass that are held back, of the others, CPU seconds."""
    return [
        (
            key,
            # Plus tests are tried on tasks too that the doctor hasn't examined.
            manifest.tasks[key].name if key in manifest.tasks else "",
            str(found.tests),
            f"{found.gold_passed}/{found.gold_runs}" + (found.reason and f": {found.reason}"),
            f"{found.stubs_killed}/{found.stubs}",
            _format_passed_of_bodies(count_passing_bodies(found.bodies, held=True)),
            _format_passed_of_bodies(count_passing_bodies(found.bodies, held=False)),
            f"{found.cpu_s:.1f}",
        )
        for key in ids
        if (found := manifest.plus.get(key)) is not None
    ]


def summarize_pass_rates_by_held_back(manifest: HealthManifest, ids: Sequence[str]) -> list[str]:
    """The false-pass rates of the repository in words, on the bodies that are held back and on the others."""
    judged = [manifest.wrong[key] for key in ids if key in manifest.wrong]
    lines = []
    for held, what in ((True, "held back"), (False, "not held back")):
        tasks = [count_passing_bodies(task.bodies, held=held) for task in judged]
        rate, every = mean_false_pass_rate(tasks), sum_passing_counts(tasks)
        if rate.tasks:
            lines.append(
                f"{manifest.repository}, {what}: {every.passed} of {every.bodies} wrong bodies pass; false-pass rate"
                f" {format_rate_with_interval_or_dash(rate)} over {rate.tasks} tasks"
            )
    return lines or [f"{manifest.repository}: no wrong body is judged"]


def format_rate_with_interval_or_dash(rate: Estimate) -> str:
    """`52.0 % (41.1 to 62.7)`, "-" without a body."""
    if not rate.tasks:
        return "-"
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def _format_passed_of_bodies(passing: Passing) -> str:
    return f"{passing.passed}/{passing.bodies}"
