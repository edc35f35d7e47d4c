"""Build and test texts. Equal texts run once, and a finished execution is never repeated."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from executor.function.splice import make_edits
from executor.grading.exact_match import compare_text_tokens_and_edit_similarity
from executor.grading.grade import (
    CONTROL,
    find_suites_with_refused_control,
    find_suites_without_late_control_run,
    grade,
    limit_expected_to_suites,
)
from executor.grading.logs.results import reread_test_run
from executor.repository.baseline import Baseline, join_baselines
from executor.repository.images import Image
from executor.repository.recipe import Recipe
from executor.repository.suites import digest_plus_tests
from executor.values import Audit, ControlRun, ExpectedTests, Outcome, Step, Task, TestRun, Verdict
from executor.workers.candidate_work import (
    Order,
    PlusOrder,
    compare_candidate_with_gold,
    find_idling_suites_printing_surplus,
    has_timed_out_step,
    is_passed_run_awaiting_control,
    run_candidate_and_due_sabotages,
    run_plus_tests_and_due_sabotages,
)
from executor.workers.contract import GoldComparison, Workers, estimate_needs
from experiments.files import write_atomically
from experiments.run.records import (
    EXECUTIONS,
    SAMPLES,
    Execution,
    PlusRun,
    SampleKey,
    encode_json_value,
    locate_story,
    name_execution_folder,
    read_json_file,
)
from experiments.run.sample_facts import AuditFacts, AuditState, Compare
from experiments.run.workspace import Repo
from index.errors import InfraError
from index.key_locks import KeyLocks
from index.source_text import encode_source

log = logging.getLogger(__name__)

# After an infrastructure failure: one more try after each of these pauses, in seconds.
INFRA_PAUSES = (1.0, 5.0)
RECORD = "execution.json"
EXPECTED = "expected"
PLUS = "plus"

ExecutionFolder = str
"""An execution's folder, relative to the run's."""
RetryCount = int


@dataclass(frozen=True, slots=True)
class Executions:
    """`run` is the run's folder; `workers` build and test. `audit`: which candidates that pass get a control run; with
    `golds` also those whose text equals the gold's. `compare`: which are compared with the gold call by call;
    `comparison` does it. `plus`: those that pass run Graft's own further tests. `patient`: what a time limit cut off
    or other work disturbed runs once more, alone."""

    run: Path
    workers: Workers
    audit: Audit = "none"
    golds: bool = False
    compare: Compare = "none"
    comparison: GoldComparison | None = None
    plus: bool = False
    patient: bool = True
    locks: KeyLocks = field(default_factory=KeyLocks)

    def build_and_test_once(self, repo: Repo, task: Task, code: str) -> tuple[ExecutionFolder, Execution]:
        """Build and test `code`, or take the result from disk where it has run before. Returns the execution's folder,
        relative to the run's, and the execution. One that ends in an infrastructure failure after all retries isn't
        kept.
        """
        repo.wait_until_task_suites_measured(task.id)
        suites = repo.list_judging_suites(task.id)
        name = name_execution_folder(task.id, repo.image.key, suites, code)
        folder = self.run / name
        with self.locks.hold(name):
            done = _read_stored_execution(folder)
            kept = done
            order = self._make_build_and_test_order(repo, task, code)
            if done is None or is_passed_run_awaiting_control(done.run, repo.image.expected, order):
                # What was made without a control run gets it now.
                before = None if done is None else done.run
                done = self._execute_build_and_test_order(repo, task, replace(order, before=before), folder)
                if self.patient:
                    done = self._rerun_disturbed_suites_alone(repo, task, order, done, folder)
                if kept is not None:
                    done = replace(done, differential=kept.differential, plus=kept.plus)
            done = self._run_plus_tests_if_due(repo, task, done, folder)
            done = self._compare_with_gold_if_due(repo, task, done, folder)
            if done != kept and not done.run.infra_error:
                write_atomically(folder / "candidate.txt", encode_source(code))
                write_atomically(folder / RECORD, encode_json_value(done, indent=1))
            return name, done

    def _rerun_disturbed_suites_alone(
        self, repo: Repo, task: Task, order: Order, done: Execution, folder: Path
    ) -> Execution:
        """The execution, done again with the machine to itself where Graft's other sandboxes may have disturbed it:
        all of it where a step was stopped at its time limit, a disturbed suite failed, or the text is the gold's and
        failed (redis's client-eviction does, once in some hundred runs), else the disturbed suites."""
        disturbed = find_idling_suites_printing_surplus(done.run, repo.image)
        passed = _has_passed_its_suites(done, repo)
        failed_by_chance = (
            not passed
            and not done.run.infra_error
            and compare_text_tokens_and_edit_similarity(done.code, task.gold).tokens
        )
        if not disturbed and not has_timed_out_step(done.run) and not failed_by_chance:
            return done
        if not passed:
            again = self._execute_build_and_test_order(repo, task, order, folder, alone=True)
            return replace(again, retries=done.retries + 1)
        some = replace(order, first=disturbed, then=(), audit="none")
        run = self._execute_build_and_test_order(repo, task, some, folder, alone=True).run
        suites = {suite.suite: suite for suite in (*done.run.suites, *run.suites)}
        return replace(
            done,
            run=replace(done.run, suites=tuple(suites.values()), infra_error=run.infra_error),
            retries=done.retries + 1,
        )

    def _run_plus_tests_if_due(self, repo: Repo, task: Task, done: Execution, folder: Path) -> Execution:
        """The execution with what the task's plus tests say of it, where they are due. It is built anew: what the
        suites left in the tree can't help it."""
        tests = repo.list_plus_tests_gold_passes(task.id) if self.plus else ()
        digest = digest_plus_tests(tests)
        known = done.plus is not None and done.plus.digest == digest and not done.plus.run.infra_error
        if not tests or known or not _has_passed_its_suites(done, repo):
            return done
        names = tuple(test.name for test in tests)
        audit = self.audit != "none" and (
            self.golds or not compare_text_tokens_and_edit_similarity(done.code, task.gold).tokens
        )
        order = PlusOrder(task, make_edits(task.target, done.code), names, digest, audit)
        given = (run_plus_tests_and_due_sabotages, repo.image, folder / PLUS, order, names)
        run, _ = self._run_with_retries(*given, alone=False)
        if has_timed_out_step(run):
            run, _ = self._run_with_retries(*given, alone=True)
        return replace(done, plus=PlusRun(digest, names, run))

    def _compare_with_gold_if_due(self, repo: Repo, task: Task, done: Execution, folder: Path) -> Execution:
        """The execution with what a comparison with the gold finds, where one is due."""
        done = replace(done, strict=self.compare == "strict")
        due = self.compare != "none" and len(task.target.holes) == 1 and done.differential is None
        if not due or self.comparison is None or not _has_passed_its_suites(done, repo):
            return done
        try:
            suites = repo.list_suites_answer_must_pass(task.id)
            found = self.workers.run_work_in_sandbox(
                compare_candidate_with_gold,
                repo.image,
                folder / "differential",
                self.comparison,
                task,
                done.code,
                suites,
                needs=estimate_needs(repo.image, suites),
            )
        except (OSError, InfraError) as error:
            log.warning(f"{task.id}: not compared with the gold: {error}")
            return done
        return replace(done, differential=found)

    def _make_build_and_test_order(self, repo: Repo, task: Task, code: str) -> Order:
        first = repo.list_suites_answer_must_pass(task.id)
        known = {} if repo.health is None else repo.health.sabotages
        return Order(
            task.id,
            make_edits(task.target, code),
            code,
            task.gold,
            first,
            tuple(name for name in repo.list_judging_suites(task.id) if name not in first),
            self.audit,
            self.golds,
            {name: known[name] for name in first if name in known},
        )

    def _execute_build_and_test_order(
        self, repo: Repo, task: Task, order: Order, folder: Path, *, alone: bool = False
    ) -> Execution:
        suites = (*order.first, *order.then)
        run, retries = self._run_with_retries(
            run_candidate_and_due_sabotages, repo.image, folder, order, suites, alone=alone
        )
        return Execution(task.id, task.target.repo, repo.image.key, order.code, suites, run, retries)

    def _run_with_retries(
        self,
        work: Callable[..., TestRun],
        image: Image,
        folder: Path,
        order: Order | PlusOrder,
        suites: Sequence[str],
        *,
        alone: bool,
    ) -> tuple[TestRun, RetryCount]:
        """The run, tried again after each infrastructure failure, and how often. A failure that remains is in the
        run."""
        needs = estimate_needs(image, suites, alone=alone)
        retries = -1
        for pause in (0.0, *INFRA_PAUSES):
            time.sleep(pause)
            retries += 1
            try:
                run = self.workers.run_work_in_sandbox(work, image, folder, order, needs=needs)
            except (OSError, InfraError) as error:
                # A full disk or too many open files on the host is never the candidate's fault.
                run = TestRun((), (), (), f"{type(error).__name__}: {error}")
            if not run.infra_error:
                break
        return run, retries


def _has_passed_its_suites(done: Execution, repo: Repo) -> bool:
    expected = limit_expected_to_suites(repo.image.expected, done.suites)
    return not done.run.infra_error and grade(done.run, expected, done.code).has_passed_or_awaits_review


def _read_stored_execution(folder: Path) -> Execution | None:
    """The execution that is kept in the folder; None where there is none, or a damaged one, which is to be done
    again."""
    path = folder / RECORD
    if not path.is_file():
        return None
    try:
        found = read_json_file(Execution, path)
        gone = {step.log for step in list_steps_without_controls(found.run)} - _list_file_names(folder)
        if gone:
            raise InfraError(f"{folder / min(gone)}: missing")
    except InfraError as error:
        log.warning(f"{error}; its text is built and tested again")
        return None
    return found


def find_incomplete_samples(run: Path, finished: Mapping[SampleKey, Sequence[str]]) -> set[SampleKey]:
    """The finished samples (each with its executions' folders) of which the run's folder lacks the story or an
    execution, or holds a damaged one: they are done again, from stored answers. Where a whole folder was removed,
    somebody saved the space, and none is."""
    told, ran = ((run / name).is_dir() for name in (SAMPLES, EXECUTIONS))
    whole: dict[str, bool] = {}
    stories: dict[tuple[str, str], Collection[str]] = {}
    found: set[SampleKey] = set()
    for key, names in finished.items():
        for name in names if ran else ():
            if name not in whole:
                whole[name] = _read_stored_execution(run / name) is not None
            if not whole[name]:
                found.add(key)
        if told:
            if key[:2] not in stories:
                stories[key[:2]] = _list_file_names(locate_story(run, *key).parent)
            if f"{key[2]}.json" not in stories[key[:2]]:
                found.add(key)
    return found


def _list_file_names(folder: str | Path) -> set[str]:
    """The names of the files in a folder; none where there is no folder."""
    try:
        with os.scandir(folder) as entries:
            return {entry.name for entry in entries if entry.is_file()}
    except OSError:
        return set()


def find_changed_suites(before: ExpectedTests, after: ExpectedTests) -> set[str]:
    """The suites that both know and of which `after` expects something else."""
    return {
        name
        for name in before.suites.keys() & after.suites.keys()
        if before.suites[name] != after.suites[name]
        or before.list_ignored_tests(name) != after.list_ignored_tests(name)
        or before.statuses.get(name) != after.statuses.get(name)
    }


def select_samples_with_matching_execution(
    run: Path, finished: Mapping[SampleKey, Sequence[str]], matches: Callable[[Execution], bool]
) -> dict[SampleKey, Sequence[str]]:
    """The finished samples, each with its executions' folders, that have an execution which is meant."""
    known: dict[str, bool] = {}
    for name in {name for names in finished.values() for name in names}:
        found = _read_stored_execution(run / name)
        known[name] = found is not None and matches(found)
    return {key: names for key, names in finished.items() if any(known[name] for name in names)}


def save_expected_tests_in_run(run: Path, images: Mapping[str, Image]) -> None:
    """Copy the expected tests into the run's folder, so that it can be graded when the images are gone. What an
    earlier part of the run had measured stays: this part's tasks may need other suites."""
    for name, image in images.items():
        path = run / EXPECTED / f"{name}.json"
        expected = image.expected
        if path.is_file():
            # A damaged file is written anew.
            with suppress(InfraError):
                earlier = Baseline(read_json_file(ExpectedTests, path), {})
                expected = join_baselines(earlier, Baseline(expected, {})).expected
        write_atomically(path, encode_json_value(expected, indent=1))


def grade_execution(execution: Execution, expected: ExpectedTests) -> Verdict:
    """By the suites; of a `strict` execution a difference from the gold fails what they pass."""
    verdict = grade(execution.run, limit_expected_to_suites(expected, execution.suites), execution.code)
    found = execution.differential
    if verdict.has_passed_or_awaits_review and execution.strict and found is not None and found.differs:
        return replace(
            verdict,
            outcome=Outcome.TESTS_FAILED,
            reason=f"beside the gold: {found.difference_agreement_or_not_applicable_line}",
        )
    return verdict


def describe_plus_test_result_or_empty(execution: Execution, expected: ExpectedTests) -> str:
    """What the plus tests say of an execution that passed its suites (see `SampleRecord.plus`)."""
    found = execution.plus
    if found is None or not grade_execution(execution, expected).has_passed_or_awaits_review:
        return ""
    if found.run.infra_error or not expected.suites.keys() >= set(found.suites):
        return f"not run: {found.run.infra_error or 'the run expects other tests'}"
    verdict = grade(found.run, limit_expected_to_suites(expected, found.suites), execution.code)
    if verdict.has_passed_or_awaits_review and find_suites_with_refused_control(found.run.controls):
        return f"not told: {verdict.reason}"
    return "passed" if verdict.has_passed_or_awaits_review else f"failed: {verdict.reason}"


def grade_stored_execution(run: Path, name: str, recipe: Recipe, expected: ExpectedTests) -> tuple[Execution, Verdict]:
    """The verdict on a stored execution from its raw logs, by today's parsers and rules; nothing is run."""
    execution = read_json_file(Execution, run / name / RECORD)
    execution = replace(execution, run=reread_test_run(run / name, execution.run, recipe.find_parser))
    if (plus := execution.plus) is not None and {suite.name for suite in recipe.plus_suites}.issuperset(plus.suites):
        again = reread_test_run(run / name / PLUS, plus.run, recipe.find_parser)
        execution = replace(execution, plus=replace(plus, run=again))
    return execution, grade_execution(execution, expected)


def list_steps_without_controls(run: TestRun) -> Sequence[Step]:
    return (*run.check, *run.build, *(suite.step for suite in run.suites))


def collect_control_run_state_and_costs(run: TestRun, verdict: Verdict) -> AuditFacts:
    """What the control run of an execution showed and cost."""
    if not run.controls:
        return AuditFacts()
    known = [control for control in run.controls if control.function]
    missing = (*find_suites_without_late_control_run(run.controls), *find_suites_with_refused_control(run.controls))
    state: AuditState = "forged" if verdict.reason.startswith(CONTROL) else "partly" if missing else "honest"
    return AuditFacts(
        state if known else "unknown",
        sum(step.cost_s for step in list_control_steps(run.controls)),
        sum(step.cost_s for step in list_steps_without_controls(run)),
    )


def list_control_steps(controls: Sequence[ControlRun]) -> Sequence[Step]:
    return [
        step
        for control in controls
        for step in (*control.build, *(suite.step for suite in (*control.sabotaged_runs, *control.idle)))
    ]


def sum_build_cpu_s(run: TestRun) -> float | None:
    """CPU seconds from the text to the linked program; None when it wasn't linked or the sandbox doesn't measure."""
    steps = (*run.check, *run.build)
    known = [step.cpu_s for step in steps if step.cpu_s is not None]
    linked = bool(run.build) and all(step.exit_code == 0 for step in steps)
    return sum(known) if linked and len(known) == len(steps) else None
