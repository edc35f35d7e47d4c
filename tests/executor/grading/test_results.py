"""Reading a suite's log. Prevents: tests that are counted although they didn't run, because of colours, carriage
returns or a summary that names failures again, and old logs that can't be read any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.grading.parser import Parser
from executor.grading.results import read_results, reread
from executor.repository.recipe import Recipe, find_recipe
from executor.values import Step, SuiteRun, TestResult, TestRun, TestStatus, Tier
from index.errors import InfraError

REDIS = b"""\
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
"""


def test_redis_lines_are_counted_one_by_one() -> None:
    found = read_results(REDIS, find_recipe("redis").parsers["runtest"])
    assert [(result.status.value, result.name) for result in found] == [
        ("passed", "INCR against non existing key"),
        ("passed", "DECR (with brackets) (12 ms) in a name"),
        ("skipped", "SETRANGE with huge offset: large memory flag not provided"),
        ("skipped", "GETRANGE fuzzing"),
        ("failed", "INCR over 32bit value"),
    ]


def test_an_exception_and_a_standstill_are_failures() -> None:
    output = (
        b"[exception]: Executing test client: I/O error reading reply.\n[TIMEOUT]: clients state report follows.\n"
    )
    found = read_results(output, find_recipe("redis").parsers["runtest"])
    assert [result.status for result in found] == [TestStatus.FAILED, TestStatus.FAILED]


def test_names_that_redis_draws_pass_uncounted_and_fail_as_any() -> None:
    output = b"""\
[ok]: PSYNC2: cluster is consistent after load (x = 14582) (1 ms)
[ok]: PSYNC2: Set #2 to replicate from #3 (2 ms)
[ok]: PSYNC2: --- CYCLE 6 --- (0 ms)
[ok]: PSYNC2: generate load while killing replication links (5001 ms)
[err]: PSYNC2: cluster is consistent after load (x = 77) in tests/integration/psync2.tcl
"""
    found = read_results(output, find_recipe("redis").parsers["whole-runtest"])
    assert [(result.status.value, result.name) for result in found] == [
        ("passed", "PSYNC2: generate load while killing replication links"),
        ("failed", "PSYNC2: cluster is consistent after load (x = 77)"),
    ]


def test_bytes_that_are_no_text_hide_nothing() -> None:
    parser = Parser(passed=r"^PASS (?P<name>\w+)$")
    output = b"\xff\xfe\x00PASS\nPASS a\n\xe2\x28\xa1\nPASS b"
    assert [result.name for result in read_results(output, parser)] == ["a", "b"]


def _run(log: str) -> TestRun:
    step = Step("suite-unit", Tier.TESTS, ("build/test",), ".", 0, False, False, False, 0.1, 0.1, log)
    return TestRun((), (), (SuiteRun("unit", step, ()),))


def test_old_logs_are_read_by_todays_parser(tmp_path: Path, tiny_recipe: Recipe) -> None:
    (tmp_path / "suite-unit.log").write_bytes(b"[ok]: adds\n[err]: doubles\n")
    found = reread(tmp_path, _run("suite-unit.log"), tiny_recipe.parser_of)
    assert found.suites[0].results == (
        TestResult("adds", TestStatus.PASSED),
        TestResult("doubles", TestStatus.FAILED),
    )


def test_a_log_that_is_gone_is_named(tmp_path: Path, tiny_recipe: Recipe) -> None:
    with pytest.raises(InfraError, match=r"gone\.log"):
        reread(tmp_path, _run("gone.log"), tiny_recipe.parser_of)
