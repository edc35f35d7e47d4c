"""Runs each test that was found once in the warm image, and makes a suite of each that passes; of a slow test program
one of each part that its framework can select."""

from __future__ import annotations

import logging
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain

from executor.grading.logs.parser import Parser
from executor.grading.logs.results import read_results_and_problem
from executor.repository.baseline import SUITE_LIMITS, make_suite_command_reserving_cores
from executor.repository.build.graph import BuildGraph
from executor.repository.suites import Suite
from executor.sandbox.contract import Backend, Command, ExecResult, Session
from executor.sandbox.scheduled import find_concurrent_command_limit
from executor.threads import map_with_tools_as_completed
from executor.values import TestStatus
from index.progress import SILENT, Progress
from lab.making.settings import TestSettings
from lab.making.suites.exit_library import wrap_command_with_exit_library
from lab.making.suites.list_tests import FoundTest
from lab.making.suites.output_parsers import (
    PARSERS,
    choose_first_fitting_parser_or_lines,
    find_unsteady_line_patterns,
    make_steady_parser,
)

log = logging.getLogger(__name__)

_MEMORY_MB: int = Suite.model_fields["memory_mb"].default
# A program that takes longer is split where it can be.
_SLOW_S = 2.0
# Of more, each would cost its baseline and its confinement.
_MOST_PARTS = 40
_CATCH = re.compile(rb"(?m)^All tests passed \(\d+ assertions? in \d+ test cases?\)")
_DOCTEST = re.compile(rb"(?m)^\[doctest\] test cases: ")
_CHECK = re.compile(rb"(?m)^\d+%: Checks: \d+, Failures: \d+, Errors: \d+$")
_BOOST = re.compile(rb"(?m)^\*\*\* No errors detected")
# More lines of output than these aren't tests any more, and each would be remembered.
_MOST_RESULTS = 4000
_MOST_PRINTED_CHARS = 2000
_RERUN_BELOW_S = 10.0
# A mutant that hangs takes this long, twice. On a tree with many of them twenty seconds made up most of the time.
_LEAST_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class TriedTest:
    """A test after its trial. `suite` is None when it can't judge; `why` says why, `printed` is the end of its
    output. `output`: all of it where its lines are the results. `parser`: that of the suite's own, if it has one."""

    test: FoundTest
    suite: Suite | None
    seconds: float
    why: str = ""
    printed: str = ""
    output: bytes = b""
    parser: Parser | None = None


@dataclass(frozen=True, slots=True)
class SelectedCases:
    """A part of a test program: the further words of its command, and variables, that select it."""

    name: str
    words: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


def list_programs(graph: BuildGraph) -> tuple[str, ...]:
    """The programs that the build linked, in order of their names."""
    made = {o for step in graph.steps if step.kind == "link" for o in step.outputs}
    return tuple(sorted(path for path in made if not _is_library_or_object_path(path)))


def list_libraries(graph: BuildGraph) -> tuple[str, ...]:
    """The libraries that the build made, in order of their names. A target of a Makefile runs what isn't up to date
    again, in the midst of the tests, so a candidate has to bring these up to date as well."""
    made = {o for step in graph.steps if step.kind in ("link", "archive") for o in step.outputs}
    return tuple(
        sorted(path for path in made if _is_library_or_object_path(path) and not path.endswith((".o", ".lo")))
    )


def list_libraries_linked_by_nothing(graph: BuildGraph) -> tuple[str, ...]:
    """The libraries that nothing is linked with, in order of their names: programs load them, or none does."""
    read = {path for step in graph.steps for path in step.inputs}
    made = {o for step in graph.steps if step.kind == "link" for o in step.outputs}
    return tuple(sorted(path for path in made - read if ".so" in posixpath.basename(path)))


def _is_library_or_object_path(path: str) -> bool:
    name = posixpath.basename(path)
    return ".so" in name or name.endswith((".a", ".o", ".lo", ".la", ".dylib"))


