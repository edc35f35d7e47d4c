"""The golds, stubs and plus tests of a variant's tasks, and what the doctor found on the original once more.

A trial that ended as it should is written down and isn't repeated by a later call; one that didn't is tried again.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from executor.candidate.execute import ExecutionOptions, execute_edits
from executor.function.splice import make_edits
from executor.grading.grade import grade, limit_expected_to_suites
from executor.manifest.health import (
    Fate,
    Finding,
    Health,
    HealthManifest,
    PlusHealth,
    TaskHealth,
    judge_task_by_suites_alone,
)
from executor.manifest.manifest import choose_judging_suites
from executor.manifest.variant.renamed_files import rename_files_in_code
from executor.manifest.variant.renamed_tasks import rename_plus_tests
from executor.manifest.variant.renamed_text import rename_code
from executor.manifest.variant.values import VariantRecord
from executor.repository.images import Image
from executor.repository.recipe import Recipe
from executor.repository.suites import digest_plus_tests
from executor.sandbox.contract import Backend
from executor.sandbox.scheduled import find_concurrent_command_limit
from executor.threads import map_in_threads_as_completed
from executor.values import Outcome, Task, Verdict
from index.errors import InfraError, TaskError
from index.progress import SILENT, Progress
from lab.doctor.body_trial import BuildPlanner, write_text_and_open_trial
from lab.doctor.stubs_and_mutants import (
    is_plain_zero_stub,
    make_mutant_variants,
    make_plain_stub_variant_per_hole,
    make_stub_variants,
)
from lab.wrong.body_file import find_body_file, make_usable_bodies, read_body_entries

log = logging.getLogger(__name__)

# Of the doctor's mutants that a suite killed, so many of a task are tried again; all of its stubs are.
_MUTANTS_PER_TASK = 3


@dataclass(frozen=True, slots=True)
class TaskPair:
    """A task on the original tree, and the same on the variant's."""

    original: Task
    renamed: Task

    @property
    def id(self) -> str:
        return self.original.id


@dataclass(frozen=True, slots=True)
class TrialSetup:
    """Where the trials run: the images of the variant and of the original, the maps of names and of files, the
    original's manifest (None where there is none), and the folder of their logs."""

    image: Image
    original: Image
    backend: Backend
    names: Mapping[str, str]
    manifest: HealthManifest | None
    folder: Path
    paths: Mapping[str, str] = field(default_factory=dict)

    def rename_body(self, text: str) -> str:
        """A body of the original as the variant has it: comments and `#include` lines name files."""
        return rename_files_in_code(rename_code(text, self.names), self.paths)

    def choose_suites(self, task_id: str) -> tuple[str, ...]:
        return choose_judging_suites(self.image.recipe, self.manifest, task_id)


@dataclass(frozen=True, slots=True)
class Tally:
    """Of the `tried` tasks, the ids of those that did as they should, and a line for each of the others."""

    passed: tuple[str, ...] = ()
    tried: int = 0
    problems: tuple[str, ...] = ()


def try_golds(setup: TrialSetup, pairs: Sequence[TaskPair], runs: int, progress: Progress = SILENT) -> Tally:
    """Whether each renamed gold is the original's, renamed, and passes its suites in all `runs`. It is built once, and
    its suites run so often; if one doesn't pass there, as many fresh sandboxes decide. Raises InfraError."""

    def find_gold_problem(pair: TaskPair) -> str:
        if setup.names and setup.rename_body(pair.original.gold) != pair.renamed.gold:
            return "the variant's tree doesn't hold the renamed gold at its lines"
        if grade_text(setup, pair, "gold", pair.renamed.gold, 0, runs).outcome is Outcome.PASSED:
            return ""
        for number in range(runs):
            verdict = grade_text(setup, pair, "gold", pair.renamed.gold, number)
            if verdict.outcome is not Outcome.PASSED:
                return f"run {number + 1}: {verdict.reason}"
        return ""

    return _run_trials_and_tally(setup, "gold", pairs, find_gold_problem, progress, f"{runs} runs")


