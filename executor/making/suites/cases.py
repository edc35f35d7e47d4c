"""Splits a test program into what its framework can select: GoogleTest's suites, the cases of Catch2 and doctest,
Boost.Test's suites."""

from __future__ import annotations

import re
from collections.abc import Callable

from executor.grading.logs.results import read_log
from executor.making.suites.parsers import PARSERS

Selection = tuple[str, tuple[str, ...]]
# Of more, each would cost its baseline and its confinement.
_MOST = 40
_CATCH = re.compile(rb"(?m)^All tests passed \(\d+ assertions? in \d+ test cases?\)")
_DOCTEST = re.compile(rb"(?m)^\[doctest\] test cases: ")
_BOOST = re.compile(rb"(?m)^\*\*\* No errors detected")


def selections(output: bytes, ask: Callable[[str], str]) -> tuple[Selection, ...]:
    """A name and the further words of the command for each part, by what the program printed. `ask` starts it with one
    more word and returns what it prints, "" when it fails. Empty for one part, for too many, and where the framework
    isn't known."""
    found: list[Selection] = []
    results, problem = read_log(output, PARSERS["gtest"])
    if results and not problem:
        suites = dict.fromkeys(result.name.rpartition(".")[0] for result in results)
        found = [(name, (f"--gtest_filter={name}.*",)) for name in suites if name]
    elif _DOCTEST.search(output):
        names = [line for line in ask("--list-test-cases").splitlines() if line.strip()]
        found = [
            (n, ("--test-case=" + n.replace(",", "\\,"),)) for n in names if not n.startswith(("[doctest]", "==="))
        ]
    elif _CATCH.search(output):
        names = ask("--list-test-names-only").splitlines()
        found = [(n.strip(), (re.sub(r'([\\,\[\]*"])', r"\\\1", n.strip()),)) for n in names if n.strip()]
    elif _BOOST.search(output):
        names = re.findall(r"(?m)^(\w+)\*?$", ask("--list_content"))
        found = [(name, (f"--run_test={name}",)) for name in names]
    return tuple(found) if 1 < len(found) <= _MOST else ()
