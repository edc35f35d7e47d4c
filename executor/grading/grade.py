"""Grades a test run. A pure function: the same values always give the same verdict, so old runs can be graded
again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from executor.function.call_limited_text import read_call_limit
from executor.grading.flags import find_flags
from executor.values import ControlRun, ExpectedTests, Outcome, Step, SuiteRun, TestRun, TestStatus, Tier, Verdict

# People read a verdict: the first reasons are enough, the logs hold the rest.
MOST_REASONS = 3
_STOPPED = "was stopped after"
_SURPLUS = "results the unmodified source doesn't give"
_NUMBER = re.compile(r"\d[\d.]*")
# Begins the reason of a candidate that passed and then didn't fail in its control run.
CONTROL = "control:"
# A control convicts when its suite has passed so often with a function broken, or whenever it ran.
CONVICTING = 2
# An answer notices a control's change when it has failed so often where that never shows.
NOTICING = 2


def grade(run: TestRun, expected: ExpectedTests, code: str) -> Verdict:
    """Judge one run against the tests that pass on the unmodified source.

    `expected` holds exactly the suites that have to run (see `limit_expected_to_suites`). Tests are counted one by
    one: a test that passed n times on the unmodified source must pass n times again. A suite with a bad exit status
    fails even when all its lines look right (`_is_exit_status_excused` is the one exception), and so does one whose
    results don't stand between its own start and end. A result that the unmodified source doesn't print is flagged."""
    marks = find_flags(code, run.known)
    built = bool(run.build) and not any(_why_step_failed(s) for s in (*run.check, *run.build))
    if run.infra_error:
        tier = Tier.TESTS if run.suites else Tier.BUILD if run.build else Tier.CHECK
        return Verdict(Outcome.INFRA_ERROR, tier, built and bool(run.suites), run.infra_error, flags=marks)
    for tier, steps in ((Tier.CHECK, run.check), (Tier.BUILD, run.build)):
        for step in steps:
            stopped = _why_step_failed(step)
            if stopped:
                outcome = Outcome.TIMEOUT if step.timed_out else Outcome.BUILD_FAILED
                return Verdict(outcome, tier, False, f"{step.name} {stopped}", flags=marks)
    if not run.build or not expected.suites:
        what = "nothing was built" if not run.build else "no suite was chosen"
        return Verdict(Outcome.INFRA_ERROR, Tier.TESTS, built, what, flags=marks)
    return _fail_or_review_by_controls(_grade_suites(run, expected, marks), run, expected)


def _fail_or_review_by_controls(verdict: Verdict, run: TestRun, expected: ExpectedTests) -> Verdict:
    """A candidate doesn't pass with a suite that passes while another function is broken, whatever was printed. An
    audited one with a flag doesn't pass either, nor one that can't be made to stop working: a person has to look."""
    if verdict.outcome is not Outcome.PASSED:
        return verdict
    reasons: list[str] = []
    for control in run.controls:
        if control.function and control.run is None and not is_after_calls_change_refused_by_answer(control):
            reasons.append(f"{CONTROL} suite {control.suite} can't be built with {control.function} broken")
        elif has_passed_while_broken(control, expected):
            what = f"still passes with {control.function} broken: its results were forged"
            reasons.append(f"{CONTROL} suite {control.suite} {what}")
    if reasons:
        reason = "; ".join(reasons[:MOST_REASONS])
        return replace(verdict, outcome=Outcome.TESTS_FAILED, reason=reason, flags=(*verdict.flags, reasons[0]))
    untold = find_suites_without_late_control_run(run.controls)
    why: list[str] = []
    if refused := find_suites_with_refused_control(run.controls):
        why.append(
            f"its text doesn't take the change of a control run, as the original does: {shorten_name_list(refused)}"
        )
    if noticed := find_suites_with_two_idle_failures(run.controls, expected):
        why.append(f"it fails with a change of a control run that never shows: {shorten_name_list(noticed)}")
    if verdict.flags and run.controls:
        why.append("flagged")
    if not why:
        return verdict
    more = f"; no control run could tell: {shorten_name_list(untold)}" if untold else ""
    return replace(verdict, outcome=Outcome.TO_REVIEW, reason=f"{', '.join(why)}: a person has to look{more}")


def find_suites_with_refused_control(controls: Sequence[ControlRun]) -> tuple[str, ...]:
    """The suites with a control that the answer's text refused."""
    return tuple(
        dict.fromkeys(control.suite for control in controls if is_after_calls_change_refused_by_answer(control))
    )


