"""What a candidate costs from its text to linked goals, and whether golds (or stubs) come to their right ends.

    .venv/bin/python -m benchmarks.executor.costs.candidate redis  # golds: built only, CPU-s
    .venv/bin/python -m benchmarks.executor.costs.candidate redis --tests  # golds: tests too, all must pass
    .venv/bin/python -m benchmarks.executor.costs.candidate redis --tests --stubs  # stubs: how many are caught
    .venv/bin/python -m benchmarks.executor.costs.candidate redis --tests --official 1  # the first by theirs too
    .venv/bin/python -m benchmarks.executor.costs.candidate bullet3 --tests --official-by-file  # one of each file

Prints one line for each task, the medians, and where the seconds of all went. CPU-s are user + system of all
processes, as the sandbox counts them. Where tasks are in sources the official commands cost much the same for any
candidate that builds, so their median over few is held against ours over all. Where they are in headers it is the
header that decides what is compiled again: then one candidate of each file runs by the official commands, and
stands for all tasks of its file.
Logs lie under GRAFT_CACHE/benchmarks. Exit status 1 when a gold doesn't pass.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.executor.output import add_json_option, write_json
from executor.cache import cache_root
from executor.candidate.execute import execute
from executor.function.stub import stub_for
from executor.grading.grade import chosen, grade
from executor.manifest.manifest import judging_suites, load_manifest, manifest_path, valid_ids
from executor.repository.images import Image, build_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout, mirror_from_env
from executor.sandbox.choose import choose_backend
from executor.sandbox.contract import Backend
from executor.tasks.load import bind, load_rows, select
from executor.values import Outcome, Task, TestRun
from experiments.consoles import log_to_stderr

if TYPE_CHECKING:
    from benchmarks.executor.official.commands import Judged


@dataclass(frozen=True, slots=True)
class _Done:
    """A candidate by our tiers: CPU and wall seconds of all its steps, and its end."""

    task: Task
    code: str
    cpu_s: float
    wall_s: float
    end: Outcome


def main() -> int:
    options = _options()
    cache = cache_root()
    recipe = find_recipe(options.repo)
    choice = choose_backend(options.sandbox, cache)
    source = checkout(recipe, mirror_from_env(options.mirror), cache)
    image = build_image(recipe, source, choice.backend, None, cache)
    _say(f"{recipe.display} at {source.commit or source.origin}, {choice.reason}, image {image.key}")
    rows = select(load_rows(options.dataset), repos=[options.repo], ids=options.id, limit=options.limit)
    folder = cache / "benchmarks" / f"{options.repo}-{choice.backend.name}-{'stubs' if options.stubs else 'golds'}"
    manifest = load_manifest(manifest_path(recipe))
    linked: list[float] = []
    done: list[_Done] = []
    phases: defaultdict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        task = bind(row, source.root)
        code = stub_for(task.target, task.gold) if options.stubs else task.gold
        suites = judging_suites(recipe, manifest, task.id) if options.tests else ()
        begin = time.perf_counter()
        run = execute(image, task.target.path, task.target.span, code, choice.backend, suites, folder / task.id)
        wall = time.perf_counter() - begin
        verdict = grade(run, chosen(image.expected, suites), code)
        built = verdict.built or (not options.tests and all(step.exit_code == 0 for step in (*run.check, *run.build)))
        outcome = verdict.outcome if options.tests or not built else Outcome.PASSED
        steps = [*run.check, *run.build, *(suite.step for suite in run.suites)]
        done.append(_Done(task, code, sum(step.cpu_s or 0.0 for step in steps), wall, outcome))
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
    ends = [candidate.end for candidate in done]
    results = [(c.task.id, c.cpu_s, c.wall_s, c.end) for c in done]
    by_phase = {f"{phase}, {unit}": value for (phase, unit), value in phases.items()}
    write_json(options.json, {"candidates": results, "linked_cpu_s": linked, "phases": by_phase})
    counts = ", ".join(f"{ends.count(outcome)} {outcome}" for outcome in Outcome if outcome in ends)
    _say(f"{len(ends)} tasks: {counts}")
    if linked:
        _say(f"from text to linked: median {statistics.median(linked):.2f} CPU-s, most {max(linked):.2f}")
    for (phase, unit), value in phases.items():
        _say(f"{phase}: {value:.1f} {unit}")
    if options.official or options.official_by_file:
        valid = valid_ids(manifest) if manifest else frozenset()
        compared = _one_of_each_file(done) if options.official_by_file else done[: options.official]
        theirs = _compare(image, choice.backend, compared, folder)
        for name, mine in (
            ("all", done),
            ("the valid", [candidate for candidate in done if candidate.task.id in valid]),
        ):
            pairs = [(_theirs(candidate.task, theirs), candidate) for candidate in mine]
            _say(f"over {name} {len(mine)} tasks: {_ratios(pairs)}" if mine else f"no task is among {name}")
    return 0 if options.stubs or ends.count(Outcome.PASSED) == len(ends) else 1


def _one_of_each_file(done: Sequence[_Done]) -> list[_Done]:
    return list({candidate.task.target.path: candidate for candidate in reversed(done)}.values())[::-1]


def _compare(image: Image, backend: Backend, candidates: Sequence[_Done], folder: Path) -> dict[str, Judged]:
    """These candidates by the official commands, each beside ours; what they cost, by the candidate's file."""
    from benchmarks.executor.official.commands import COMMANDS, judge

    _say(f"official: {COMMANDS[image.recipe.name].judge}")
    theirs = judge(image, backend, [(c.task, c.code) for c in candidates], folder)
    for mine, official in zip(candidates, theirs, strict=True):
        same = "the same verdict" if official.passed == (mine.end is Outcome.PASSED) else "ANOTHER VERDICT"
        _say(
            f"{mine.task.id} {mine.task.target.path} ours {mine.cpu_s:.2f} CPU-s {mine.wall_s:.1f} s {mine.end}, "
            f"official {official.cpu_s:.1f} {official.wall_s:.1f}, {same}"
        )
    pairs = list(zip(candidates, theirs, strict=True))
    agreed = sum(official.passed == (mine.end is Outcome.PASSED) for mine, official in pairs)
    _say(f"{agreed} of {len(theirs)} verdicts the same")
    return {mine.task.target.path: official for mine, official in pairs}


def _theirs(task: Task, by_file: Mapping[str, Judged]) -> tuple[float, float]:
    """What the official commands took for the task's file; for one that none ran of, their median."""
    known = [by_file[task.target.path]] if task.target.path in by_file else list(by_file.values())
    return statistics.median(judged.cpu_s for judged in known), statistics.median(judged.wall_s for judged in known)


def _ratios(pairs: Sequence[tuple[tuple[float, float], _Done]]) -> str:
    """Medians and their ratio, and the median of the tasks' own ratios, for CPU and for wall seconds."""
    parts = []
    for unit, both in (
        ("CPU-s", [(theirs[0], mine.cpu_s) for theirs, mine in pairs]),
        ("s by the clock", [(theirs[1], mine.wall_s) for theirs, mine in pairs]),
    ):
        dear, cheap = (statistics.median(side) for side in zip(*both, strict=True))
        own = sorted(official / mine for official, mine in both)
        parts.append(
            f"{dear:.1f} {unit} of theirs, {cheap:.2f} of ours, {dear / cheap:.0f} times less "
            f"(task by task {own[0]:.0f} to {own[-1]:.0f}, median {statistics.median(own):.0f})"
        )
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
    parser.add_argument(
        "--official-by-file", action="store_true", help="one candidate of each file by official commands too"
    )
    add_json_option(parser)
    return parser.parse_args()


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
