"""Measures the baseline: each suite runs on the unmodified tree several times, beside the others where the sandbox's
scheduler has room. What the first round says of a suite can be used while the others still run."""

from __future__ import annotations

import logging
import math
import threading
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import hold_file_lock, replace_file
from executor.grading.logs.results import read_results, read_results_and_problem
from executor.repository.baseline import (
    NOTHING_MEASURED,
    SUITE_LIMITS,
    Baseline,
    SuiteError,
    baseline_log_path,
    baseline_path,
    baseline_path_for_some_suites,
    estimate_load,
    find_baseline_covering_suites,
    join_baselines,
    make_suite_command_reserving_cores,
    rounds_path,
)
from executor.repository.build.graph import BuildGraph
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree
from executor.repository.suites import Suite
from executor.repository.tamper import find_tampering, list_tree_state
from executor.sandbox.contract import Backend, ExecResult, Session
from executor.sandbox.scheduled import find_concurrent_command_limit
from executor.threads import map_in_threads_as_completed
from executor.values import ExpectedTests, TestResult, TestStatus

log = logging.getLogger(__name__)

# The first run has no measured time to go by. A suite that takes longer is no use for judging candidates.
BASELINE_SUITE_S = 1200.0
# A suite that ended in another round hangs once it takes ten times as long, and this long at least.
HANGING_S, _HANGING_FACTOR = 60.0, 10.0
# What a note says of a test that the recipe's `known_failures` excuses.
FAILS = "fails on the unmodified tree, ignored"
# Suites share a session until they took so many seconds. Then its tree is looked at for what they changed.
_SESSION_S = 5.0


@dataclass(frozen=True, slots=True)
class MeasuredTree:
    """Where suites are measured: the built tree `key` of the source, and the folder of what the host knows of it."""

    recipe: Recipe
    source: SourceTree
    backend: Backend
    key: str
    graph: BuildGraph
    folder: Path


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """What a suite took in one round, how it ended, and how many results it printed, which are in its log. `alone`: it
    failed beside other work and passed alone."""

    exit_code: int | None
    wall_s: float
    cpu_s: float | None
    results: int
    alone: bool = False


@dataclass(frozen=True, slots=True)
class MeasuredRound:
    """What suites did, each in a session that others may have shared before it. `rewritten`: files of the repository
    that they changed."""

    runs: Mapping[str, MeasuredRun] = field(default_factory=dict)
    rewritten: frozenset[str] = frozenset()


_ROUNDS = TypeAdapter(dict[int, MeasuredRound])