def try_tests(
    tests: Sequence[FoundTest],
    graph: BuildGraph,
    backend: Backend,
    image_key: str,
    settings: TestSettings,
    progress: Progress = SILENT,
) -> list[TriedTest]:
    """Each test once, in the order given, in as many sessions of the image `image_key` at once as the sandbox bears,
    as a candidate's suites run; the quick ones once more in reverse order, and those whose lines are the results a
    third time. Raises SandboxError."""
    known = set(list_programs(graph))
    workers = min(len(tests), find_concurrent_command_limit(backend)) or 1
    tried: list[list[TriedTest]] = [[] for _ in tests]
    with ExitStack() as stack, progress.open_count("tests tried", len(tests)) as advance:
        sessions = [stack.enter_context(backend.session(image_key)) for _ in range(workers)]

        def try_test_and_return_number(session: Session, number: int) -> int:
            tried[number] = _try_test_and_split_if_slow(session, tests[number], known, settings)
            return number

        for number in map_with_tools_as_completed(try_test_and_return_number, range(len(tests)), sessions):
            advance(note=tests[number].name)
    steady = _drop_dependent_suites_and_ignore_unsteady_lines(list(chain.from_iterable(tried)), backend, image_key)
    return _add_needed_module_goals(steady, graph, backend, image_key)


def _try_test_and_split_if_slow(
    session: Session, test: FoundTest, known: set[str], settings: TestSettings
) -> list[TriedTest]:
    """The test, or its parts where it is slow and has some; not those of a quick one, as a suite costs something."""
    goals = _find_programs_named_by_test(test, known)
    # Those of a candidate's suites: a test that needs more would fail every candidate.
    limits = replace(SUITE_LIMITS, wall_s=settings.timeout_s, memory_mb=_MEMORY_MB)

    def run_test(each: FoundTest) -> ExecResult:
        return session.run(Command(_wrap_test_with_exit_library(each), cwd=each.cwd, env=each.env, limits=limits))

    def read_output_with_word_or_empty(word: str) -> str:
        answer = session.run(Command((*test.argv, word), cwd=test.cwd, env=test.env, limits=limits))
        return answer.text if answer.ok else ""

    done = run_test(test)
    if done.ok and (further := choose_framework_environment(done.output)):
        settled = replace(test, env={**test.env, **further})
        again = run_test(settled)
        test, done = (settled, again) if again.ok else (test, done)
    whole = _make_suite_or_rejection(test, goals, done)
    if whole.suite is None or test.parser or not goals or done.wall_s < _SLOW_S:
        return [whole]
    parts: list[TriedTest] = []
    for chosen in split_program_into_cases(done.output, read_output_with_word_or_empty):
        part = replace(
            test,
            name=f"{test.name}-{re.sub(r'[^A-Za-z0-9._+-]+', '-', chosen.name)}"[:100],
            argv=(*test.argv, *chosen.words),
            env={**test.env, **chosen.env},
        )
        parts.append(_make_suite_or_rejection(part, goals, run_test(part)))
    names = {part.test.name for part in parts}
    can_all_judge = all(part.suite for part in parts) and len(names) == len(parts)
    return parts if parts and can_all_judge else [whole]


def choose_framework_environment(output: bytes) -> Mapping[str, str]:
    """The variables that the framework which printed this should be given. `check` runs each test in a process of its
    own and takes one that exits with 0 for a pass, wherever it did so; without fork the whole program would end."""
    return {"CK_FORK": "no", "CK_VERBOSITY": "verbose"} if _CHECK.search(output) else {}


