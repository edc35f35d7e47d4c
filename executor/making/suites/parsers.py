"""Chooses how a suite's output is read, by looking at it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from executor.grading.logs.parser import Parser
from executor.grading.logs.results import read_log

PARSERS: Mapping[str, Parser] = {
    "gtest": Parser(
        passed=r"^\[       OK \] (?P<name>[^\s,]+).* \(\d+ ms\)$",
        failed=r"^\[  FAILED  \] (?P<name>[^\s,]+).* \(\d+ ms\)$",
        start=r"^\[==========\] Running \d+ tests? from \d+ test (?:case|suite)s?\.$",
        end=r"^\[==========\] \d+ tests? from \d+ test (?:case|suite)s? ran\. \(\d+ ms total\)$",
    ),
    "tap": Parser(tap=True),
    "unity": Parser(
        passed=r"^[^:\n]+:\d+:(?P<name>[^:\n]+):PASS$",
        failed=r"^[^:\n]+:\d+:(?P<name>[^:\n]+):FAIL",
        end=r"^\d+ Tests \d+ Failures \d+ Ignored",
    ),
    "cmocka": Parser(
        passed=r"^\[       OK \] (?P<name>\S+)$",
        failed=r"^\[  FAILED  \] (?P<name>\S+)$",
        start=r"^\[==========\] (?:\S+: )?Running \d+ test\(s\)\.$",
        end=r"^\[==========\] (?:\S+: )?\d+ test\(s\) run\.$",
    ),
    "ctest": Parser(
        passed=r"^ *\d+/\d+ Test +#\d+: (?P<name>\S+) \.* *Passed",
        failed=r"^ *\d+/\d+ Test +#\d+: (?P<name>\S+) \.*\*\*\*",
        end=r"^\d+% tests passed, \d+ tests failed out of \d+$",
        failed_status=8,
    ),
    # Every line that is printed again in each run counts as a test: a summary with its counts, what a test prints on
    # its way, and that the program came to its end (executor.making.suites.ended).
    "lines": Parser(passed=r"^(?P<name>.*\S.*)$"),
}
"""By name, those with a line for each test first."""
_LEAST = {"gtest": 1, "tap": 2, "unity": 1, "cmocka": 1}


def choose_parser(output: bytes) -> str:
    """The first parser that reads results which stand in the output of a suite that passed; `lines` when there is
    none."""
    for name, least in _LEAST.items():
        results, problem = read_log(output, PARSERS[name])
        if not problem and len(results) >= least and (name != "tap" or re.search(rb"(?m)^1\.\.\d", output)):
            return name
    return "lines"
