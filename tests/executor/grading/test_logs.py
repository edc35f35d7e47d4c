"""Reading a suite's log. Prevents: tests that are counted although they didn't run, because of colours, carriage
returns, a summary that names failures again, or lines that a candidate printed outside the suite's own; in TAP, a
candidate that passes because a failed subtest has another test's name, or because its program died half-way; logs that
hang Graft; and old logs that can't be read any more."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from executor.grading.logs import lines
from executor.grading.logs.parser import Parser
from executor.grading.logs.results import read_results, read_results_and_problem, reread_test_run
from executor.repository.recipe import Recipe, find_recipe
from executor.values import Step, SuiteRun, TestResult, TestRun, TestStatus, Tier
from index.errors import InfraError

LINES = b"""\
[ready]: 1234
Testing unit/type/incr
[\x1b[0;32mok\x1b[0m]: INCR against non existing key (0 ms)\r
[\x1b[0;32mok\x1b[0m]: DECR (with brackets) (12 ms) in a name (3 ms)
[\x1b[0;36mignore\x1b[0m]: SETRANGE with huge offset: large memory flag not provided
[\x1b[0;33mskip\x1b[0m]: GETRANGE fuzzing
[\x1b[0;31merr\x1b[0m]: INCR over 32bit value in tests/unit/type/incr.tcl
Expected '17179869185' to equal or match '0'
[1/1 \x1b[0;33mdone\x1b[0m]: unit/type/incr (1 seconds)
*** [\x1b[0;31merr\x1b[0m]: INCR over 32bit value in tests/unit/type/incr.tcl
prefix [ok]: not at the line's start (1 ms)
[ok]: no time behind it
[exception]: Executing test client: I/O error reading reply.
[TIMEOUT]: clients state report follows.
"""
DRAWN = b"""\
[ok]: PSYNC2: cluster is consistent after load (x = 14582) (1 ms)
[ok]: PSYNC2: Set #2 to replicate from #3 (2 ms)
[ok]: PSYNC2: --- CYCLE 6 --- (0 ms)
[ok]: PSYNC2: generate load while killing replication links (5001 ms)
[err]: PSYNC2: cluster is consistent after load (x = 77) in tests/integration/psync2.tcl
"""


@pytest.mark.parametrize(
    ("parser", "output", "expected"),
    [
        (
            "runtest",
            LINES,
            [
                ("passed", "INCR against non existing key"),
                ("passed", "DECR (with brackets) (12 ms) in a name"),
                ("skipped", "SETRANGE with huge offset: large memory flag not provided"),
                ("skipped", "GETRANGE fuzzing"),
                ("failed", "INCR over 32bit value"),
                # An exception, and a standstill.
                ("failed", "Executing test client: I/O error reading reply."),
                ("failed", "clients state report follows."),
            ],
        ),
        # Names that redis draws pass uncounted, and fail as any.
        (
            "whole-runtest",
            DRAWN,
            [
                ("passed", "PSYNC2: generate load while killing replication links"),
                ("failed", "PSYNC2: cluster is consistent after load (x = 77)"),
            ],
        ),
    ],
)
def test_redis_lines_are_counted_one_by_one(parser: str, output: bytes, expected: list[tuple[str, str]]) -> None:
    found = read_results(output, find_recipe("redis").parsers[parser])
    assert [(result.status.value, result.name) for result in found] == expected


def test_bytes_that_are_no_text_hide_nothing() -> None:
    parser = Parser(passed=r"^PASS (?P<name>\w+)$")
    output = b"\xff\xfe\x00PASS\nPASS a\n\xe2\x28\xa1\nPASS b"
    assert [result.name for result in read_results(output, parser)] == ["a", "b"]


def _run(log: str) -> TestRun:
    step = Step("suite-unit", Tier.TESTS, ("build/test",), ".", 0, False, False, False, 0.1, 0.1, log)
    return TestRun((), (), (SuiteRun("unit", step, ()),))


def test_old_logs_are_read_by_todays_parser_and_one_that_is_gone_is_named(tmp_path: Path, tiny_recipe: Recipe) -> None:
    (tmp_path / "suite-unit.log").write_bytes(b"[ok]: adds\n[err]: doubles\n")
    (suite,) = reread_test_run(tmp_path, _run("suite-unit.log"), tiny_recipe.find_parser).suites
    assert suite.results == (TestResult("adds", TestStatus.PASSED), TestResult("doubles", TestStatus.FAILED))
    with pytest.raises(InfraError, match=r"gone\.log"):
        reread_test_run(tmp_path, _run("gone.log"), tiny_recipe.find_parser)


BOUNDED = Parser(passed=r"^PASS (?P<name>\w+)$", failed=r"^FAIL (?P<name>\w+)$", start=r"^begin$", end=r"^\d+ ran$")


@pytest.mark.parametrize(
    ("log", "problem"),
    [
        ("begin\nPASS a\n1 ran\n", ""),
        ("\x1b[1mbegin\x1b[0m\r\nPASS a\r\n1 ran", ""),
        ("PASS a\n1 ran\n", "it never printed its own start"),
        ("begin\nPASS a\n", "it never printed its own end"),
        ("begin\nPASS a\n1 ran\n1 ran\n", "its own end was printed 2 times"),
        ("begin\nPASS a\n1 ran\nbegin\nPASS a\n1 ran\n", "its own start was printed 2 times"),
        ("begin\n1 ran\nPASS a\n", "a result stands after its own end"),
        ("begin\nPASS a\n1 ran\nFAIL b\n", "a result stands after its own end"),
        ("PASS a\nbegin\nPASS a\n1 ran\n", "a result stands before its own start"),
        ("begin\nPASS a\nxx 1 ran\n", "it never printed its own end"),
    ],
)
def test_results_stand_between_the_suites_own_start_and_end(log: str, problem: str) -> None:
    assert read_results_and_problem(log.encode(), BOUNDED)[1] == problem


def test_an_excusable_status_needs_an_end_that_was_read(tmp_path: Path) -> None:
    for parser, log, status in (
        (BOUNDED, b"begin\n1 ran\n", 1),
        (BOUNDED.model_copy(update={"failed_status": 7}), b"begin\n1 ran\n", 7),
        (BOUNDED, b"begin\n", None),
        (BOUNDED.model_copy(update={"ends": False}), b"begin\n1 ran\n", None),
        (Parser(passed="(?P<name>x)"), b"x", None),
        (Parser(tap=True), b"1..1\nok 1\n", 1),
        (Parser(tap=True), b"ok 1\n", None),
    ):
        (tmp_path / "log").write_bytes(log)
        found = reread_test_run(tmp_path, _run("log"), lambda _, parser=parser: parser)  # type: ignore[misc]
        assert found.suites[0].failed_status == status, log


def test_a_pattern_that_could_take_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "SLOW_PATTERN_S", 2.0)
    parser = Parser(passed=r"^(?P<name>(?!x)(?:a+)+)$")
    slow = b"aaa\n" + b"a" * 20_000 + b"!\n"
    assert read_results_and_problem(slow, parser) == ((), "its output can't be read within 2 s")
    assert [result.name for result in read_results(b"aaa\nxa\n", parser)] == ["aaa"]


TAP_LOG = b"""\
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


def test_a_name_is_the_path_from_the_outermost_test() -> None:
    tx = "running record_test / test_tx # skipped beside the point"
    passed = ["running record_test / test_rx / iteration 1", f"{tx} / iteration 1", tx]
    failed = ["running record_test / test_rx / iteration 2", "running record_test / test_rx", "running record_test"]
    found = read_results(TAP_LOG, TAP)
    names = {status: [each.name for each in found if each.status is status] for status in TestStatus}
    assert names[TestStatus.PASSED] == [*passed, "3", "sha", "later", "again", "again #2"]
    assert (names[TestStatus.FAILED], names[TestStatus.SKIPPED]) == (failed, ["2"])
    # What a killed program left behind belongs to nobody else's test.
    log = b"1..2\n    1..3\n    ok 1 - inner\n"
    assert read_results(log, TAP) == (TestResult("inner", TestStatus.PASSED),)


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
    assert read_results_and_problem(log.encode(), TAP)[1] == problem
    assert read_results_and_problem(log.encode(), Parser(tap=True, ends=False))[1] == ""


C_UNITS, TAP = find_recipe("redis").parsers["c-units"], Parser(tap=True)
LONG_PARENT = b"    ok 1 - a\n" * 200_000 + b"ok 1 - " + b"x" * 4_000_000 + b"\n"


@pytest.mark.parametrize(
    ("parser", "flood"),
    [
        (C_UNITS, b"used: " * 1_300_000),
        (C_UNITS, b"used: 1 " * 1_000_000),
        (C_UNITS, b"\n" * 8_000_000),
        (C_UNITS, b"a: OK" * 10**6),
        (TAP, LONG_PARENT),
        (TAP, b"ok " * 2_000_000),
        (TAP, b"# skip" * 1_000_000),
        (TAP, b"ok 1 #" + b" " * 4_000_000),
        (TAP, b"\n".join(b" " * (4 * depth) + b"ok 1" for depth in range(1_400)) + b"\n" + b" " * 5600 + b"ok\n" * 9),
    ],
    ids=["used", "used 1", "line ends", "OK", "long parent", "ok", "skip", "spaces", "deep"],
)
def test_no_log_fills_the_memory_or_hangs_the_reader(parser: Parser, flood: bytes) -> None:
    """One line of `used: ` hung the harness: `.*used.*: \\d+` tried each pair of places in it."""
    started = time.process_time()
    found = read_results_and_problem(flood, parser)
    assert time.process_time() - started < 10
    if flood is LONG_PARENT:
        assert found == ((), "its tests' names are too long to be kept")
