"""Do a task's chosen suites end as all of the recipe's suites do? Golds, plain stubs and mutants of random tasks.

    .venv/bin/python -m benchmarks.executor.verdict.agreement  # 30 tasks of redis, bullet3 and openssl, seed 0
    .venv/bin/python -m benchmarks.executor.verdict.agreement --tasks 12 --mutants 3 --workers 4

The chosen suites are those that a candidate runs (the manifest's, else the recipe's own choice). They are among the
recipe's, so a text that fails them fails all. One that passes them is held against every other suite of the recipe
that enters the function; the two disagree where one of these fails, and fails again when it is run once more.
Mutants are such as the doctor didn't try, where the function has any left. All means the recipe's suites, not the
repository's whole official test command. What is done is kept in GRAFT_CACHE/benchmarks/agreement-*.json, so a
killed call goes on.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.executor.output import add_json_option, write_json
from executor.cache import cache_root
from executor.doctor.manifest import judging_suites, load_manifest, manifest_path
from executor.doctor.reach import Reach, measure_reach
from executor.doctor.trial import STRICTER, Planner, in_order, open_trial
from executor.doctor.values import HealthManifest
from executor.function.mutants import mutants
from executor.function.stub import stub_for
from executor.repository.images import Image, build_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout, mirror_from_env
from executor.sandbox.choose import choose_backend
from executor.sandbox.contract import Backend
from executor.tasks.load import bind, load_rows
from executor.values import Task
from experiments.consoles import log_to_stderr
from index.errors import RecipeError, TaskError

REPOS = ("redis", "bullet3", "openssl")
KINDS = ("gold", "stub", "mutant")
# More than any function of the benchmark has.
ALL_MUTANTS = 400


@dataclass(frozen=True, slots=True)
class Held:
    """One text. `chosen` and `all` are "passed" or "failed"; `by` the suite that failed, `unsteady` one that failed
    and then passed. `new`: the doctor hadn't tried it."""

    task: str
    kind: str
    name: str
    new: bool
    chosen: str
    all: str
    by: str
    unsteady: str
    suites: int


@dataclass(frozen=True, slots=True)
class Place:
    """What the tasks of one repository are held against."""

    image: Image
    backend: Backend
    manifest: HealthManifest | None
    reach: Reach


def main() -> int:
    options = _options()
    rows = [row for row in load_rows("yabloco") if row.repository in REPOS]
    sample = random.Random(options.seed).sample(rows, options.tasks)
    path = cache_root() / "benchmarks" / f"agreement-{options.tasks}-{options.seed}-{options.mutants}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    known: dict[str, list[dict[str, object]]] = json.loads(path.read_text()) if path.is_file() else {}
    lock = threading.Lock()
    for repo in REPOS:
        ids = [row.id for row in sample if row.repository == repo and row.id not in known]
        if not ids or (options.repo and repo not in options.repo):
            continue
        recipe = find_recipe(repo)
        backend = choose_backend(options.sandbox, cache_root()).backend
        source = checkout(recipe, mirror_from_env(options.mirror), cache_root())
        image = build_image(recipe, source, backend, None, cache_root())
        tasks = [bind(row, source.root) for row in load_rows("yabloco") if row.repository == repo]
        names = [suite.name for suite in recipe.suites]
        reach = measure_reach(image, backend, tasks, names, cache_root(), workers=options.workers)
        place = Place(image, backend, load_manifest(manifest_path(recipe, options.manifests)), reach)

        def compare(task: Task, place: Place = place) -> None:
            found = [asdict(held) for held in hold(place, task, options.mutants, options.seed)]
            with lock:
                known[task.id] = list(found)
                path.write_text(json.dumps(known, indent=1))
                _say(f"{task.id} {task.target.name}: {sum(h['chosen'] == h['all'] for h in found)} of {len(found)}")

        with ThreadPoolExecutor(options.workers) as pool:
            for future in [pool.submit(compare, task) for task in tasks if task.id in ids]:
                future.result()
    write_json(options.json, known)
    for line in table([_held(raw) for found in known.values() for raw in found], len(known)):
        _say(line)
    return 0