def try_stubs(
    setup: TrialSetup,
    record: VariantRecord,
    pairs: Sequence[TaskPair],
    plus_tasks: Collection[str] = (),
    progress: Progress = SILENT,
) -> Tally:
    """Whether the plain stub fails, for the tasks on which it fails on the original; of a task of several functions
    that of each, beside the others' golds. As on the original, all that grades the task counts: `plus_tasks` are those
    whose plus tests grade it here too. Raises InfraError."""
    plus = _use_renamed_plus_tests(setup, record) if plus_tasks else setup

    def is_passing_plus_tests(pair: TaskPair, name: str, code: str) -> bool:
        return pair.id not in plus_tasks or _grade_by_plus_tests(plus, pair, name, code).outcome is Outcome.PASSED

    def find_stub_problem(pair: TaskPair) -> str:
        try:
            stubs = make_plain_stub_variant_per_hole(pair.renamed)
        except TaskError as error:
            return str(error)
        for number, stub in enumerate(stubs):
            verdict = grade_text(setup, pair, "stub", stub.text, number)
            which = "the stub" + f" of {pair.renamed.target.holes[number].name}" * (len(stubs) > 1)
            if verdict.outcome is Outcome.PASSED and is_passing_plus_tests(pair, f"plain-{number}", stub.text):
                return f"{which} passes"
            if not verdict.built:
                return f"{which} doesn't build: {verdict.reason}"
        return ""

    return _run_trials_and_tally(
        setup,
        "stub",
        [pair for pair in pairs if _is_pair_known_valid_by_suites(setup, pair)],
        find_stub_problem,
        progress,
    )


def repeat_findings(setup: TrialSetup, pairs: Sequence[TaskPair], progress: Progress = SILENT) -> Tally:
    """Whether the doctor's findings hold on the variant: the plain stub meets the same fate in the same suite, which
    decides the task's health; every other stub and some mutants that a suite killed are killed by that suite again.
    The texts are the original's variants, renamed. What differs is tried on the original as well: a fate that doesn't
    repeat there either, as of a kill by chance, says nothing of the names. Raises InfraError."""
    manifest = setup.manifest
    known = [] if manifest is None else [pair for pair in pairs if pair.id in manifest.tasks]

    def find_difference(pair: TaskPair) -> str:
        assert manifest is not None
        variants = (*make_stub_variants(pair.original), *make_mutant_variants(pair.original, sys.maxsize))
        texts = {(variant.kind, variant.name): variant.text for variant in variants}
        renamed = BuildPlanner(setup.image, pair.renamed)
        original = BuildPlanner(setup.original, pair.original)
        for found in _choose_findings_to_repeat(manifest.tasks[pair.id]):
            text = texts.get((found.kind, found.name))
            if text is None:
                continue
            wrong = _repeat_finding_and_explain_difference(setup, renamed, "renamed", found, setup.rename_body(text))
            if wrong and not _repeat_finding_and_explain_difference(setup, original, "original", found, text):
                return wrong
            if wrong:
                log.info(f"{pair.id} {wrong}; nor does it repeat on the original, so it doesn't count")
        return ""

    return _run_trials_and_tally(setup, "rerun", known, find_difference, progress)


def _choose_findings_to_repeat(health: TaskHealth) -> list[Finding]:
    """What `rerun` tries again of a task: the plain stub, and of what a suite killed all other stubs and _MUTANTS
    mutants."""
    killed = [found for found in health.findings if found.fate is Fate.KILLED]
    plain = [
        found
        for found in health.findings
        if is_plain_zero_stub(found.kind, found.name) and found.fate in (Fate.KILLED, Fate.SURVIVED)
    ]
    stubs = [found for found in killed if found.kind == "stub" and not is_plain_zero_stub(found.kind, found.name)]
    return [*plain, *stubs, *[found for found in killed if found.kind == "mutant"][:_MUTANTS_PER_TASK]]