def split_program_into_cases(output: bytes, run_with_word: Callable[[str], str]) -> tuple[SelectedCases, ...]:
    """The parts of a program by what it printed. `run_with_word` starts it with one more word and returns what it
    prints, "" when it fails. Empty for one part, for too many, and where the framework isn't known."""
    found: list[SelectedCases] = []
    results, problem = read_results_and_problem(output, PARSERS["gtest"])
    if results and not problem:
        suites = dict.fromkeys(result.name.rpartition(".")[0] for result in results)
        found = [SelectedCases(name, (f"--gtest_filter={name}.*",)) for name in suites if name]
    elif _DOCTEST.search(output):
        names = [line for line in run_with_word("--list-test-cases").splitlines() if line.strip()]
        found = [
            SelectedCases(n, ("--test-case=" + n.replace(",", "\\,"),))
            for n in names
            if not n.startswith(("[doctest]", "==="))
        ]
    elif _CATCH.search(output):
        names = run_with_word("--list-test-names-only").splitlines()
        found = [SelectedCases(n.strip(), (re.sub(r'([\\,\[\]*"])', r"\\\1", n.strip()),)) for n in names if n.strip()]
    elif _BOOST.search(output):
        names = re.findall(r"(?m)^(\w+)\*?$", run_with_word("--list_content"))
        found = [SelectedCases(name, (f"--run_test={name}",)) for name in names]
    elif _CHECK.search(output):
        cases = re.findall(rb"(?m)^[^:\n]+:\d+:P:([^:\n]+):\w+:\d+: ", output)
        names = list(dict.fromkeys(case.decode("utf-8", "replace") for case in cases))
        found = [SelectedCases(name, env={"CK_RUN_CASE": name}) for name in names]
    return tuple(found) if 1 < len(found) <= _MOST_PARTS else ()


def _drop_dependent_suites_and_ignore_unsteady_lines(
    tried: Sequence[TriedTest], backend: Backend, image_key: str
) -> list[TriedTest]:
    """The suites of the quick tests only where they pass alone, and with a parser of its own for each that prints
    other numbers in another run. The slow ones have only the baseline's rounds, which tell a line that changes but
    not its like."""
    quick = {t.test.name: t.suite for t in tried if t.suite is not None and t.seconds < _RERUN_BELOW_S}
    outputs = {t.test.name: [t.output] for t in tried if t.test.name in quick and t.output}

    def run_suite_again(session: Session, name: str, suite: Suite) -> bool:
        done = session.run(make_suite_command_reserving_cores(suite, SUITE_LIMITS))
        if done.ok and name in outputs:
            outputs[name].append(done.output)
        return done.ok

    # A candidate is judged by those tests alone that enter it. In reverse order no test finds what one before it left.
    with backend.session(image_key) as session:
        failed = [name for name, suite in reversed(quick.items()) if not run_suite_again(session, name, suite)]
    needy: set[str] = set()
    for name in failed:
        with backend.session(image_key) as session:
            needy |= set() if run_suite_again(session, name, quick[name]) else {name}
    if outputs:
        with backend.session(image_key) as session:
            for name in outputs.keys() - needy:
                run_suite_again(session, name, quick[name])
    # A program that is run with other words prints lines of the same kinds.
    unsteady: dict[Sequence[str], set[str]] = {}
    for test in tried:
        found = find_unsteady_line_patterns(outputs.get(test.test.name, [b""]))
        unsteady.setdefault(_find_tree_program_or_all_words(test.test), set()).update(found)
    steadied: list[TriedTest] = []
    for test in tried:
        parser = make_steady_parser(
            unsteady[_find_tree_program_or_all_words(test.test)] if test.test.name in outputs else ()
        )
        if test.test.name in needy:
            test = replace(test, suite=None, why="fails alone: it needs what a test before it left behind")
        elif test.suite is not None and parser != PARSERS["lines"]:
            suite = test.suite.model_copy(update={"parser": f"lines-{test.suite.name}"})
            test = replace(test, suite=suite, parser=parser)
        steadied.append(replace(test, output=b""))
    return steadied


def _find_tree_program_or_all_words(test: FoundTest) -> tuple[str, ...]:
    """The test's program where it is one of the tree; else all its words: an interpreter may run anything."""
    return test.argv[:1] if "/" in test.argv[0] and not test.argv[0].startswith("/") else test.argv