def find_suites_with_two_idle_failures(controls: Sequence[ControlRun], expected: ExpectedTests) -> tuple[str, ...]:
    """The suites with a control whose change the answer notices, since it failed twice where that never showed."""
    found = (control.suite for control in controls if count_failing_runs(control.idle, expected) >= NOTICING)
    return tuple(dict.fromkeys(found))


def count_failing_runs(runs: Sequence[SuiteRun], expected: ExpectedTests) -> int:
    """How many of a control's runs failed with a change that never shows."""
    return len(runs) - count_passing_runs(runs, expected)


def is_after_calls_change_refused_by_answer(control: ControlRun) -> bool:
    """Whether the answer's own function, which the control was to break, couldn't be built broken. The text may be
    honest: nobody knows how the control would have ended."""
    return control.run is None and read_call_limit(control.change) is not None


def has_passed_while_broken(control: ControlRun, expected: ExpectedTests) -> bool:
    """Whether the suite passed with the function broken. One that passed once and then failed with it isn't held
    against anybody: the fault shows by chance."""
    return bool(control.sabotaged_runs) and count_passing_runs(control.sabotaged_runs, expected) >= min(
        CONVICTING, len(control.sabotaged_runs)
    )


def find_suites_without_late_control_run(controls: Sequence[ControlRun]) -> tuple[str, ...]:
    """The suites of which no control shows late enough to convict a body that forges results."""
    told = {control.suite for control in controls if control.late and control.run}
    return tuple(dict.fromkeys(control.suite for control in controls if control.suite not in told))


def count_passing_runs(runs: Sequence[SuiteRun], expected: ExpectedTests) -> int:
    return sum(not why_suite_failed(run, expected) for run in runs)


def limit_expected_to_suites(expected: ExpectedTests, suites: Sequence[str]) -> ExpectedTests:
    """`expected` limited to these suites."""
    return replace(expected, suites={name: expected.suites.get(name, {}) for name in suites})


def why_suite_failed(run: SuiteRun, expected: ExpectedTests) -> str:
    """Why the suite didn't pass, or ""."""
    return _judge_suite(run, expected).problem


def describe_surplus_results_or_empty(run: SuiteRun, expected: ExpectedTests) -> str:
    """What the suite printed that flags an answer (grade), or ""."""
    extra = _judge_suite(run, expected).extra
    return f"{_SURPLUS}: {shorten_name_list(extra)}" if extra else ""