def _repeat_finding_and_explain_difference(
    setup: TrialSetup, planner: BuildPlanner, side: str, found: Finding, text: str
) -> str:
    """Run the finding's suites on the text, on the tree that `side` names. Returns how the fate differs, or ""."""
    suites = found.ran if is_plain_zero_stub(found.kind, found.name) else (found.by,)
    logs = setup.folder / "reruns" / planner.task.id / side / f"{found.kind}-{found.name.replace('/', '-')}"
    what = f"{found.kind} {found.name}"
    with setup.backend.session(planner.image.key) as session:
        trial = write_text_and_open_trial(planner, session, text, logs, backend=setup.backend)
        for suite in suites:
            if not trial.build_for_suite(suite):
                return f"{what} doesn't build: {trial.failed}"
            problem = trial.run_suite_and_explain_failure(suite, patient=True)
            if problem and suite != found.by:
                return f"{what} is killed by {suite} ({problem}), on the original by {found.by or 'no suite'}"
            if problem:
                return ""
    return f"{what} passes {found.by}, which kills it on the original" if found.by else ""


def prove_renamed_plus_tests(
    setup: TrialSetup, record: VariantRecord, pairs: Sequence[TaskPair], runs: int, progress: Progress = SILENT
) -> Tally:
    """Whether a task's renamed plus tests let its gold pass in all `runs`, fail as many of its stubs as on the
    original, and give each of its wrong bodies the fate that it met there. Tasks whose plus tests were never seen to
    hold on the original aren't tried. Raises InfraError."""
    recipe = setup.image.recipe
    known = find_sound_plus_tests(recipe, setup.manifest)
    tried = [pair for pair in pairs if pair.id in known]
    # Bodies may stand elsewhere, as graft-suite's do: the proof is then by golds and stubs alone.
    path = find_body_file(recipe)
    entries = read_body_entries(path) if tried and path.is_file() else {}
    plus = _use_renamed_plus_tests(setup, record)

    def find_difference(pair: TaskPair) -> str:
        found = known[pair.id]

        def is_killed(name: str, code: str) -> bool:
            return _grade_by_plus_tests(plus, pair, name, code).outcome is not Outcome.PASSED

        for number in range(runs):
            verdict = _grade_by_plus_tests(plus, pair, f"gold-{number + 1}", pair.renamed.gold)
            if verdict.outcome is not Outcome.PASSED:
                return f"the gold fails: {verdict.reason}"
        stubs = [variant.text for variant in make_stub_variants(pair.renamed)]
        killed = sum(is_killed(f"stub-{number}", text) for number, text in enumerate(stubs))
        if (killed, len(stubs)) != (found.stubs_killed, found.stubs):
            return f"{killed} of {len(stubs)} stubs fail, on the original {found.stubs_killed} of {found.stubs}"
        texts = {body.digest: body.text for body in make_usable_bodies(pair.original, entries)}
        for body in found.bodies:
            if (text := texts.get(body.digest)) is None or body.fate not in (Fate.KILLED, Fate.SURVIVED):
                continue
            if is_killed(f"wrong-{body.digest}", setup.rename_body(text)) != (body.fate is Fate.KILLED):
                return f"the wrong body {body.kind} {body.digest} is {body.fate.value} on the original alone"
        return ""

    digest = digest_plus_tests(recipe.plus_suites)
    return _run_trials_and_tally(setup, "plus test", tried, find_difference, progress, f"{runs} runs, {digest}")


def _use_renamed_plus_tests(setup: TrialSetup, record: VariantRecord) -> TrialSetup:
    return replace(setup, image=replace(setup.image, recipe=rename_plus_tests(setup.image.recipe, record)))


def _grade_by_plus_tests(setup: TrialSetup, pair: TaskPair, name: str, code: str) -> Verdict:
    suites = tuple(suite.name for suite in setup.image.recipe.list_plus_tests_of_task(pair.id))
    folder = setup.folder / "plus" / pair.id / name
    return _run_and_grade(setup, pair, name, code, suites, folder, ExecutionOptions(stop_at_first=False))


