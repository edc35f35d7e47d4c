"""The baseline: the tests that pass on the unmodified tree and how long its suites take, measured in the warm
image."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import replace_file, short_digest
from executor.grading.logs.results import read_log, read_results
from executor.repository.build.graph import BuildGraph
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree
from executor.repository.suites import Suite
from executor.repository.tamper import find_tampering, list_tree_state
from executor.sandbox.contract import Backend, Command, CommandLimits, ExecResult
from executor.threads import map_in_threads
from executor.values import ExpectedTests, Step, TestResult, TestStatus, Tier
from index.errors import RecipeError, SandboxError

log = logging.getLogger(__name__)

# Raised when the files beside an image, or the way in which images are made, change their meaning.
IMAGE_FORMAT = 1
# Raised when a baseline holds more than before: it is then measured again in the same image.
BASELINE_FORMAT = 2
# The first run has no measured time to go by. A suite that takes longer is no use for judging candidates.
BASELINE_SUITE_S = 1200.0
# What a note says of a test that the recipe's `known_failures` excuses.
FAILS = "fails on the unmodified tree, ignored"


class SuiteError(RecipeError):
    """The suite `suite` doesn't pass on the unmodified tree. `log` holds what it printed."""

    def __init__(self, message: str, suite: str, log: Path) -> None:
        super().__init__(message)
        self.suite, self.log = suite, log


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the suites did on the unmodified tree. `notes` name the tests that were left out, with the reason.
    `suite_cpu_s`: CPU seconds of each suite, the most of any round; empty where the sandbox doesn't measure them."""

    expected: ExpectedTests
    suite_seconds: Mapping[str, float]
    notes: tuple[str, ...] = ()
    suite_cpu_s: Mapping[str, float] = field(default_factory=dict)


def baseline_key(recipe: Recipe) -> str:
    """The name of the expectations: a changed suite is measured again in the same image."""
    kept = recipe.judging_keys("baseline_runs")
    if recipe.known_failures:
        kept["known_failures"] = dict(recipe.known_failures)
    return short_digest({"format": [IMAGE_FORMAT, BASELINE_FORMAT], **kept})


def baseline_path(folder: Path, recipe: Recipe) -> Path:
    """Where the baseline lies in the image's folder on the host."""
    return folder / f"expected-{baseline_key(recipe)}.json"


def baseline_log_path(folder: Path, suite: str, number: int = 1) -> Path:
    """What the suite printed in the baseline's round `number`."""
    return folder / f"baseline-{number}-{suite}.log"


def partial_baseline_path(folder: Path, recipe: Recipe) -> Path:
    """Where the baseline lies while only some of the suites were measured."""
    return folder / f"expected-{baseline_key(recipe)}.part.json"


def find_baseline(folder: Path, recipe: Recipe, suites: Iterable[str] | None) -> Baseline | None:
    """The baseline in the image's folder, of all suites that were measured so far; None unless `suites` (None: all of
    the recipe's) are among them. Raises SandboxError when it is damaged."""
    wanted = {suite.name for suite in recipe.suites} if suites is None else set(suites)
    for path in (baseline_path(folder, recipe), partial_baseline_path(folder, recipe)):
        if path.is_file():
            baseline = read_baseline(path, recipe)
            if path == baseline_path(folder, recipe) or wanted <= baseline.suite_seconds.keys():
                return baseline
    return None


def join_baselines(first: Baseline, second: Baseline) -> Baseline:
    """The baselines of different suites of an image as one."""
    mine, more = first.expected, second.expected
    expected = ExpectedTests(
        {**mine.suites, **more.suites},
        mine.ignored | more.ignored,
        mine.rewritten | more.rewritten,
        {**mine.ignored_in, **more.ignored_in},
        {**mine.statuses, **more.statuses},
    )
    return Baseline(
        expected,
        {**first.suite_seconds, **second.suite_seconds},
        tuple(dict.fromkeys((*first.notes, *second.notes))),
        {**first.suite_cpu_s, **second.suite_cpu_s},
    )


def read_baseline(path: Path, recipe: Recipe) -> Baseline:
    """Raises SandboxError when the file is missing or damaged."""
    try:
        baseline = TypeAdapter(Baseline).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise SandboxError(f"{path}: damaged; delete its folder and build the image again") from error
    expected = baseline.expected
    if expected.ignored and not expected.ignored_in:
        # Written before each suite's own ignored names were kept: its logs still have them.
        expected = replace(expected, ignored_in=_find_ignored_in_logs(path.parent, recipe, expected.ignored))
    return replace(baseline, expected=expected)


