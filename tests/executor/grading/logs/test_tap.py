"""Reading TAP. Prevents: a candidate that passes because a failed subtest has another test's name, or because its
program died half-way."""

from __future__ import annotations

import time

import pytest

from executor.grading.logs.parser import Parser
from executor.grading.logs.results import read_results, read_results_and_problem
from executor.values import TestResult, TestStatus

LOG = b"""\
# The results of this test will end up in test-runs/70-test_record
1..2
    # Subtest: ../../test/record_test
    1..2
        # Subtest: test_rx
        1..2
        ok 1 - iteration 1
        not ok 2 - iteration 2
    # ERROR: (bool) 'ok == true' failed @ test/record_test.c:12
    not ok 1 - test_rx
        1..1
        ok 3 - iteration 1
    ok 2 - test_tx # skipped beside the point
../../util/wrap.pl ../../test/record_test => 1
not ok 1 - running record_test
ok 2 # skip no multiblock
ok 3
ok 4 - sha # TODO not yet
not ok 5 - later # TODO not yet
ok 6 - again
ok 7 - again
okay, this is no result
"""


def _results(log: bytes) -> dict[str, TestStatus]:
    return {result.name: result.status for result in read_results(log, Parser(tap=True))}


def test_a_name_is_the_path_from_the_outermost_test() -> None:
    assert _results(LOG) == {
        "running record_test / test_rx / iteration 1": TestStatus.PASSED,
        "running record_test / test_rx / iteration 2": TestStatus.FAILED,
        "running record_test / test_rx": TestStatus.FAILED,
        "running record_test / test_tx # skipped beside the point / iteration 1": TestStatus.PASSED,
        "running record_test / test_tx # skipped beside the point": TestStatus.PASSED,
        "running record_test": TestStatus.FAILED,
        "2": TestStatus.SKIPPED,
        "3": TestStatus.PASSED,
        "sha": TestStatus.PASSED,
        "later": TestStatus.PASSED,
        "again": TestStatus.PASSED,
        "again #2": TestStatus.PASSED,
    }


def test_what_a_killed_program_left_behind_belongs_to_nobody_elses_test() -> None:
    log = b"1..2\n    1..3\n    ok 1 - inner\n"
    assert read_results(log, Parser(tap=True)) == (TestResult("inner", TestStatus.PASSED),)


@pytest.mark.parametrize(
    ("log", "problem"),
    [
        ("1..1\nok 1\n", ""),
        ("ok 1\n1..1\n", ""),
        ("1..0 # skip no engines\n", ""),
        ("1..1\n    1..2\n    ok 1\n    ok 2\nok 1\n", ""),
        ("1..2\n    ok 1\nok 1\n    1..1\n    ok 1\nok 2\n", ""),
        ("ok 1\n", "the log has no plan (1..N)"),
        ("1..1\nok 1\n1..1\n", "the log has 2 plans"),
        ("1..1\nok 1\n1..1\nok 1\n", "the log has 2 plans"),
        ("1..2\nok 1\n", "the log has 1 results, its plan 2"),
        ("1..1\nok 1\nok 2\n", "the log has 2 results, its plan 1"),
        ("1..1\n    1..2\n    ok 1\nok 1\n", "a subtest has 1 results, its plan 2"),
        ("1..1\n    1..1\n    ok 1\n    1..1\n    ok 1\nok 1\n", "a subtest has 2 plans"),
    ],
)
def test_the_plan_holds_or_the_log_doesnt_pass(log: str, problem: str) -> None:
    assert read_results_and_problem(log.encode(), Parser(tap=True))[1] == problem
    assert read_results_and_problem(log.encode(), Parser(tap=True, ends=False))[1] == ""


def _long_parent() -> bytes:
    return b"    ok 1 - a\n" * 200_000 + b"ok 1 - " + b"x" * 4_000_000 + b"\n"


@pytest.mark.parametrize(
    "flood",
    [
        _long_parent(),
        b"ok " * 2_000_000,
        b"# skip" * 1_000_000,
        b"ok 1 #" + b" " * 4_000_000,
        b"\n".join(b" " * (4 * depth) + b"ok 1" for depth in range(1_400)) + b"\n" + b" " * 5600 + b"ok\n" * 9,
    ],
    ids=["long parent", "ok", "skip", "spaces", "deep"],
)
def test_no_log_fills_the_memory_or_hangs(flood: bytes) -> None:
    started = time.process_time()
    read_results_and_problem(flood, Parser(tap=True))
    assert time.process_time() - started < 10


def test_names_that_are_too_long_are_the_logs_failure() -> None:
    assert read_results_and_problem(_long_parent(), Parser(tap=True)) == (
        (),
        "its tests' names are too long to be kept",
    )
