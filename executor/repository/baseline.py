"""The baseline: the tests that pass on the unmodified tree and what its suites take, as it is kept beside the warm
image."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import short_digest
from executor.grading.logs.results import read_results
from executor.repository.recipe import Recipe
from executor.repository.suites import Suite
from executor.sandbox.contract import Command, CommandLimits, ExecResult
from executor.values import ExpectedTests, Step, Tier
from index.errors import RecipeError, SandboxError

# Raised when the files beside an image, or the way in which images are made, change their meaning.
IMAGE_FORMAT = 1
# Raised when a baseline holds more than before: it is then measured again in the same image.
BASELINE_FORMAT = 3


class SuiteError(RecipeError):
    """The suite `suite` doesn't pass on the unmodified tree. `log` holds what it printed."""

    def __init__(self, message: str, suite: str, log: Path) -> None:
        super().__init__(message)
        self.suite, self.log = suite, log


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the suites did on the unmodified tree. `notes` name the tests that were left out, with the reason.
    `suite_cpu_s`: CPU seconds of each suite, the most of any round; empty where the sandbox doesn't measure them.
    `alone`: the suites that failed beside other work and passed alone."""

    expected: ExpectedTests
    suite_seconds: Mapping[str, float]
    notes: tuple[str, ...] = ()
    suite_cpu_s: Mapping[str, float] = field(default_factory=dict)
    alone: frozenset[str] = frozenset()


# Of a suite that nobody measured half a core is expected: many wait most of their time, and one that computes shows
# itself in the load that the scheduler measures.
_UNMEASURED_CORES = 0.5
# What bounds a suite beside its time and memory: on the unmodified tree the same as with an answer in it, which would
# otherwise fail where the tree passes.
SUITE_LIMITS = CommandLimits(disk_mb=1024, output_bytes=8 * 1024 * 1024)
NOTHING_MEASURED = Baseline(ExpectedTests({}), {})


def baseline_key(recipe: Recipe) -> str:
    """The name of the expectations: a changed suite is measured again in the same image."""
    kept = recipe.dump_keys_deciding_results("baseline_runs")
    if recipe.known_failures:
        kept["known_failures"] = dict(recipe.known_failures)
    return short_digest({"format": [IMAGE_FORMAT, BASELINE_FORMAT], **kept})


def baseline_path(folder: Path, recipe: Recipe) -> Path:
    """Where the baseline lies in the image's folder on the host."""
    return folder / f"expected-{baseline_key(recipe)}.json"


def baseline_log_path(folder: Path, suite: str, round_number: int = 1) -> Path:
    """What the suite printed in the baseline's round `round_number`."""
    return folder / f"baseline-{round_number}-{suite}.log"


def baseline_path_for_some_suites(folder: Path, recipe: Recipe) -> Path:
    """Where the baseline lies while only some of the suites were measured."""
    return folder / f"expected-{baseline_key(recipe)}.part.json"


def rounds_path(folder: Path, recipe: Recipe) -> Path:
    """Where the rounds lie that have ended, until all have."""
    return folder / f"rounds-{baseline_key(recipe)}.json"


def find_baseline_covering_suites(folder: Path, recipe: Recipe, suites: Iterable[str] | None) -> Baseline | None:
    """The baseline in the image's folder, of all suites that were measured so far; None unless `suites` (None: all of
    the recipe's) are among them. Raises SandboxError when it is damaged."""
    wanted = {suite.name for suite in recipe.suites} if suites is None else set(suites)
    for path in (baseline_path(folder, recipe), baseline_path_for_some_suites(folder, recipe)):
        if path.is_file():
            baseline = read_baseline_filling_ignored_tests(path, recipe)
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
        first.alone | second.alone,
    )


def read_baseline_filling_ignored_tests(path: Path, recipe: Recipe) -> Baseline:
    """Raises SandboxError when the file is missing or damaged."""
    try:
        baseline = TypeAdapter(Baseline).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise SandboxError(f"{path}: damaged; delete its folder and build the image again") from error
    expected = baseline.expected
    if expected.ignored and not expected.ignored_in:
        # Written before each suite's own ignored names were kept: its logs still have them.
        expected = replace(expected, ignored_in=_find_ignored_tests_in_logs(path.parent, recipe, expected.ignored))
    return replace(baseline, expected=expected)


def add_plus_expectations(expected: ExpectedTests, recipe: Recipe) -> ExpectedTests:
    """The expectations with those of the plus tests. They aren't measured but written: each test passes once."""
    more = {suite.name: dict.fromkeys(suite.tests, 1) for suite in recipe.plus_suites}
    return replace(expected, suites={**expected.suites, **more})


def _find_ignored_tests_in_logs(folder: Path, recipe: Recipe, ignored: frozenset[str]) -> dict[str, frozenset[str]]:
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


def make_step_record(name: str, tier: Tier, command: Command, done: ExecResult, log: str = "") -> Step:
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


@dataclass(frozen=True, slots=True)
class SuiteLoad:
    """What a suite takes of a machine: the cores that it keeps busy (None: not known), and whether it failed beside
    other work and passed alone."""

    cores: float | None = None
    alone: bool = False


def estimate_load(suite: str, seconds: Mapping[str, float], cpu_s: Mapping[str, float], alone: bool) -> SuiteLoad:
    """The load of a suite that took so many wall and CPU seconds. One that ends at once keeps one core busy at
    most."""
    wall, cpu = seconds.get(suite, 0.0), cpu_s.get(suite)
    if cpu is None:
        return SuiteLoad(None, alone)
    return SuiteLoad(cpu / wall if wall >= 1 else min(1.0, cpu / max(wall, 0.1)), alone)


def make_suite_command_reserving_cores(
    suite: Suite, limits: CommandLimits, load: SuiteLoad = SuiteLoad(), *, later: bool = False
) -> Command:
    """The command that runs the suite in a session. `later`: nobody waits for it."""
    own = (suite.argv_with_suite_name, suite.cwd, suite.env)
    cores = _UNMEASURED_CORES if load.cores is None else load.cores
    return Command(*own, limits=limits, cores=cores, alone=load.alone, later=later)
