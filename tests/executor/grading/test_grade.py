"""Grading a run. Prevents: a wrong candidate that passes, or a right one that is blamed for a failure of Graft: a test
that vanished, a suite that ran nothing, a line printed twice, a good status after a bad line, a sandbox that broke."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from executor.grading.grade import grade, limit_expected_to_suites, why_suite_failed
from executor.values import ControlRun, ExpectedTests, Outcome, Step, SuiteRun, TestResult, TestRun, TestStatus, Tier

STEP = Step("s", Tier.BUILD, ("cc",), ".", 0, False, False, False, 1.0, 0.5, "s.log")
EXPECTED = ExpectedTests({"unit": {"a": 1, "b": 2}}, frozenset({"flaky"}), ignored_in={"unit": frozenset({"flaky"})})
CLEAN = "int f(void) { return 0; }"


def _results(text: str) -> tuple[TestResult, ...]:
    status = {"+": TestStatus.PASSED, "-": TestStatus.FAILED, "~": TestStatus.SKIPPED}
    return tuple(TestResult(word[1:], status[word[0]]) for word in text.split())


def _run(results: str, problem: str = "", failed_status: int | None = 1, **step: object) -> TestRun:
    done = replace(STEP, name="suite-unit", tier=Tier.TESTS, **step)  # type: ignore[arg-type]
    suite = SuiteRun("unit", done, _results(results), problem, None if problem else failed_status)
    return TestRun((STEP,), (STEP,), (suite,))


PASSED, FAILED, LATE = Outcome.PASSED, Outcome.TESTS_FAILED, Outcome.TIMEOUT
GOOD, FLAKY = "+a +b +b", "+a +b +b -flaky"


@pytest.mark.parametrize(
    ("results", "step", "outcome", "reason"),
    [
        (GOOD, {}, PASSED, ""),
        ("+b +a +b", {}, PASSED, ""),
        (f"{GOOD} +flaky", {}, PASSED, ""),
        (FLAKY, {"exit_code": 1}, PASSED, ""),
        ("+a +b -flaky", {"exit_code": 1}, FAILED, "unit: ended with status 1"),
        (FLAKY, {"exit_code": 2}, FAILED, "unit: ended with status 2"),
        (FLAKY, {"exit_code": 139}, FAILED, "unit: was killed by signal 11"),
        (FLAKY, {"exit_code": None}, FAILED, "unit: was killed"),
        (FLAKY, {"exit_code": None, "timed_out": True}, LATE, "unit: was stopped after 1 s"),
        (FLAKY, {"exit_code": 1, "oom": True}, FAILED, "unit: ran out of memory"),
        (FLAKY, {"exit_code": 1, "problem": "no end"}, FAILED, "unit: ended with status 1"),
        (FLAKY, {"exit_code": 1, "failed_status": None}, FAILED, "unit: ended with status 1"),
        (GOOD, {"problem": "its end is missing"}, FAILED, "unit: its end is missing"),
        (GOOD, {"exit_code": 1}, FAILED, "unit: ended with status 1"),
        (GOOD, {"exit_code": 139}, FAILED, "unit: was killed by signal 11"),
        (GOOD, {"exit_code": None, "oom": True}, FAILED, "unit: ran out of memory"),
        (GOOD, {"exit_code": None, "timed_out": True}, LATE, "unit: was stopped after 1 s"),
        ("+a -b", {"exit_code": 1}, FAILED, "unit: 1 failed: b"),
        (f"{GOOD} -b", {}, FAILED, "unit: 1 failed: b"),
        (f"{GOOD} -new", {}, FAILED, "unit: 1 failed: new"),
        ("+a +b", {}, FAILED, "unit: 1 didn't run: b"),
        ("~a +b +b", {}, FAILED, "unit: 1 didn't run: a"),
        ("+c +c +c", {}, FAILED, "unit: 2 didn't run: a, b"),
        ("+a", {"truncated": True}, FAILED, "unit: 1 didn't run: b (its output was cut)"),
        ("", {}, FAILED, "unit: no test ran"),
    ],
)
def test_tests_are_counted_one_by_one(results: str, step: dict[str, object], outcome: Outcome, reason: str) -> None:
    verdict = grade(_run(results, **step), EXPECTED, CLEAN)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)
    assert (verdict.tier, verdict.built) == (Tier.TESTS, True)


def test_counts_are_of_expected_tests_alone() -> None:
    verdict = grade(_run("+a +b +flaky +new -x", exit_code=1), EXPECTED, CLEAN)
    assert (verdict.passed, verdict.failed, verdict.missing) == (2, ("x",), ("b",))

    # Results that nobody expected are flagged and don't help.
    verdict = grade(_run("+a +a +a +b"), EXPECTED, CLEAN)
    assert (verdict.outcome, verdict.missing) == (FAILED, ("b",))
    assert verdict.flags == ("results the unmodified source doesn't give: a",)


@pytest.mark.parametrize(
    ("printed", "flagged"),
    [("slow:2.5", ""), ("slow:31", ""), ("quick:2.5", "quick:2.5"), ("check:2", "check:2"), ("7", "7")],
)
def test_a_line_that_varies_by_its_numbers_may_show_others_in_any_suite(printed: str, flagged: str) -> None:
    # The baseline heard that the machine was slow in another suite, with other figures. What a suite is expected to
    # print is no such line, so that nothing is won by printing it.
    expected = ExpectedTests(
        {"unit": {"a": 1, "b": 2}, "other": {"check:2": 1}},
        frozenset({"slow:1.75", "check:1", "3"}),
        ignored_in={"unit": frozenset(), "other": frozenset({"slow:1.75", "check:1", "3"})},
    )
    verdict = grade(_run(f"{GOOD} +{printed}"), expected, CLEAN)
    assert verdict.flags == ((f"results the unmodified source doesn't give: {flagged}",) if flagged else ())


@pytest.mark.parametrize("tier", [Tier.CHECK, Tier.BUILD])
@pytest.mark.parametrize(
    ("step", "outcome", "reason"),
    [
        ({"exit_code": 1}, Outcome.BUILD_FAILED, "link-2 ended with status 1"),
        ({"exit_code": None, "oom": True}, Outcome.BUILD_FAILED, "link-2 ran out of memory"),
        ({"exit_code": None, "timed_out": True}, Outcome.TIMEOUT, "link-2 was stopped after 1 s"),
    ],
)
def test_the_tier_that_stopped_it_is_named(tier: Tier, step: dict[str, object], outcome: Outcome, reason: str) -> None:
    bad = replace(STEP, name="link-2", **step)  # type: ignore[arg-type]
    run = TestRun((bad,), (), ()) if tier is Tier.CHECK else TestRun((STEP,), (STEP, bad), ())
    verdict = grade(run, EXPECTED, CLEAN)
    assert (verdict.outcome, verdict.tier, verdict.built, verdict.reason) == (outcome, tier, False, reason)


def test_our_own_failure_is_never_the_models() -> None:
    for run, expected in (
        (TestRun((), (), (), "engine gone"), EXPECTED),
        (replace(_run("-a", exit_code=1), infra_error="disk full"), EXPECTED),
        (TestRun((STEP,), (), ()), EXPECTED),
        (_run("+a"), ExpectedTests({})),
    ):
        verdict = grade(run, expected, CLEAN)
        assert verdict.outcome is Outcome.INFRA_ERROR and verdict.reason, run


def test_a_suite_left_out_after_a_failure_isnt_blamed_again() -> None:
    expected = ExpectedTests({"unit": {"a": 1}, "more": {"z": 1}})
    assert grade(_run("-a", exit_code=1), expected, CLEAN).reason == "unit: 1 failed: a"
    verdict = grade(_run("+a"), expected, CLEAN)
    assert (verdict.outcome, verdict.reason) == (Outcome.TESTS_FAILED, "suite more wasn't run")


def test_a_candidates_text_is_flagged_and_still_passes() -> None:
    verdict = grade(_run("+a +b +b"), EXPECTED, 'void f(void) { puts("[ok]: a"); _exit(0); }')
    assert verdict.outcome is Outcome.PASSED
    assert verdict.flags == ("exit: _exit", "test marker: [ok]")


def test_expectations_for_some_suites() -> None:
    picked = limit_expected_to_suites(EXPECTED, ["unit", "unknown"])
    assert picked == replace(EXPECTED, suites={"unit": {"a": 1, "b": 2}, "unknown": {}})
    assert why_suite_failed(_run("+a +b +b").suites[0], EXPECTED) == ""


def test_another_suites_quarantine_excuses_nothing() -> None:
    """A candidate printed a quarantined name of another suite and ended its program as it liked."""
    expected = replace(EXPECTED, ignored_in={"unit": frozenset(), "more": frozenset({"flaky"})})
    assert grade(_run("+a +b +b -flaky", exit_code=1), expected, CLEAN).reason == "unit: 1 failed: flaky"


def test_a_status_that_the_unmodified_source_ends_with_is_excused_with_its_known_failure() -> None:
    """No end is known of this suite's output, so only a measured status counts."""
    expected = replace(EXPECTED, statuses={"unit": frozenset({3})})
    for status, outcome in ((3, Outcome.PASSED), (1, Outcome.TESTS_FAILED), (None, Outcome.TESTS_FAILED)):
        run = _run("+a +b +b -flaky", failed_status=None, exit_code=status)
        assert grade(run, expected, CLEAN).outcome is outcome
    assert grade(_run("+a +b +b", exit_code=3), expected, CLEAN).outcome is Outcome.TESTS_FAILED


def test_a_million_failures_are_judged_at_once() -> None:
    failures = tuple(TestResult(f"x{number}", TestStatus.FAILED) for number in range(300_000))
    expected = ExpectedTests({"unit": {f"t{number}": 1 for number in range(3_000)}})
    suite = replace(_run("+a").suites[0], results=failures)
    started = time.process_time()
    assert why_suite_failed(suite, expected).startswith("300000 failed: x0, x1, x2")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("runs", "outcome"),
    [
        (["-a +b +b"], PASSED),
        ([GOOD], FAILED),
        ([GOOD, GOOD], FAILED),
        ([GOOD, "-a +b +b", GOOD], FAILED),
        ([GOOD, "-a +b +b", "-a +b +b"], PASSED),
    ],
)
def test_a_fault_that_shows_by_chance_convicts_nobody(runs: list[str], outcome: Outcome) -> None:
    """A gold of OpenSSL was called forged: a reference count that is wrong went unnoticed in one run of many."""
    first, *again = (_run(results).suites[0] for results in runs)
    control = ControlRun("unit", "a.c", "f", "negate@1", run=first, again=tuple(again))
    assert grade(replace(_run("+a +b +b"), controls=(control,)), EXPECTED, CLEAN).outcome is outcome