class BaselineMeasurement:
    """Runs those of `suites` (None: all of the recipe's) that weren't measured before, each `baseline_runs` times, as
    many at once as the sandbox bears: the first ones in the order given, then the longest first. What has ended is
    kept, and a further measurement goes on there. Thread-safe."""

    def __init__(self, tree: MeasuredTree, suites: Iterable[str] | None = None) -> None:
        self._tree, self._workers = tree, find_concurrent_command_limit(tree.backend)
        self._wanted = list(dict.fromkeys([s.name for s in tree.recipe.suites] if suites is None else suites))
        self._changed = threading.Condition()
        self._known = NOTHING_MEASURED
        self._rounds: dict[int, MeasuredRound] = {}
        # What each suite did last: a round has it only once the session has ended.
        self._last_runs: dict[str, MeasuredRun] = {}
        self._queues: dict[int, deque[str]] = {}
        # Others' commands go before the rest.
        self._urgent: list[str] = []
        self._hints = NOTHING_MEASURED
        self._ended: BaseException | bool = False
        self._stopped = False

    def run(self) -> None:
        """Measure, and write the baseline into the image's folder. Raises SuiteError when a suite doesn't pass,
        SandboxError."""
        folder, recipe = self._tree.folder, self._tree.recipe
        with hold_file_lock(folder.with_suffix(".lock"), self._tree.key):
            with self._changed:
                self._known = find_baseline_covering_suites(folder, recipe, ()) or NOTHING_MEASURED
                self._wanted = [name for name in self._wanted if name not in self._known.suite_seconds]
                self._rounds = {number: MeasuredRound() for number in range(1, recipe.baseline_runs + 1)}
                self._rounds |= _read_rounds_with_their_logs(self._rounds_path)
                # The first ones in the order given: verdicts wait for them. Then the longest first, by what an earlier
                # image of the repository knows.
                self._hints = find_newest_repository_baseline_or_empty(self._tree)
                self._urgent, rest = self._wanted[: self._workers], self._wanted[self._workers :]
                rest.sort(key=lambda name: -self._hints.suite_seconds.get(name, 0.0))
                order = [*self._urgent, *rest]
                for number, done in self._rounds.items():
                    self._queues[number] = deque(name for name in order if name not in done.runs)
                self._changed.notify_all()
            if not self._wanted:
                return
            try:
                for _ in map_in_threads_as_completed(
                    self._run_session, self._yield_round_for_each_session(), self._workers
                ):
                    pass
            except BaseException:
                self._stopped = True
                raise
            if not self._stopped:
                self._write_baseline()

    def start(self) -> None:
        """`run` in a thread of its own; `wait_for` and `finish_measuring` raise what it raises."""

        def run_to_end() -> None:
            ended: BaseException | bool = True
            try:
                self.run()
            except BaseException as error:
                ended = error
            with self._changed:
                self._ended = ended
                self._changed.notify_all()

        threading.Thread(target=run_to_end, daemon=True).start()

    def begin_no_further_suite(self) -> None:
        """Begin no further suite. What has ended is kept."""
        self._stopped = True

    def wait_until_suites_passed(self, suites: Iterable[str]) -> Baseline:
        """What is known once each of these suites has ended its first round: of that round alone where the others
        still run."""
        names = set(suites)
        with self._changed:
            self._wait_until_enough_or_ended(
                lambda: names <= {*self._known.suite_seconds, *self._rounds.get(1, MeasuredRound()).runs}
            )
            return self._make_baseline((1,))

    def finish_measuring(self) -> Baseline:
        """What all rounds say, once they have ended."""
        with self._changed:
            self._wait_until_enough_or_ended(lambda: False)
            return self._make_baseline(sorted(self._rounds))

    def _wait_until_enough_or_ended(self, is_enough: Callable[[], bool]) -> None:
        """Wait for that, or for the end. Raises what the measurement raised."""
        self._changed.wait_for(lambda: self._ended is not False or is_enough())
        if isinstance(self._ended, BaseException):
            raise self._ended

    @property
    def _rounds_path(self) -> Path:
        return rounds_path(self._tree.folder, self._tree.recipe)

    def _yield_round_for_each_session(self) -> Iterator[int]:
        """The number of the round, for each session that may still be needed."""
        for number, queue in sorted(self._queues.items()):
            while queue and not self._stopped:
                yield number

    def _run_session(self, round_number: int) -> None:
        """Run suites of the round in a session, and keep what they did."""
        tree = self._tree
        runs: dict[str, MeasuredRun] = {}
        failed: list[tuple[Suite, SuiteError]] = []
        with tree.backend.session(tree.key) as session:
            before, spent = list_tree_state(session), 0.0
            while spent < _SESSION_S and not failed and (suite := self._take_next_suite(round_number)) is not None:
                try:
                    runs[suite.name] = self._run_suite(session, suite, round_number)
                    spent += runs[suite.name].wall_s
                except SuiteError as error:
                    failed.append((suite, error))
            self._merge_and_save_runs(round_number, MeasuredRound(runs, self._find_rewritten_files(session, before)))
        for suite, first in failed:
            self._merge_and_save_runs(round_number, self._rerun_suite_alone(suite, round_number, first))

    def _merge_and_save_runs(self, round_number: int, new_runs: MeasuredRound) -> None:
        tree, wanted = self._tree, len(self._wanted)
        with self._changed:
            known = self._rounds[round_number]
            now = MeasuredRound({**known.runs, **new_runs.runs}, known.rewritten | new_runs.rewritten)
            self._rounds[round_number] = now
            replace_file(self._rounds_path, _ROUNDS.dump_json(self._rounds))
            self._changed.notify_all()
        if len(now.runs) == wanted > len(known.runs):
            total = sum(run.results for run in now.runs.values())
            log.info(f"{tree.recipe.name}: baseline {round_number}/{tree.recipe.baseline_runs}: {total} results")

    def _take_next_suite(self, round_number: int) -> Suite | None:
        """The round's next suite; None where none is left."""
        with self._changed:
            queue = self._queues[round_number]
            return None if self._stopped or not queue else self._tree.recipe.find_suite(queue.popleft())

    def _rerun_suite_alone(self, suite: Suite, round_number: int, error_if_already_alone: SuiteError) -> MeasuredRound:
        """Once more, with nothing beside it. Raises what it raised first where nothing was."""
        if self._workers == 1:
            raise error_if_already_alone
        tree = self._tree
        log.info(f"{tree.recipe.name}: {suite.name} failed beside other work; once more, alone")
        with tree.backend.session(tree.key) as session:
            before = list_tree_state(session)
            run = replace(self._run_suite(session, suite, round_number, alone=True), alone=True)
            return MeasuredRound({suite.name: run}, self._find_rewritten_files(session, before))

    def _find_rewritten_files(self, session: Session, before: Mapping[str, str]) -> frozenset[str]:
        found = find_tampering(session, before, self._tree.graph, self._tree.source.root)
        return frozenset((*found.changed, *found.added))

    def _run_suite(self, session: Session, suite: Suite, round_number: int, *, alone: bool = False) -> MeasuredRun:
        """Raises SuiteError when it doesn't pass."""
        tree, recipe = self._tree, self._tree.recipe
        earlier = self._list_earlier_runs(suite)
        alone = alone or any(run.alone for run in earlier)
        limits = replace(SUITE_LIMITS, wall_s=self._choose_wall_limit_s(suite), memory_mb=suite.memory_mb)
        later = round_number > 1 or suite.name not in self._urgent
        seconds, cpu_s = dict(self._hints.suite_seconds), dict(self._hints.suite_cpu_s)
        for run in earlier:
            seconds[suite.name] = run.wall_s
            if run.cpu_s is not None:
                cpu_s[suite.name] = run.cpu_s
        parser = recipe.find_parser(suite.name)
        # A line may say that the machine is busy. Rounds beside other work would all print it, and it would be wanted.
        quiet = round_number == recipe.baseline_runs > 1 and parser.has_neither_tap_nor_failed_pattern
        load = estimate_load(suite.name, seconds, cpu_s, alone or quiet)
        done = session.run(make_suite_command_reserving_cores(suite, limits, load, later=later))
        log_path = baseline_log_path(tree.folder, suite.name, round_number)
        log_path.write_bytes(done.output)
        results, problem = read_results_and_problem(done.output, parser)
        _require_suite_passed(recipe, suite, done, results, problem, log_path)
        self._last_runs[suite.name] = MeasuredRun(done.exit_code, done.wall_s, done.cpu_s, len(results), alone)
        return self._last_runs[suite.name]

    def _list_earlier_runs(self, suite: Suite) -> list[MeasuredRun]:
        rounds = [done.runs for done in self._rounds.values()]
        return [runs[suite.name] for runs in (*rounds, self._last_runs) if suite.name in runs]

    def _choose_wall_limit_s(self, suite: Suite) -> float:
        known = [run.wall_s for run in self._list_earlier_runs(suite)]
        hanging_s = max(HANGING_S, _HANGING_FACTOR * max(known, default=math.inf))
        return max(min(hanging_s, BASELINE_SUITE_S), suite.timeout_min_s)

    def _make_baseline(self, round_numbers: Sequence[int]) -> Baseline:
        """What these rounds say, of the suites that all of them have, beside what was known before."""
        recipe, rounds = (
            self._tree.recipe,
            [self._rounds[number] for number in round_numbers if number in self._rounds],
        )
        names = [name for name in self._wanted if rounds and all(name in done.runs for done in rounds)]
        runs = {name: [done.runs[name] for done in rounds] for name in names}
        measured = make_baseline_of_rounds(
            recipe.model_copy(update={"suites": tuple(s for s in recipe.suites if s.name in names)}),
            [{name: self._read_results(name, number) for name in names} for number in round_numbers],
            {name: max(run.wall_s for run in found) for name, found in runs.items()},
            frozenset[str]().union(*(done.rewritten for done in rounds)),
            {name: [run.exit_code for run in found if run.exit_code] for name, found in runs.items()},
        )
        cpu_s = {name: [run.cpu_s for run in found if run.cpu_s is not None] for name, found in runs.items()}
        baseline = replace(
            measured,
            suite_cpu_s={name: max(found) for name, found in cpu_s.items() if found},
            alone=frozenset(name for name, found in runs.items() if any(run.alone for run in found)),
        )
        return join_baselines(self._known, baseline)

    def _read_results(self, suite: str, round_number: int) -> Sequence[TestResult]:
        return read_results(
            baseline_log_path(self._tree.folder, suite, round_number).read_bytes(),
            self._tree.recipe.find_parser(suite),
        )

    def _write_baseline(self) -> None:
        recipe, folder = self._tree.recipe, self._tree.folder
        baseline = self._make_baseline(sorted(self._rounds))
        for note in baseline.notes:
            log.info(f"{recipe.name}: {note}")
        all_of_it = len(baseline.suite_seconds) == len(recipe.suites)
        path = baseline_path(folder, recipe) if all_of_it else baseline_path_for_some_suites(folder, recipe)
        replace_file(path, TypeAdapter(Baseline).dump_json(baseline))
        if all_of_it:
            baseline_path_for_some_suites(folder, recipe).unlink(missing_ok=True)
        self._rounds_path.unlink(missing_ok=True)


