"""Chooses how a suite's output is read, by looking at it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from executor.grading.logs.parser import Parser
from executor.grading.logs.results import read_results_and_problem

_LINE = r"(?P<name>.*\S.*)"
_CHANCE_LINE = r".*(?:\b0x[0-9a-fA-F]{5}|\b\d\d?:\d\d:\d\d\b|\d *(?:[mun]?s|[mu]?secs?|(?:milli|micro)?seconds?)\b)"
_NUMBER = re.compile(r"0x[0-9a-fA-F]+|\d+(?:[.,:]\d+)*(?:[eE][-+]?\d+)?")

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
    # its way, and that the program came to its end (lab.making.suites.exit_library). A line with an address or a time
    # is none, though three runs may print it alike.
    "lines": Parser(passed=rf"^(?!{_CHANCE_LINE}){_LINE}$"),
}
"""By name, those with a line for each test first."""
# Where lines of chance would make the expression longer, in characters, only the program's end is a result: half a
# megabyte takes a second for each reading.
_MOST_CHANCE_CHARS = 20_000
_EXIT_LINE_PARSER = Parser(passed=r"^(?P<name>graft: .+ (?:returned|exited) \d+)$")
_LEAST_RESULTS = {"gtest": 1, "tap": 2, "unity": 1, "cmocka": 1}


def choose_first_fitting_parser_or_lines(output: bytes) -> str:
    """The first parser that reads results in the output of a suite that passed; `lines` when there is none."""
    for name, least in _LEAST_RESULTS.items():
        results, problem = read_results_and_problem(output, PARSERS[name])
        if not problem and len(results) >= least and (name != "tap" or re.search(rb"(?m)^1\.\.\d", output)):
            return name
    return "lines"


def find_unsteady_line_patterns(outputs: Sequence[bytes]) -> frozenset[str]:
    """Regular expressions for the lines that aren't printed alike in each of these outputs of one suite. They are told
    by their words: where one output says `12 objects freed` and another 13, no count of objects freed is a result."""
    counts = [
        Counter(result.name for result in read_results_and_problem(output, PARSERS["lines"])[0]) for output in outputs
    ]
    names = set[str]().union(*counts)
    return frozenset(
        _write_pattern_with_any_numbers(name) for name in names if len({count[name] for count in counts}) > 1
    )


def make_steady_parser(unsteady: Collection[str]) -> Parser:
    """`lines` without those that `find_unsteady_line_patterns` found. With too many of them the program's end alone is
    a result (lab.making.suites.exit_library)."""
    if not unsteady:
        return PARSERS["lines"]
    chance = "|".join([_CHANCE_LINE, *(rf"\s*{words}\s*$" for words in sorted(unsteady))])
    return Parser(passed=rf"^(?!{chance}){_LINE}$") if len(chance) <= _MOST_CHANCE_CHARS else _EXIT_LINE_PARSER


def _write_pattern_with_any_numbers(line: str) -> str:
    """A regular expression for the line with other numbers, and with other space between its words."""
    number = f"(?:{_NUMBER.pattern})"
    return r"\s+".join(number.join(map(re.escape, _NUMBER.split(word))) for word in line.split())
