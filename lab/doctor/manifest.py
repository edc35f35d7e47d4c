"""Makes, keeps and describes the doctor's manifests; `executor.manifest` reads them."""

from __future__ import annotations

import logging
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from executor.cache import replace_file
from executor.manifest.health import Fate, Health, HealthManifest, TaskHealth, judge_tasks_by_suites_and_plus_tests
from executor.manifest.manifest import FORMAT, digest_suites, load_manifest
from executor.repository.images import Image

log = logging.getLogger(__name__)


def update_health_by_plus_tests_and_save(path: Path, manifest: HealthManifest) -> HealthManifest:
    """Write the manifest by one rename, so that a killed doctor leaves a whole file. Returns it as it was written:
    with each task's health by all that grades it."""
    manifest = judge_tasks_by_suites_and_plus_tests(manifest)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, TypeAdapter(HealthManifest).dump_json(manifest, indent=1) + b"\n")
    return manifest


def make_empty_manifest(image: Image, sandbox: str, date: str) -> HealthManifest:
    """A manifest without tasks. `machine` describes the computer, so that times mean something, without naming it."""
    machine = f"{os.cpu_count()} cores, {platform.machine()}"
    seconds = {name: round(value, 2) for name, value in image.suite_seconds.items()}
    return HealthManifest(
        FORMAT,
        image.recipe.name,
        image.commit,
        image.key,
        digest_suites(image.recipe),
        sandbox,
        machine,
        date,
        seconds,
        {},
    )


def open_manifest(path: Path, image: Image, sandbox: str) -> HealthManifest:
    """The manifest at `path` with this machine's times, as the costs of what is examined now have them; an empty one
    where there is none, or one of another image or of other suites."""
    fresh, found = make_empty_manifest(image, sandbox, datetime.now(UTC).date().isoformat()), load_manifest(path)
    if found is not None and (found.image, found.expected) == (fresh.image, fresh.expected):
        return replace(found, date=fresh.date, seconds=fresh.seconds)
    if found is not None:
        log.info(f"{path}: was made with another image or other suites, so it's made anew")
    return fresh


def make_manifest_rows(manifest: HealthManifest) -> list[tuple[str, ...]]:
    """A row for each task: id, function, health, kill score, mutants, stubs, reached, suites, seconds, reason."""
    return [
        (
            key,
            entry.name,
            entry.health.value,
            "-" if entry.kill_score is None else f"{entry.kill_score:.2f}",
            f"{entry.mutants_killed}/{entry.mutants}",
            f"{entry.stubs_killed}/{entry.stubs}",
            "?" if entry.reached_by is None else str(len(entry.reached_by)),
            ", ".join(entry.suites),
            f"{entry.cost_s:.1f}",
            entry.reason + ("" if entry.complete else " (budget ended)"),
        )
        for key, entry in manifest.tasks.items()
    ]


def summarize_health(health: TaskHealth) -> str:
    killed = f"{health.mutants_killed}/{health.mutants} mutants, {health.stubs_killed}/{health.stubs} stubs"
    forged = f"; forgeries passed: {', '.join(health.forgeries_passed)}" if health.forgeries_passed else ""
    suites = ", ".join(health.suites)
    return (
        f"{health.name}: {health.health.value}, {killed} killed, {suites} ({health.cost_s:.1f} s), "
        f"{health.seconds:.0f} s{'' if health.complete else ', budget ended'}{forged}"
    )


def summarize_manifest(manifest: HealthManifest, possibly_unexamined_ids: Sequence[str] = ()) -> str:
    """One line: the number of tasks of each health, mean kill score, seconds of all chosen suites, forgeries that
    passed, and how many tasks with the ids `possibly_unexamined_ids` weren't examined yet."""
    tasks: Mapping[str, TaskHealth] = manifest.tasks
    healths = [entry.health for entry in tasks.values()]
    counts = ", ".join(f"{healths.count(health)} {health.value}" for health in Health if health in healths)
    by_plus = sum(entry.health is Health.VALID and entry.by_suites is not None for entry in tasks.values())
    if by_plus:
        counts += f" ({by_plus} of the valid by their plus tests)"
    scores = [entry.kill_score for entry in tasks.values() if entry.kill_score is not None]
    mean = f"{sum(scores) / len(scores):.2f}" if scores else "-"
    same = sum(f.fate is Fate.SAME for entry in tasks.values() for f in entry.findings)
    forged = sum(len(entry.forgeries_passed) for entry in tasks.values())
    tried = sum(entry.forgeries for entry in tasks.values())
    cost = sum(entry.cost_s for entry in tasks.values())
    left = len(set(possibly_unexamined_ids) - set(tasks))
    return (
        f"{manifest.repository}: {len(tasks)} tasks: {counts or 'none'}; mean kill score {mean}; chosen suites"
        f" {cost:.0f} s for all; {same} variants equal to the gold; {forged} of {tried} forgeries passed"
        + (f"; {left} tasks not examined yet" if left else "")
    )


def count_fewest_sabotages_per_task(manifest: HealthManifest, task_ids: Sequence[str]) -> list[int]:
    """For each of the tasks `task_ids`, how many sabotages are known in the suite that has the fewest."""
    fewest: list[int] = []
    for key in task_ids:
        suites = manifest.tasks[key].suites if key in manifest.tasks else ()
        known = [manifest.sabotages.get(suite, ()) for suite in suites]
        fewest.append(min((sum(key in (*s.tasks, *s.others) for s in found) for found in known), default=0))
    return fewest


def summarize_sabotages(manifest: HealthManifest, task_ids: Sequence[str]) -> str:
    """One line: how many sabotages are known, and how many of the tasks `task_ids` have two or more, one, or none in
    the suite that has the fewest."""
    fewest = count_fewest_sabotages_per_task(manifest, task_ids)
    total = sum(map(len, manifest.sabotages.values()))
    return (
        f"{manifest.repository}: {total} sabotages in {len(manifest.sabotages)} suites; of {len(fewest)} tasks"
        f" {sum(n >= 2 for n in fewest)} have two or more for each suite, {fewest.count(1)} one,"
        f" {fewest.count(0)} none"
    )
