"""Reading a suite's log. Prevents: tests that are counted although they didn't run, because of colours, carriage
returns, a summary that names failures again, or lines that a candidate printed outside the suite's own; logs that hang
Graft; and old logs that can't be read any more."""

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


def test_old_logs_are_read_by_todays_parser(tmp_path: Path, tiny_recipe: Recipe) -> None:
    (tmp_path / "suite-unit.log").write_bytes(b"[ok]: adds\n[err]: doubles\n")
    found = reread_test_run(tmp_path, _run("suite-unit.log"), tiny_recipe.find_parser)
    assert found.suites[0].results == (
        TestResult("adds", TestStatus.PASSED),
        TestResult("doubles", TestStatus.FAILED),
    )


def test_a_log_that_is_gone_is_named(tmp_path: Path, tiny_recipe: Recipe) -> None:
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


def test_an_excusable_status_needs_an_end_that_was_read(tmp_path: Path, tiny_recipe: Recipe) -> None:
    (tmp_path / "log").write_bytes(b"begin\nPASS a\n")
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


@pytest.mark.parametrize(
    "flood", [b"used: " * 1_300_000, b"used: 1 " * 1_000_000, b"\n" * 8_000_000, b"a: OK" * 10**6]
)
def test_no_log_hangs_the_reader(flood: bytes) -> None:
    """One line of `used: ` hung the harness: `.*used.*: \\d+` tried each pair of places in it."""
    started = time.process_time()
    read_results_and_problem(flood, find_recipe("redis").parsers["c-units"])
    assert time.process_time() - started < 10


def test_a_pattern_that_could_take_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "SLOW_PATTERN_S", 2.0)
    parser = Parser(passed=r"^(?P<name>(?!x)(?:a+)+)$")
    assert read_results_and_problem(b"aaa\n" + b"a" * 20_000 + b"!\n", parser) == (
        (),
        "its output can't be read within 2 s",
    )
    assert [result.name for result in read_results(b"aaa\nxa\n", parser)] == ["aaa"]
