"""Prevents: sixty tests that enter nothing, taken because they are the quickest."""

from __future__ import annotations

from executor.making.suites.listing import FoundTest
from executor.making.suites.trials import TriedTest, kept_suites
from executor.repository.suites import Suite


def _tried(folder: str, number: int, seconds: float) -> TriedTest:
    name = f"{folder}-{number}"
    suite = Suite(name=name, argv=("./t",), parser="lines", cwd=folder)
    return TriedTest(FoundTest(name, ("./t",), folder), suite, seconds)


def test_of_too_many_tests_each_folder_gives_its_quickest() -> None:
    tried = [*(_tried("headers", n, 0.01) for n in range(9)), *(_tried("tests", n, 3.0 - n) for n in range(3))]
    assert [suite.name for suite in kept_suites(tried, 4)] == ["headers-0", "headers-1", "tests-1", "tests-2"]
    assert len(kept_suites(tried, 10)) == 10
    assert [suite.name for suite in kept_suites(tried[9:], 2)] == ["tests-1", "tests-2"]