def find_sound_plus_tests(recipe: Recipe, manifest: HealthManifest | None) -> dict[str, PlusHealth]:
    """Task id -> what is known of its plus tests on the original: of those alone that hold there, and that are still
    the tests which were judged."""
    return {
        task: found
        for task, found in (manifest.plus.items() if manifest else ())
        if found.has_gold_always_passed and found.digest == digest_plus_tests(recipe.list_plus_tests_of_task(task))
    }


def _is_pair_known_valid_by_suites(setup: TrialSetup, pair: TaskPair) -> bool:
    known = setup.manifest.tasks.get(pair.id) if setup.manifest else None
    return known is not None and judge_task_by_suites_alone(known).health is Health.VALID


def grade_text(
    setup: TrialSetup, pair: TaskPair, what: str, code: str, log_number: int, suite_rounds: int = 1
) -> Verdict:
    """The verdict on a text in the place of the variant's function, in a fresh session: of `suite_rounds` the
    first that doesn't pass, or the last. Raises InfraError."""
    logs = setup.folder / f"{what}s" / f"{pair.id}-{log_number + 1}"
    suites = setup.choose_suites(pair.id)
    return _run_and_grade(setup, pair, what, code, suites, logs, ExecutionOptions(), suite_rounds)


def _run_and_grade(
    setup: TrialSetup,
    pair: TaskPair,
    what: str,
    code: str,
    suites: tuple[str, ...],
    logs: Path,
    options: ExecutionOptions,
    rounds: int = 1,
) -> Verdict:
    run = execute_edits(
        setup.image, make_edits(pair.renamed.target, code), setup.backend, suites * rounds, logs, options
    )
    expected = limit_expected_to_suites(setup.image.expected, suites)
    each = range(0, len(run.suites), len(suites)) if suites else range(0)
    parts = [replace(run, suites=run.suites[start : start + len(suites)]) for start in each] or [run]
    verdicts = [grade(part, expected, code) for part in parts]
    verdict = next((found for found in verdicts if found.outcome is not Outcome.PASSED), verdicts[-1])
    if verdict.outcome is Outcome.INFRA_ERROR:
        raise InfraError(f"{pair.id} {what}: {verdict.reason}; the same command continues")
    return verdict


def _run_trials_and_tally(
    setup: TrialSetup,
    what: str,
    pairs: Sequence[TaskPair],
    find_problem: Callable[[TaskPair], str],
    progress: Progress,
    detail: str = "",
) -> Tally:
    # The trials that ended as they should, a line each; half a line of a killed process is like no key.
    journal, lock = setup.folder / "trials.jsonl", threading.Lock()
    done = set(journal.read_text(encoding="utf-8").splitlines()) if journal.is_file() else set[str]()
    problems: dict[str, str] = {}
    left = [pair for pair in pairs if _make_trial_key(setup, what, pair, detail) not in done]

    def try_pair(pair: TaskPair) -> None:
        wrong = find_problem(pair)
        if wrong:
            problems[pair.id] = f"{what} {pair.id} {pair.renamed.target.name}: {wrong}"
            return
        with lock, journal.open("a", encoding="utf-8") as file:
            file.write(_make_trial_key(setup, what, pair, detail) + "\n")

    with progress.open_count(f"{what}s", len(left)) as advance:
        for _ in map_in_threads_as_completed(try_pair, left, find_concurrent_command_limit(setup.backend)):
            advance()
    lines = tuple(problems[pair.id] for pair in pairs if pair.id in problems)
    passed = tuple(pair.id for pair in pairs if pair.id not in problems)
    return Tally(passed, len(pairs), lines)


def _make_trial_key(setup: TrialSetup, what: str, pair: TaskPair, detail: str) -> str:
    return json.dumps([setup.image.key, what, pair.id, detail, setup.choose_suites(pair.id)])
