"""Reads the results of single tests from the raw logs of suites. Old logs can be read again at any time."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from executor.grading.parser import Parser
from executor.grading.results_tap import read_tap
from executor.values import SuiteRun, TestResult, TestRun, TestStatus
from index.errors import InfraError

# ECMA-48 control sequences: test runners print colours even into a log.
_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")


def read_results(output: bytes, parser: Parser) -> tuple[TestResult, ...]:
    """Every test that the output names, in the order printed."""
    text = _ANSI.sub("", output.decode("utf-8", "replace")).replace("\r\n", "\n")
    if parser.tap:
        return read_tap(text)
    found: list[tuple[int, TestResult]] = []
    for status, pattern in (
        (TestStatus.PASSED, parser.passed),
        (TestStatus.FAILED, parser.failed),
        (TestStatus.SKIPPED, parser.skipped),
    ):
        if pattern is None:
            continue
        for match in re.finditer(pattern, text, re.MULTILINE):
            found.append((match.start(), TestResult(match["name"].strip(), status)))
    found.sort(key=lambda pair: pair[0])
    return tuple(result for _, result in found)


def reread(folder: Path, run: TestRun, parser_of: Callable[[str], Parser]) -> TestRun:
    """`run` with the results that today's parsers find in the logs under `folder`.

    `parser_of` gives a suite's parser, usually `Recipe.parser_of`; what it raises goes through. Raises InfraError when
    a log is gone.
    """
    return replace(run, suites=tuple(_reread_suite(folder, suite, parser_of(suite.suite)) for suite in run.suites))


def _reread_suite(folder: Path, suite: SuiteRun, parser: Parser) -> SuiteRun:
    path = folder / suite.step.log
    try:
        output = path.read_bytes()
    except OSError as error:
        raise InfraError(f"{path}: the log can't be read: {error.strerror}") from error
    return replace(suite, results=read_results(output, parser))