def hold(place: Place, task: Task, count: int, seed: int) -> Iterator[Held]:
    """Gold, plain stub and `count` mutants of the task; what doesn't compile, or compiles to the gold's own
    objects, is left out."""
    chosen = judging_suites(place.image.recipe, place.manifest, task.id)
    planner = Planner(place.image, task)
    objects: dict[str, str] = {}
    for kind, name, text, new in _texts(place, task, count, seed):
        held = _hold_one(place, task, planner, chosen, (kind, name, text, new), objects)
        if held is not None:
            yield held


def _texts(place: Place, task: Task, count: int, seed: int) -> Iterator[tuple[str, str, str, bool]]:
    yield "gold", "gold", task.gold, False
    try:
        yield "stub", "zero", stub_for(task.target, task.gold), False
    except TaskError:
        return
    health = place.manifest.tasks.get(task.id) if place.manifest else None
    tried = {finding.name for finding in health.findings} if health else set()
    made = list(mutants(task.gold, task.target.language, ALL_MUTANTS))
    random.Random(f"{seed}-{task.id}").shuffle(made)
    made.sort(key=lambda mutant: mutant.name in tried)
    for mutant in made[:count]:
        yield "mutant", mutant.name, mutant.text, mutant.name not in tried


def _hold_one(
    place: Place,
    task: Task,
    planner: Planner,
    chosen: Sequence[str],
    what: tuple[str, str, str, bool],
    objects: dict[str, str],
) -> Held | None:
    kind, name, text, new = what
    folder = cache_root() / "benchmarks" / "agreement" / task.id / name.replace("/", "-")
    entered = place.reach.entered.get(task.id, place.reach.suites)
    others = [suite for suite in entered if suite not in chosen and _is_built(planner, suite, task.gold)]
    others = in_order(place.image, others, place.reach.counts())
    unsteady = ""
    with place.backend.session(place.image.key) as session:
        trial = open_trial(place.image, task, planner, session, text, folder, backend=place.backend, body_only=True)
        if not all(trial.build(suite) for suite in chosen):
            return None
        if kind == "gold":
            objects.update(trial.objects)
        elif trial.same_as(objects):
            return None
        # A mutant may be stopped as a hang, a gold may not.
        patient = kind == "gold"
        by = next((suite for suite in chosen if trial.run(suite, patient=patient)[0]), "")
        if by:
            return Held(task.id, kind, name, new, "failed", "failed", by, "", len(chosen))
        for suite in others:
            if not trial.build(suite):
                return None
            if trial.run(suite, patient=patient)[0]:
                if trial.run(suite, patient=patient)[0]:
                    return Held(
                        task.id, kind, name, new, "passed", "failed", suite, unsteady, len(chosen) + len(others)
                    )
                unsteady = suite
    return Held(task.id, kind, name, new, "passed", "passed", "", unsteady, len(chosen) + len(others))


def _is_built(planner: Planner, suite: str, gold: str) -> bool:
    try:
        return bool(planner.steps(suite, gold, body_only=True))
    except RecipeError:
        return False


def table(found: Sequence[Held], tasks: int) -> list[str]:
    """Agreement for each kind, then each disagreement in a line."""
    lines = [f"{tasks} tasks", "| texts | n | the chosen suites and all end alike | both fail | both pass |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for kind in KINDS:
        texts = [held for held in found if held.kind == kind]
        agreed = [held for held in texts if held.chosen == held.all]
        share = f"{100 * len(agreed) / len(texts):.1f} %" if texts else "-"
        failed = sum(held.all == "failed" for held in agreed)
        lines.append(f"| {kind} | {len(texts)} | {share} | {failed} | {len(agreed) - failed} |")
    for held in found:
        if held.chosen != held.all:
            lines.append(f"{held.task} {held.kind} {held.name}: chosen {held.chosen}, all {held.all} by {held.by}")
        if held.unsteady:
            lines.append(f"{held.task} {held.kind} {held.name}: {held.unsteady} failed once, then passed")
    strict = [held.chosen != held.all for held in found if held.by.startswith(STRICTER)]
    lines.append(
        f"by a leak suite, which no official command runs: {strict.count(True)} of the disagreements, "
        f"{strict.count(False)} of those that both fail"
    )
    return lines


def _held(raw: dict[str, object]) -> Held:
    return Held(**raw)  # type: ignore[arg-type]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repo", action="append", default=[])
    parser.add_argument("--tasks", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mutants", type=int, default=4)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--mirror", type=Path)
    parser.add_argument("--manifests", type=Path, help="folder of manifests; default: the ones that runs read")
    add_json_option(parser)
    return parser.parse_args()


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
