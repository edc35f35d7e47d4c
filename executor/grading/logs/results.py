"""Reads the results of single tests from the raw logs of suites. Old logs can be read again at any time."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from executor.grading.logs.lines import LogError, find_match_start_and_name_of_each_line
from executor.grading.logs.parser import Parser
from executor.grading.logs.tap import read_tap_results_and_problem
from executor.values import Step, SuiteRun, TestResult, TestRun, TestStatus
from index.errors import InfraError

# ECMA-48 control sequences: test runners print colours even into a log.
_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")


def read_results(output: bytes, parser: Parser) -> tuple[TestResult, ...]:
    """Every test that the output names, in the order printed; none when it can't be read."""
    return read_results_and_problem(output, parser)[0]


def make_suite_run_from_output(suite: str, step: Step, output: bytes, parser: Parser) -> SuiteRun:
    """The suite's run from its output. A status is excusable only when the suite reached an end that its parser
    knows."""
    results, problem = read_results_and_problem(output, parser)
    known = parser.ends and (parser.tap or parser.end is not None)
    return SuiteRun(suite, step, results, problem, parser.failed_status if known and not problem else None)


def read_results_and_problem(output: bytes, parser: Parser) -> tuple[tuple[TestResult, ...], str]:
    """Every test that the output names, in the order printed, and why these results don't stand, or ""."""
    text = _ANSI.sub("", output.decode("utf-8", "replace")).replace("\r\n", "\n")
    try:
        if parser.tap:
            results, problem = read_tap_results_and_problem(text)
            return results, problem if parser.ends else ""
        return _read_results_by_patterns(text.encode(), parser)
    except LogError as error:
        return (), str(error)


def _read_results_by_patterns(log: bytes, parser: Parser) -> tuple[tuple[TestResult, ...], str]:
    found: list[tuple[int, TestResult]] = []
    for status, pattern in (
        (TestStatus.PASSED, parser.passed),
        (TestStatus.FAILED, parser.failed),
        (TestStatus.SKIPPED, parser.skipped),
    ):
        if pattern is not None:
            found += [
                (start, TestResult(name, status))
                for start, name in find_match_start_and_name_of_each_line(pattern, log)
            ]
    found.sort(key=lambda pair: pair[0])
    return tuple(result for _, result in found), _why_results_lie_outside(log, parser, [start for start, _ in found])


def _why_results_lie_outside(log: bytes, parser: Parser, result_starts: list[int]) -> str:
    """Why the results, which start at these places, don't stand between the suite's own start and end, or ""."""
    if not parser.ends:
        return ""
    for what, pattern in (("start", parser.start), ("end", parser.end)):
        if pattern is None:
            continue
        places = [start for start, _ in find_match_start_and_name_of_each_line(pattern, log)]
        if len(places) != 1:
            return f"its own {what} was printed {len(places)} times" if places else f"it never printed its own {what}"
        if result_starts and what == "start" and result_starts[0] < places[0]:
            return "a result stands before its own start"
        if result_starts and what == "end" and result_starts[-1] > places[0]:
            return "a result stands after its own end"
    return ""


def reread_test_run(folder: Path, run: TestRun, parser_of: Callable[[str], Parser]) -> TestRun:
    """`run` with the results that today's parsers find in the logs under `folder`.

    `parser_of` gives a suite's parser, usually `Recipe.find_parser`; what it raises goes through. Raises InfraError
    when a log is gone."""

    def reread_suite(suite: SuiteRun) -> SuiteRun:
        path = folder / suite.step.log
        try:
            output = path.read_bytes()
        except OSError as error:
            raise InfraError(f"{path}: the log can't be read: {error.strerror}") from error
        return make_suite_run_from_output(suite.suite, suite.step, output, parser_of(suite.suite))

    controls = tuple(
        c
        if c.run is None
        else replace(
            c,
            run=reread_suite(c.run),
            again=tuple(map(reread_suite, c.again)),
            idle=tuple(map(reread_suite, c.idle)),
        )
        for c in run.controls
    )
    return replace(run, suites=tuple(map(reread_suite, run.suites)), controls=controls)