def add_plus_expectations(expected: ExpectedTests, recipe: Recipe) -> ExpectedTests:
    """The expectations with those of the plus tests. They aren't measured but written: each test passes once."""
    more = {suite.name: dict.fromkeys(suite.tests, 1) for suite in recipe.plus_suites}
    return replace(expected, suites={**expected.suites, **more})


def _find_ignored_in_logs(folder: Path, recipe: Recipe, ignored: frozenset[str]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for suite in recipe.suites:
        parser = recipe.find_parser(suite.name)
        names: set[str] = set()
        for number in range(1, recipe.baseline_runs + 1):
            path = baseline_log_path(folder, suite.name, number)
            if path.is_file():
                names.update(result.name for result in read_results(path.read_bytes(), parser))
        found[suite.name] = ignored & names
    return found


def record_step(name: str, tier: Tier, command: Command, done: ExecResult, log: str = "") -> Step:
    """The record of a command that ran."""
    return Step(
        name=name,
        tier=tier,
        argv=tuple(command.argv),
        cwd=command.cwd,
        exit_code=done.exit_code,
        timed_out=done.timed_out,
        oom=done.oom,
        truncated=done.truncated,
        wall_s=done.wall_s,
        cpu_s=done.cpu_s,
        log=log,
    )


def make_suite_command(suite: Suite, limits: CommandLimits) -> Command:
    """The command that runs the suite in a session."""
    return Command(suite.command, cwd=suite.cwd, env=suite.env, limits=limits)


@dataclass(frozen=True, slots=True)
class _Round:
    """What every suite did in one session. `rewritten`: files of the repository that the tests changed."""

    runs: Mapping[str, ExecResult]
    results: Mapping[str, tuple[TestResult, ...]]
    rewritten: frozenset[str]


def measure_baseline(
    recipe: Recipe,
    source: SourceTree,
    backend: Backend,
    key: str,
    graph: BuildGraph,
    folder: Path,
    suites: Iterable[str] | None = None,
    workers: int = 1,
) -> None:
    """Run those of `suites` (None: all of the recipe's) that weren't measured before `baseline_runs` times, each time
    in a fresh session of the image `key` as a candidate gets it, and write the baseline into `folder`. `workers`: so
    many of these rounds at once. Raises SuiteError when a suite doesn't pass, SandboxError."""
    known = find_baseline(folder, recipe, ())
    measured = frozenset[str]() if known is None else known.suite_seconds.keys()
    wanted = {suite.name for suite in recipe.suites} if suites is None else set(suites)
    part = recipe.model_copy(update={"suites": tuple(s for s in recipe.suites if s.name in wanted - measured)})

    def run(number: int) -> tuple[int, _Round]:
        return number, _run_round(part, source, backend, key, graph, folder, number)

    done: dict[int, _Round] = {}
    for number, found in map_in_threads(run, range(1, recipe.baseline_runs + 1), workers):
        done[number] = found
        total = sum(len(results) for results in found.results.values())
        log.info(f"{recipe.name}: baseline {len(done)}/{recipe.baseline_runs}: {total} results")
    rounds = [done[number] for number in sorted(done)]
    seconds: dict[str, float] = {}
    cpu_s: dict[str, float] = {}
    statuses: dict[str, set[int]] = {}
    for name, ran in (item for found in rounds for item in found.runs.items()):
        seconds[name] = max(seconds.get(name, 0.0), ran.wall_s)
        if ran.cpu_s is not None:
            cpu_s[name] = max(cpu_s.get(name, 0.0), ran.cpu_s)
        if ran.exit_code:
            statuses.setdefault(name, set()).add(ran.exit_code)
    rewritten = frozenset[str]().union(*(found.rewritten for found in rounds))
    expected = make_expectations(part, [found.results for found in rounds], seconds, rewritten, statuses)
    baseline = replace(expected, suite_cpu_s=cpu_s)
    for note in baseline.notes:
        log.info(f"{recipe.name}: {note}")
    if known is not None:
        baseline = join_baselines(known, baseline)
    all_of_it = len(baseline.suite_seconds) == len(recipe.suites)
    path = baseline_path(folder, recipe) if all_of_it else partial_baseline_path(folder, recipe)
    replace_file(path, TypeAdapter(Baseline).dump_json(baseline))
    if all_of_it:
        partial_baseline_path(folder, recipe).unlink(missing_ok=True)


def _run_round(
    recipe: Recipe, source: SourceTree, backend: Backend, key: str, graph: BuildGraph, folder: Path, number: int
) -> _Round:
    runs: dict[str, ExecResult] = {}
    results: dict[str, tuple[TestResult, ...]] = {}
    with backend.session(key) as session:
        before = list_tree_state(session)
        for suite in recipe.suites:
            limits = CommandLimits(wall_s=max(BASELINE_SUITE_S, suite.timeout_min_s), memory_mb=recipe.build.memory_mb)
            done = session.run(make_suite_command(suite, limits))
            log_path = baseline_log_path(folder, suite.name, number)
            log_path.write_bytes(done.output)
            results[suite.name], problem = read_log(done.output, recipe.find_parser(suite.name))
            _require_passing(recipe, suite, done, results[suite.name], problem, log_path)
            # What it printed is in its file.
            runs[suite.name] = replace(done, output=b"")
        found = find_tampering(session, before, graph, source.root)
    return _Round(runs, results, frozenset((*found.changed, *found.added)))


def _require_passing(
    recipe: Recipe, suite: Suite, done: ExecResult, results: Sequence[TestResult], problem: str, log_path: Path
) -> None:
    failed = [r.name for r in results if r.status is TestStatus.FAILED and not recipe.is_quarantined(r.name)]
    if len(set(failed)) <= recipe.known_failures.get(suite.name, 0):
        failed = []
    excused = any(r.status is TestStatus.FAILED for r in results) and not failed
    what = ""
    if done.truncated:
        what = " printed more than is kept"
    elif failed:
        what = f": {failed[0]!r} failed ({len(failed)} in all)"
    elif not done.ok and not (excused and not done.timed_out and done.exit_code is not None and done.exit_code <= 128):
        what = f" {done.ending}"
    elif not any(r.status is TestStatus.PASSED for r in results):
        what = f" ran no test that parser {suite.parser!r} finds"
    elif problem:
        what = f": {problem} (parser {suite.parser!r}; or say ends: false)"
    if what:
        where = f"recipe {recipe.name}: suite {suite.name} on the unmodified tree"
        raise SuiteError(f"{where}{what}; its output: {log_path.parent}", suite.name, log_path)


def make_expectations(
    recipe: Recipe,
    rounds: Sequence[Mapping[str, Sequence[TestResult]]],
    seconds: Mapping[str, float],
    rewritten: Iterable[str] = (),
    statuses: Mapping[str, Iterable[int]] | None = None,
) -> Baseline:
    """The tests that passed equally often in every round. Names that are quarantined, that fail, or that differ
    between rounds are ignored from then on. `statuses`: suite -> the exit statuses other than 0 of its rounds."""
    suites: dict[str, dict[str, int]] = {}
    ignored: dict[str, frozenset[str]] = {}
    notes: list[str] = []
    for suite in recipe.suites:
        counts = [Counter(r.name for r in results[suite.name] if r.status is TestStatus.PASSED) for results in rounds]
        seen = {result.name for results in rounds for result in results[suite.name]}
        known = {r.name for results in rounds for r in results[suite.name] if r.status is TestStatus.FAILED}
        quarantined = {name for name in seen if recipe.is_quarantined(name)}
        unsteady = {name for name in seen if len({count[name] for count in counts}) > 1} - quarantined
        known -= quarantined | unsteady
        ignored[suite.name] = frozenset(quarantined | unsteady | known)
        notes += [f"{suite.name}: {name!r} {FAILS}" for name in sorted(known)]
        notes += [f"{suite.name}: {name!r} isn't the same in every round, ignored" for name in sorted(unsteady)]
        suites[suite.name] = {name: count for name, count in counts[0].items() if name not in quarantined | unsteady}
    notes += [f"{path}: changed by the tests themselves, so a change of it is ignored" for path in sorted(rewritten)]
    expected = ExpectedTests(
        suites,
        frozenset[str]().union(*ignored.values()),
        frozenset(rewritten),
        ignored,
        {name: frozenset(found) for name, found in (statuses or {}).items()},
    )
    return Baseline(expected, dict(seconds), tuple(notes))
