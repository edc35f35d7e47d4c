"""Splits a test program into what its framework can select: GoogleTest's suites, the cases of Catch2, doctest and
check, Boost.Test's suites."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from executor.grading.logs.results import read_results_and_problem
from lab.making.suites.output_parsers import PARSERS

# Of more, each would cost its baseline and its confinement.
_MOST_PARTS = 40
_CATCH = re.compile(rb"(?m)^All tests passed \(\d+ assertions? in \d+ test cases?\)")
_DOCTEST = re.compile(rb"(?m)^\[doctest\] test cases: ")
_CHECK = re.compile(rb"(?m)^\d+%: Checks: \d+, Failures: \d+, Errors: \d+$")
_BOOST = re.compile(rb"(?m)^\*\*\* No errors detected")


@dataclass(frozen=True, slots=True)
class SelectedCases:
    """A part of a test program: the further words of its command, and variables, that select it."""

    name: str
    words: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


def find_framework_variables(output: bytes) -> Mapping[str, str]:
    """The variables that the framework which printed this should be given. `check` runs each test in a process of its
    own and takes one that exits with 0 for a pass, wherever it did so; without fork the whole program would end."""
    return {"CK_FORK": "no", "CK_VERBOSITY": "verbose"} if _CHECK.search(output) else {}


def select_cases(output: bytes, ask: Callable[[str], str]) -> tuple[SelectedCases, ...]:
    """The parts of a program by what it printed. `ask` starts it with one more word and returns what it prints, ""
    when it fails. Empty for one part, for too many, and where the framework isn't known."""
    found: list[SelectedCases] = []
    results, problem = read_results_and_problem(output, PARSERS["gtest"])
    if results and not problem:
        suites = dict.fromkeys(result.name.rpartition(".")[0] for result in results)
        found = [SelectedCases(name, (f"--gtest_filter={name}.*",)) for name in suites if name]
    elif _DOCTEST.search(output):
        names = [line for line in ask("--list-test-cases").splitlines() if line.strip()]
        found = [
            SelectedCases(n, ("--test-case=" + n.replace(",", "\\,"),))
            for n in names
            if not n.startswith(("[doctest]", "==="))
        ]
    elif _CATCH.search(output):
        names = ask("--list-test-names-only").splitlines()
        found = [SelectedCases(n.strip(), (re.sub(r'([\\,\[\]*"])', r"\\\1", n.strip()),)) for n in names if n.strip()]
    elif _BOOST.search(output):
        names = re.findall(r"(?m)^(\w+)\*?$", ask("--list_content"))
        found = [SelectedCases(name, (f"--run_test={name}",)) for name in names]
    elif _CHECK.search(output):
        cases = re.findall(rb"(?m)^[^:\n]+:\d+:P:([^:\n]+):\w+:\d+: ", output)
        names = list(dict.fromkeys(case.decode("utf-8", "replace") for case in cases))
        found = [SelectedCases(name, env={"CK_RUN_CASE": name}) for name in names]
    return tuple(found) if 1 < len(found) <= _MOST_PARTS else ()
