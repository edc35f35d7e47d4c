"""The work that a run gives away: a text is built and tested, compared with the gold, or checked by the compiler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from executor.candidate.control_runs import (
    run_suites_with_first_buildable_sabotage,
    shuffle_late_else_other_sabotages_of_task,
)
from executor.candidate.execute import ExecutionOptions, execute_edits
from executor.candidate.plus_control_runs import PlusControls
from executor.candidate.precompiled import open_header_store
from executor.candidate.several_functions import open_compiler
from executor.function.splice import Edit
from executor.grading.differential import Differential
from executor.grading.exact_match import compare_text_tokens_and_edit_similarity
from executor.grading.grade import describe_surplus_results_or_empty, grade, limit_expected_to_suites, why_suite_failed
from executor.repository.images import Image
from executor.sandbox.capacity import count_usable_cores
from executor.values import Audit, ExpectedTests, Outcome, Sabotage, Step, Task, TestRun, Verdict
from executor.workers.contract import GoldComparison, Site
from index.values import Diagnostic, Target

# A suite that takes so long and computes less than this share of it mostly waits.
_WAITING_S, _WAITING_SHARE = 1.0, 0.1


@dataclass(frozen=True, slots=True)
class Order:
    """A text that is to be built and tested in the place of a task's functions, as `edits`. The suites `first` judge
    it; those in `then` run when these pass. `sabotages` are those of `first`; with `golds` the gold's own text is
    audited too. `before`: what it did without a control run, where that is known."""

    task_id: str
    edits: tuple[Edit, ...]
    code: str
    gold: str
    first: tuple[str, ...]
    then: tuple[str, ...]
    audit: Audit
    golds: bool
    sabotages: Mapping[str, Sequence[Sabotage]]
    before: TestRun | None = None


def run_candidate_and_due_sabotages(site: Site, image: Image, folder: Path, order: Order) -> TestRun:
    """What the text did, with the control runs that are due. Raises as `execute_edits` and
    `run_suites_with_first_buildable_sabotage`, OSError."""
    objects: dict[str, bytes] = {}
    run = order.before or execute_edits(
        image, order.edits, site.backend, order.first, folder, ExecutionOptions(then=order.then), objects=objects
    )
    run = _mark_overload_timeout_as_infra_error(site, run)
    if objects and _grade_against_ordered_suites(run, image.expected, order).has_passed_or_awaits_review:
        # Plus tests are asked of no other.
        site.objects.keep_objects_dropping_oldest(image, order.edits, objects)
    if not is_passed_run_awaiting_control(run, image.expected, order):
        return run
    drawn = shuffle_late_else_other_sabotages_of_task(order.sabotages, order.first, order.task_id)
    # What a reviewer would look at meets every sabotage that is known.
    flagged = bool(_grade_against_ordered_suites(run, image.expected, order).flags)
    controls = run_suites_with_first_buildable_sabotage(
        image, order.edits, site.backend, drawn, folder, objects, site.broken, until_one_convicts=flagged
    )
    return replace(run, controls=controls)


def is_passed_run_awaiting_control(run: TestRun, expected: ExpectedTests, order: Order) -> bool:
    """Whether the run is to be followed by a control run, and wasn't yet."""
    if order.audit == "none" or run.controls or run.infra_error:
        return False
    verdict = _grade_against_ordered_suites(run, expected, order)
    if verdict.outcome is not Outcome.PASSED or (order.audit == "flagged" and not verdict.flags):
        return False
    return order.golds or not compare_text_tokens_and_edit_similarity(order.code, order.gold).tokens


def _grade_against_ordered_suites(run: TestRun, expected: ExpectedTests, order: Order) -> Verdict:
    return grade(run, limit_expected_to_suites(expected, (*order.first, *order.then)), order.code)


def find_idling_suites_printing_surplus(run: TestRun, image: Image) -> tuple[str, ...]:
    """The suites that mostly wait, and so go by the clock, and printed what they don't on the unmodified tree
    (libevent's test-ratelim: "CPU is slow, timers bias is 4.2"): other work may be the reason."""
    waiting = (suite for suite in run.suites if is_mostly_waiting(image, suite.suite))
    return tuple(suite.suite for suite in waiting if describe_surplus_results_or_empty(suite, image.expected))


def is_mostly_waiting(image: Image, suite: str) -> bool:
    """Whether the suite computed a small share of its time on the unmodified tree; False where nobody measured it."""
    wall_s, cpu_s = image.suite_seconds.get(suite, 0.0), image.suite_cpu_s.get(suite)
    return cpu_s is not None and wall_s >= _WAITING_S and cpu_s < _WAITING_SHARE * wall_s


def has_timed_out_step(run: TestRun) -> bool:
    return any(step.timed_out for step in _list_steps(run))


def _is_most_load_its_own(run: TestRun) -> bool:
    """Whether a step that timed out kept more than half of the machine's cores busy."""
    half = count_usable_cores() / 2
    return any(step.timed_out and (step.cpu_s or 0.0) > half * step.wall_s for step in _list_steps(run))


def _list_steps(run: TestRun) -> tuple[Step, ...]:
    return (*run.check, *run.build, *(suite.step for suite in run.suites))


@dataclass(frozen=True, slots=True)
class PlusOrder:
    """A text that plus tests are to be run on, as `edits`. `digest` names the tests' text. `audit`: what passes has a
    control run."""

    task: Task
    edits: tuple[Edit, ...]
    suites: tuple[str, ...]
    digest: str
    audit: bool


def run_plus_tests_and_due_sabotages(site: Site, image: Image, folder: Path, order: PlusOrder) -> TestRun:
    """What plus tests say of a text, each of them, and the control run where that is due. Raises as `execute_edits`
    does, InfraErrors of the sandbox."""
    edits, suites = order.edits, order.suites
    options = ExecutionOptions(stop_at_first=False, compiled=site.objects.take_objects(image, edits))
    run = _mark_overload_timeout_as_infra_error(
        site, execute_edits(image, edits, site.backend, suites, folder, options)
    )
    passed = [suite.suite for suite in run.suites if not why_suite_failed(suite, image.expected)]
    if run.infra_error or not order.audit or not passed:
        return run
    known = PlusControls(image, site.backend, site.cache)
    return replace(
        run, controls=known.run_controls_on_noticing_suites(order.task, edits, passed, order.digest, folder)
    )


def _mark_overload_timeout_as_infra_error(site: Site, run: TestRun) -> TestRun:
    """A time-out on an overloaded machine says nothing of the text, unless the text itself overloads it: each node in
    turn would try it and rest."""
    if has_timed_out_step(run) and not _is_most_load_its_own(run) and (problem := site.overloaded()):
        return replace(run, infra_error=f"stopped at a time limit while {problem}")
    return run


def compare_candidate_with_gold(
    site: Site, image: Image, folder: Path, compare: GoldComparison, task: Task, code: str, suites: Sequence[str]
) -> Differential:
    """Compare the text with the gold call by call. Raises as `compare` does."""
    return compare(image, task, [code], site.backend, suites, folder)[0]


def check_draft(site: Site, image: Image, folder: Path, target: Target, code: str) -> Sequence[Diagnostic]:
    """The compiler's messages on a draft, in a session of its own. Raises as `open_compiler` does."""
    del folder
    with open_compiler(image, site.backend, target, open_header_store(site.cache)) as compiler:
        return compiler.check(code)
