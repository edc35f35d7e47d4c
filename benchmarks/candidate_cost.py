"""What a candidate costs from its text to linked goals, and whether golds (or stubs) come to their right ends.

    .venv/bin/python benchmarks/candidate_cost.py redis                    # golds: built only, CPU-s
    .venv/bin/python benchmarks/candidate_cost.py redis --tests            # golds: tests too, all must pass
    .venv/bin/python benchmarks/candidate_cost.py redis --tests --stubs    # stubs: how many are caught
    .venv/bin/python benchmarks/candidate_cost.py bullet3 --tests --official 1   # the first by theirs too

Prints one line for each task, the medians, and where the seconds of all went. CPU-s are user + system of all
processes, as the sandbox counts them. The official commands cost much the same for any candidate that builds, so
their median over few is held against ours over all.
Logs lie under GRAFT_CACHE/benchmarks. Exit status 1 when a gold doesn't pass.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from executor.cache import cache_root
from executor.doctor.manifest import judging_suites, load_manifest, manifest_path, valid_ids
from executor.execute import execute
from executor.grade import chosen, grade
from executor.images import Image, build_image
from executor.recipe import find_recipe
from executor.sandbox.choose import choose_backend
from executor.sandbox.contract import Backend
from executor.source import checkout, mirror_from_env
from executor.stub import stub_for
from executor.tasks import bind, load_rows, select
from executor.values import Outcome, Task, TestRun

if TYPE_CHECKING:
    from benchmarks.official_commands import Judged


def main() -> int:
    options = _options()
    cache = cache_root()
    recipe = find_recipe(options.repo)
    choice = choose_backend(options.sandbox, cache)
    source = checkout(recipe, mirror_from_env(options.mirror), cache, _say)
    image = build_image(recipe, source, choice.backend, None, cache, _say)
    _say(f"{recipe.display} at {source.commit or source.origin}, {choice.reason}, image {image.key}")
    rows = select(load_rows(options.dataset), repos=[options.repo], ids=options.id, limit=options.limit)
    folder = cache / "benchmarks" / f"{options.repo}-{choice.backend.name}-{'stubs' if options.stubs else 'golds'}"
    manifest = load_manifest(manifest_path(recipe))
    linked: list[float] = []
    candidates: list[tuple[Task, str]] = []
    whole: list[tuple[float, float]] = []
    phases: defaultdict[tuple[str, str], float] = defaultdict(float)
    ends: list[Outcome] = []
    for row in rows:
        task = bind(row, source.root)
        code = stub_for(task.target, task.gold) if options.stubs else task.gold
        suites = judging_suites(recipe, manifest, task.id) if options.tests else ()
        begin = time.perf_counter()
        run = execute(image, task.target.path, task.target.span, code, choice.backend, suites, folder / task.id)
        wall = time.perf_counter() - begin
        verdict = grade(run, chosen(image.expected, suites), code)
        built = verdict.built or (
            not options.tests and all(step.exit_code == 0 for step in (*run.check, *run.build))
        )
        outcome = verdict.outcome if options.tests or not built else Outcome.PASSED
        ends.append(outcome)
        candidates.append((task, code))
        steps = [*run.check, *run.build, *(suite.step for suite in run.suites)]
        whole.append((sum(step.cpu_s or 0.0 for step in steps), wall))
        for step in steps:
            phases[step.name.partition("-")[0], "CPU-s"] += step.cpu_s or 0.0
            phases[step.name.partition("-")[0], "s"] += step.wall_s
        phases["beside the commands", "s"] += wall - sum(step.wall_s for step in steps)
        if built:
            linked.append(_cpu(run))
        tests_s = sum(suite.step.wall_s for suite in run.suites)
        tests_cpu = sum(suite.step.cpu_s or 0 for suite in run.suites)
        why = verdict.reason if outcome is not Outcome.PASSED else ""
        _say(
            f"{task.id} {task.target.name:32.32} linked {_cpu(run):5.2f} CPU-s  tests {verdict.passed:4} "
            f"{tests_s:5.1f} s {tests_cpu:5.1f} CPU-s  {outcome} {why}"
        )
    counts = ", ".join(f"{ends.count(outcome)} {outcome}" for outcome in Outcome if outcome in ends)
    _say(f"{len(ends)} tasks: {counts}")
    if linked:
        _say(f"from text to linked: median {statistics.median(linked):.2f} CPU-s, most {max(linked):.2f}")
    for (phase, unit), value in phases.items():
        _say(f"{phase}: {value:.1f} {unit}")
    if options.official:
        valid = valid_ids(manifest) if manifest else frozenset()
        good = [one for one, (task, _) in zip(whole, candidates, strict=True) if task.id in valid]
        theirs = _compare(image, choice.backend, candidates[: options.official], whole, ends, folder)
        for name, mine in (("all", whole), ("the valid", good)):
            _say(
                f"ours over {name} {len(mine)} tasks: {_ratios(theirs, mine)}"
                if mine
                else f"no task is among {name}"
            )
    return 0 if options.stubs or ends.count(Outcome.PASSED) == len(ends) else 1


def _compare(
    image: Image,
    backend: Backend,
    candidates: list[tuple[Task, str]],
    ours: Sequence[tuple[float, float]],
    ends: Sequence[Outcome],
    folder: Path,
) -> list[Judged]:
    """The first candidates by the official commands, each beside ours."""
    from benchmarks.official_commands import COMMANDS, judge

    _say(f"official: {COMMANDS[image.recipe.name].judge}")
    theirs = judge(image, backend, candidates, folder)
    for (task, _), (cpu, wall), end, one in zip(candidates, ours, ends, theirs, strict=False):
        same = "the same verdict" if one.passed == (end is Outcome.PASSED) else "ANOTHER VERDICT"
        _say(
            f"{task.id} ours {cpu:.2f} CPU-s {wall:.1f} s {end}, official {one.cpu_s:.1f} {one.wall_s:.1f}, {same}"
        )
    agreed = sum(one.passed == (end is Outcome.PASSED) for one, end in zip(theirs, ends, strict=False))
    _say(f"{agreed} of {len(theirs)} verdicts the same")
    return theirs


def _ratios(theirs: Sequence[Judged], ours: Sequence[tuple[float, float]]) -> str:
    """Medians and their ratio, for CPU and for wall seconds."""
    his = [one.cpu_s for one in theirs], [one.wall_s for one in theirs]
    parts = []
    for unit, official, mine in zip(("CPU-s", "s by the clock"), his, zip(*ours, strict=True), strict=True):
        dear, cheap = statistics.median(official), statistics.median(mine)
        parts.append(f"{dear:.1f} {unit} of theirs, {cheap:.2f} of ours, {dear / cheap:.0f} times less")
    return "; ".join(parts)


def _cpu(run: TestRun) -> float:
    return sum(step.cpu_s or 0.0 for step in (*run.check, *run.build))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repo")
    parser.add_argument("--dataset", default="yabloco")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--mirror", type=Path)
    parser.add_argument("--id", action="append", default=[])
    parser.add_argument("--limit", type=int)
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--stubs", action="store_true")
    parser.add_argument("--official", type=int, default=0, metavar="N", help="the first N by official commands too")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