def _read_rounds_with_their_logs(path: Path) -> dict[int, MeasuredRound]:
    """What an earlier measurement that was stopped left. Nothing where the file is missing or damaged, and no run
    whose log is gone or was written since: another recipe's suite of that name has the same."""
    try:
        rounds, written_ns = _ROUNDS.validate_json(path.read_bytes()), path.stat().st_mtime_ns
    except (OSError, ValidationError):
        return {}

    def has_log_from_before_rounds_file(suite: str, round_number: int) -> bool:
        log_path = baseline_log_path(path.parent, suite, round_number)
        return log_path.is_file() and log_path.stat().st_mtime_ns <= written_ns

    return {
        number: replace(
            done, runs={name: run for name, run in done.runs.items() if has_log_from_before_rounds_file(name, number)}
        )
        for number, done in rounds.items()
    }


def find_newest_repository_baseline_or_empty(tree: MeasuredTree) -> Baseline:
    """The newest baseline of another image of the repository, for what its suites took. An empty one without any."""
    paths = tree.folder.parent.glob(f"{tree.recipe.name}-*/expected-*.json")
    for path in sorted(paths, key=lambda path: -path.stat().st_mtime):
        with suppress(OSError, ValidationError):
            return TypeAdapter(Baseline).validate_json(path.read_bytes())
    return NOTHING_MEASURED


def _require_suite_passed(
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
    # As for an answer: lack of memory is excused by no known failure, whatever the status.
    elif done.oom or (
        not done.ok and not (excused and not done.timed_out and done.exit_code is not None and done.exit_code <= 128)
    ):
        what = f" {done.ending}"
    elif not any(r.status is TestStatus.PASSED for r in results):
        what = f" ran no test that parser {suite.parser!r} finds"
    elif problem:
        what = f": {problem} (parser {suite.parser!r}; or say ends: false)"
    if what:
        where = f"recipe {recipe.name}: suite {suite.name} on the unmodified tree"
        raise SuiteError(f"{where}{what}; its output: {log_path.parent}", suite.name, log_path)


def make_baseline_of_rounds(
    recipe: Recipe,
    rounds: Sequence[Mapping[str, Sequence[TestResult]]],
    seconds: Mapping[str, float],
    rewritten: Iterable[str] = (),
    statuses: Mapping[str, Collection[int]] | None = None,
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
        {name: frozenset(found) for name, found in (statuses or {}).items() if found},
    )
    return Baseline(expected, dict(seconds), tuple(notes))