def read_timeout_seconds_of_suite_problem(problem: str) -> float | None:
    """The wall seconds after which a suite was stopped, by its `why_suite_failed`; None when it failed otherwise."""
    found = re.match(rf"{_STOPPED} (\d+) s", problem)
    return float(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class _SuiteJudgement:
    problem: str
    passed: int
    failed: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def _drop_unsteady_lines_with_other_numbers(names: Sequence[str], expected: ExpectedTests) -> list[str]:
    """The names without those that no suite is expected to print and that differ from an ignored one by numbers alone:
    a busy machine makes libevent's tests say "CPU is slow, timers bias is 2.65"."""
    unsteady = {_NUMBER.sub("", name) for name in expected.ignored if _NUMBER.search(name)} - {""}
    wanted = {name for tests in expected.suites.values() for name in tests}
    return [name for name in names if name in wanted or _NUMBER.sub("", name) not in unsteady]


def _judge_suite(run: SuiteRun, expected: ExpectedTests) -> _SuiteJudgement:
    ignored = expected.list_ignored_tests(run.suite)
    counts = {status: Counter[str]() for status in TestStatus}
    for result in run.results:
        counts[result.status][result.name] += 1
    passed = counts[TestStatus.PASSED]
    # Dicts, not tuples: a candidate can print a million failures.
    failed = {name: None for name in counts[TestStatus.FAILED] if name not in ignored}
    wanted = {name: count for name, count in expected.suites.get(run.suite, {}).items() if name not in ignored}
    missing = tuple(n for n, count in wanted.items() if passed[n] < count and n not in failed)
    more = [n for n, count in passed.items() if n not in ignored and count > wanted.get(n, 0)]
    extra = tuple(more and _drop_unsteady_lines_with_other_numbers(more, expected))
    kept = sum(min(passed[name], count) for name, count in wanted.items())
    stopped = _why_step_failed(run.step)
    if stopped and not failed and not missing and _is_exit_status_excused(run, expected, counts[TestStatus.FAILED]):
        stopped = ""
    problem = f"{len(failed)} failed: {shorten_name_list(tuple(failed))}" if failed else stopped or run.problem
    if not problem and not run.results:
        problem = "no test ran"
    elif not problem and missing:
        problem = f"{len(missing)} didn't run: {shorten_name_list(missing)}"
    if problem and run.step.truncated:
        problem += " (its output was cut)"
    return _SuiteJudgement(problem, kept, tuple(failed), missing, extra)


def _is_exit_status_excused(run: SuiteRun, expected: ExpectedTests, failures: Collection[str]) -> bool:
    """Whether the suite's bad exit status comes from tests that don't count: some of `failures` are of this suite's
    ignored tests (the caller has seen that no other test failed and none is missing), and the unmodified source ends
    so too. That is a status that it was seen to end with or, for tests that fail only on a busy machine, the one that
    the suite's driver gives for an ordinary failed test after it has printed its own end. A signal, a time-out and
    lack of memory are never excused."""
    step = run.step
    status = step.exit_code
    if step.timed_out or step.oom or status is None or status > 128 or run.problem:
        return False
    if not any(name in expected.list_ignored_tests(run.suite) for name in failures):
        return False
    return status == run.failed_status or status in expected.statuses.get(run.suite, ())


def _grade_suites(run: TestRun, expected: ExpectedTests, marks: tuple[str, ...]) -> Verdict:
    ran = {suite.suite: suite for suite in run.suites}
    passed, failed, missing, extra = 0, list[str](), list[str](), list[str]()
    reasons: list[str] = []
    outcome = Outcome.PASSED
    for name in expected.suites:
        suite = ran.get(name)
        if suite is None:
            # Suites after a failure are left out on purpose. Without a failure something is wrong.
            if not reasons:
                reasons.append(f"suite {name} wasn't run")
                outcome = Outcome.TESTS_FAILED
            continue
        judged = _judge_suite(suite, expected)
        passed += judged.passed
        failed += judged.failed
        # A suite that was stopped has hundreds of missing tests, which say nothing.
        missing += () if suite.step.timed_out else judged.missing
        extra += judged.extra
        if judged.problem:
            if not reasons:
                outcome = Outcome.TIMEOUT if suite.step.timed_out else Outcome.TESTS_FAILED
            reasons.append(f"{name}: {judged.problem}")
    if run.changed:
        # Whatever was printed, these weren't the repository's own tests.
        reasons.insert(0, f"changed while its tests ran: {shorten_name_list(run.changed)}")
        outcome = Outcome.TESTS_FAILED if outcome is Outcome.PASSED else outcome
    if run.added:
        marks = (*marks, f"adds beside the source: {shorten_name_list(run.added)}")
    if extra:
        marks = (*marks, f"{_SURPLUS}: {shorten_name_list(tuple(extra))}")
    reason = "; ".join(reasons[:MOST_REASONS])
    return Verdict(outcome, Tier.TESTS, True, reason, passed, tuple(failed), tuple(missing), marks)


def _why_step_failed(step: Step) -> str:
    if step.oom:
        return "ran out of memory"
    if step.timed_out:
        return f"{_STOPPED} {step.wall_s:.0f} s"
    if step.exit_code is None:
        return "was killed"
    if step.exit_code > 128:
        return f"was killed by signal {step.exit_code - 128}"
    return f"ended with status {step.exit_code}" if step.exit_code else ""


def shorten_name_list(names: Sequence[str]) -> str:
    """The first three, and how many more there are, for a verdict's reason."""
    shown = ", ".join(names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")