def _add_needed_module_goals(
    tried: Sequence[TriedTest], graph: BuildGraph, backend: Backend, image_key: str
) -> list[TriedTest]:
    """The tests, where the goals of each that fails without the tree's modules name these too. A candidate's build
    makes the goals alone, and what else is made from the changed file goes."""
    modules = list_libraries_linked_by_nothing(graph)
    if not modules:
        return list(tried)
    found: list[TriedTest] = []
    with backend.session(image_key) as session:
        session.run(Command(("rm", "-f", "--", *modules)))
        for test in tried:
            suite = test.suite
            if suite is not None and not session.run(make_suite_command_reserving_cores(suite, SUITE_LIMITS)).ok:
                goals = (*(suite.goals or list_programs(graph)), *modules)
                test = replace(test, suite=suite.model_copy(update={"goals": goals}))
            found.append(test)
    return found


def _find_programs_named_by_test(test: FoundTest, known: set[str]) -> tuple[str, ...]:
    """The programs that the test names; none where it doesn't show which it starts, so that all are built."""
    named = [posixpath.normpath(posixpath.join(test.cwd, word)) for word in test.argv]
    if test.driver or not named or named[0] not in known:
        return ()
    return tuple(dict.fromkeys(place for place in named if place in known))


def _wrap_test_with_exit_library(test: FoundTest) -> tuple[str, ...]:
    if test.parser:
        return test.argv
    return wrap_command_with_exit_library(test.cwd, test.argv, test.shell)


def _make_suite_or_rejection(test: FoundTest, build_goals: tuple[str, ...], done: ExecResult) -> TriedTest:
    def make_rejected_test(why: str) -> TriedTest:
        return TriedTest(test, None, done.wall_s, why, done.text.strip()[-_MOST_PRINTED_CHARS:])

    if done.timed_out:
        return make_rejected_test(f"takes more than {done.wall_s:.0f} s (tests.timeout_s)")
    if not done.ok:
        last = [line for line in done.text.strip().splitlines() if line.strip()][-1:] or [""]
        return make_rejected_test(f"{done.ending} on the unmodified tree: {last[0].strip()[:120]}")
    if done.truncated:
        return make_rejected_test("prints more than is kept")
    parser = test.parser or choose_first_fitting_parser_or_lines(done.output)
    results, problem = read_results_and_problem(done.output, PARSERS[parser])
    passed = [result for result in results if result.status is TestStatus.PASSED]
    if problem or not passed:
        return make_rejected_test(problem or "prints nothing, so that nothing tells its end")
    if len(passed) > _MOST_RESULTS:
        return make_rejected_test(f"prints {len(passed)} lines")
    suite = Suite(
        name=test.name,
        argv=_wrap_test_with_exit_library(test),
        parser=parser,
        cwd=test.cwd,
        env=dict(test.env),
        goals=build_goals,
        timeout_min_s=_LEAST_TIMEOUT_S,
    )
    return TriedTest(test, suite, done.wall_s, output=done.output if parser == "lines" else b"")


def choose_quickest_suites_across_folders(tried: Sequence[TriedTest], most: int) -> list[Suite]:
    """The suites of the tests that passed, in the order found; of more than `most` the quickest of each folder and, in
    it, of each fixture (what a name has before its first dot, as in GoogleTest), as many of each as there are. The
    quickest of all would be the hundred that only include a header, or those of one small class."""
    good = [test for test in tried if test.suite is not None]
    quickest = sorted(good, key=lambda test: test.seconds)
    of_fixtures = _interleave_tests_by_group(quickest, lambda test: (test.test.cwd, test.test.name.partition(".")[0]))
    of_folders = _interleave_tests_by_group(of_fixtures, lambda test: test.test.cwd)
    names = {test.test.name for test in of_folders[:most]}
    return [test.suite for test in good if test.suite is not None and test.test.name in names]


def _interleave_tests_by_group(tests: Sequence[TriedTest], group: Callable[[TriedTest], Hashable]) -> list[TriedTest]:
    """The first of each group, then the second of each, and so on; else in the order given."""
    seen: Counter[Hashable] = Counter()
    turns: list[int] = []
    for test in tests:
        turns.append(seen[group(test)])
        seen[group(test)] += 1
    return [tests[place] for place in sorted(range(len(tests)), key=turns.__getitem__)]
