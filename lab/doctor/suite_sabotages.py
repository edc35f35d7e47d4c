"""The search for one suite's sabotages: functions that it notices when they are broken.

A sabotage is tried in this order, each time in a fresh session:
1. With the function broken the suite must fail, three times of three, in what a candidate's time limit allows.
2. With it broken only until the task's function has been left for the first time (and while that runs), the suite must
   pass. So the fault shows after the task's function was entered, and outside it: a body that forges results has had
   its chance to hide it, and an honest body that needn't call the broken function is failed as well.
3. Where too few do that, it must at least show while the task's function isn't running. Where there is one at most
   even so, the same function is broken in another way.
4. With the gold as the candidate the suite must fail too.

Before these the task's own function is tried: the gold's body works once, three times or ten times in a process and is
a stub from then on. So the fault shows after the function was entered, in the very tests that enter it, and an honest
body fails them as the gold does. The suite must fail with it three times of three. A function that calls itself has
none, nor one that another function of the same task calls: another body may make fewer of these calls. Many a stub
leaves a client waiting for a reply until the suite's own driver gives up. That fails too, but each control then waits
as long, so such a fault is taken only where there is one sabotage at most otherwise.
"""

from __future__ import annotations

import logging
import math
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from executor.candidate.control_runs import (
    BrokenObjects,
    Objects,
    build_with_two_edits,
    compile_sabotaged_objects,
    language_of_path,
    make_after_calls_sabotages_of_uncalled_functions,
    make_edits_breaking_after_calls,
    make_sabotage_edit,
)
from executor.candidate.execute import (
    make_edited_files,
    plan_rebuild_after_edits,
    read_objects,
    read_unmodified_file,
    run_suite,
    suite_limit_s,
)
from executor.candidate.runner import Runner
from executor.confine.confinement import Confinement
from executor.function.call_limited_text import read_call_limit
from executor.function.definition import insert_statement_at_body_start
from executor.function.sabotage import (
    Change,
    digest_definition,
    list_sabotage_changes_latest_first,
    make_change_conditional,
    make_target_at,
    read_definition_at,
)
from executor.function.splice import Edit, make_edits
from executor.grading.grade import why_suite_failed
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.values import Sabotage, Task
from index.errors import RecipeError, TaskError
from index.values import Span
from lab.doctor.function_watch import ENTER, UNTIL_LEFT, WATCH_DECLARATIONS, WHILE_NOT_RUNNING
from lab.doctor.sabotage_candidates import BreakableFunction

log = logging.getLogger(__name__)

SABOTAGE_RUNS = 3
# Mutants of one function to choose from, and how many to try before an early return: if the suite notices none of a
# few, it hardly tests the function.
_MUTANTS = 24
_MOST_FAULTS = 2
# Other faults, and other early returns, of a function that the suite is known to notice.
_MOST_OTHERS = 3
# So often may the task's own function work before it breaks.
_CALLS_BEFORE_FAULT = (1, 3, 10)
# Seconds for a slow suite: so many times what it takes.
_BUDGET_FACTOR = 25.0
# After so many faults in a row that show too early for a task, only functions that call the task's are tried on it.
_MOST_MISSES = 3
# A broken function may hang the suite: it isn't waited for so long at first.
_HANG_FACTOR = 6.0
_HANG_MIN_S = 15.0


@dataclass(frozen=True, slots=True)
class SearchEffort:
    """`wanted`: sabotages for each pair of task and suite. `budget_s`: wall seconds for one suite; a slow one gets
    more. `ends`: when the whole search is to end, in seconds since the epoch."""

    wanted: int = 3
    budget_s: float = 600.0
    ends: float = math.inf


@dataclass(slots=True)
class _Killer:
    """A sabotage with what it is made of. `after`, `outside`: ids of the tasks that it fits in this way."""

    sabotage: Sabotage
    definition: str
    change: Change
    after: set[str] = field(default_factory=set)
    outside: set[str] = field(default_factory=set)

    @property
    def span(self) -> Span:
        return Span(self.sabotage.first, self.sabotage.last)

    def make_edit(self, text: str, before: str = "") -> Edit:
        return Edit(self.sabotage.path, self.span, text, before)

    def was_found_to_fit(self, task: Task) -> bool:
        return task.id in self.after or task.id in self.outside


@dataclass(slots=True)
class SabotageSearch:
    """The search for one suite. `known`: sabotages that were found before. `own`: those of the tasks' own functions;
    `hung`: by task id, further ones that the suite may tell when it is given more time."""

    image: Image
    backend: Backend
    suite: str
    tasks: Sequence[Task]
    effort: SearchEffort
    folder: Path
    broken: BrokenObjects
    known: Sequence[Sabotage] = ()
    started: float = field(default_factory=time.monotonic)
    killers: list[_Killer] = field(default_factory=list)
    own: list[Sabotage] = field(default_factory=list)
    misses: Counter[str] = field(default_factory=Counter)
    hung: dict[str, list[Sabotage]] = field(default_factory=dict)
    probes: dict[str, tuple[tuple[Edit, ...], Objects] | None] = field(default_factory=dict)
    trials: int = 0

    def search_suite(self, chosen: Sequence[BreakableFunction]) -> tuple[Sabotage, ...]:
        functions = 0
        self.folder.mkdir(parents=True, exist_ok=True)
        self.own = [made for made in self.known if read_call_limit(made.change) is not None]
        others = [made for made in self.known if made not in self.own]
        self.killers = [killer for made in others if (killer := self._restore_stored_killer(made)) is not None]
        for task in self.tasks:
            self._try_breaking_task_after_some_calls(task)
        tried = {(made.path, made.first) for made in others if made.tasks}
        for suspect in chosen:
            lacking = [
                task
                for task in self.tasks
                if self._count_fitting_sabotages(task, must_show_after_task=True) < self.effort.wanted
            ]
            if not lacking or self._measure_elapsed_seconds() > self._budget_s:
                break
            needy = [task for task in lacking if not _is_overlapping_task(suspect.path, suspect.span, task)]
            if needy and (suspect.path, suspect.span.first) not in tried:
                functions += 1
                self._try_breaking_function(suspect, needy)
        for task in self.tasks:
            for killer in self.killers:
                if not self._has_time_and_under_two_sabotages(task):
                    break
                overlaps = _is_overlapping_task(killer.sabotage.path, killer.span, task)
                if not overlaps and not killer.was_found_to_fit(task):
                    self._try_and_note_task_fit(killer, task, must_show_after_task=False)
            for killer in [each for each in self.killers if each.was_found_to_fit(task)]:
                self._try_changes_until_another_fits(killer, task)
            for fault in self.hung.get(task.id, ()):
                # Waited for as a candidate's control would.
                if self._has_time_and_under_two_sabotages(task):
                    self._break_task_and_keep_failing_fault(task, fault, longer=True)
        found = (*self.own, *(made for killer in self.killers if (made := self._confirm_sabotage(killer))))
        counts = ", ".join(
            f"{t.target.name} {sum(t.id in s.tasks for s in found)}+{sum(t.id in s.others for s in found)}"
            for t in self.tasks
        )
        log.info(
            f"{self.suite}: {len(found)} sabotages for {counts} ({functions} functions, {self.trials} trials,"
            f" {self._measure_elapsed_seconds():.0f} s)"
        )
        return found

    @property
    def _budget_s(self) -> float:
        wanted = max(self.effort.budget_s, _BUDGET_FACTOR * self.image.suite_seconds.get(self.suite, 0.0))
        return min(wanted, self._measure_elapsed_seconds() + self.effort.ends - time.time())

    def _measure_elapsed_seconds(self) -> float:
        return time.monotonic() - self.started

    def _count_fitting_sabotages(self, task: Task, *, must_show_after_task: bool = False) -> int:
        """How many sabotages fit the task, of any kind or `must_show_after_task`."""
        own = sum(task.id in made.tasks for made in self.own)
        return own + sum(
            task.id in k.after if must_show_after_task else k.was_found_to_fit(task) for k in self.killers
        )

    def _has_time_and_under_two_sabotages(self, task: Task) -> bool:
        """Whether the task has fewer than two of any kind, and there is time."""
        return self._count_fitting_sabotages(task) < 2 and self._measure_elapsed_seconds() <= 1.5 * self._budget_s

    def _restore_stored_killer(self, made: Sabotage) -> _Killer | None:
        """A sabotage of an earlier search; None when its function isn't the same any more."""
        try:
            edit = make_sabotage_edit(self.image, made)
        except (TaskError, RecipeError):
            return None
        definition = read_definition_at(read_unmodified_file(self.image, made.path), edit.span)
        every = _list_sabotage_changes(made.path, edit.span, made.function, definition, sys.maxsize)
        change = next(change for change in every if change.name == made.change)
        return _Killer(made, definition, change, set(made.tasks), set(made.others))

    def _try_breaking_task_after_some_calls(self, task: Task) -> None:
        """Let each own function of the task break after some calls, up to a number that the suite doesn't notice."""
        unnoticed: set[str] = set()
        for calls in _CALLS_BEFORE_FAULT:
            for made in make_after_calls_sabotages_of_uncalled_functions(self.image, task, calls):
                if made in self.own or made.function in unnoticed:
                    continue
                if time.time() >= self.effort.ends:
                    return
                ended = self._break_task_and_keep_failing_fault(task, made)
                if ended == "hangs":
                    self.hung.setdefault(task.id, []).append(made)
                elif ended != "fails":
                    unnoticed.add(made.function)

    def _break_task_and_keep_failing_fault(
        self, task: Task, made: Sabotage, *, longer: bool = False
    ) -> Literal["fails", "passes", "hangs", "unbuilt"]:
        """How the suite ends with the task's own function broken, which is kept where it fails."""
        try:
            edits = make_edits_breaking_after_calls(self.image, make_edits(task.target, task.gold), made)
        except (TaskError, RecipeError):
            return "unbuilt"
        if edits is None:
            return "unbuilt"
        ended = self._name_suite_outcome_with_fault(None, edits, {}, SABOTAGE_RUNS, longer=longer)
        if ended == "fails":
            self.own.append(made)
        return ended

    def _try_breaking_function(self, suspect: BreakableFunction, needy: Sequence[Task]) -> None:
        """Break the function in several ways, up to one that makes the suite fail as it should for one of the tasks.
        A change that fails it otherwise is kept as well."""
        path, span = suspect.path, suspect.span
        definition = read_definition_at(read_unmodified_file(self.image, path), span)
        kept = False
        every = _list_sabotage_changes(path, span, suspect.name, definition, _MUTANTS)
        for change in self._choose_noticed_or_few_other_changes(every, suspect):
            if self._measure_elapsed_seconds() > self._budget_s:
                return
            same = [k for k in self.killers if (k.sabotage.path, k.span, k.change.name) == (path, span, change.name)]
            known = next(iter(same), None)
            if known is None and self._name_suite_outcome_with_fault(Edit(path, span, change.text)) != "fails":
                continue
            digest = digest_definition(definition)
            made = Sabotage(path, suspect.name, span.first, span.last, change.name, digest)
            killer = known or _Killer(made, definition, change)
            fits = [
                task
                for task in needy
                if (suspect.last or task.id in suspect.calls or self.misses[task.id] < _MOST_MISSES)
                and self._try_and_note_task_fit(killer, task, must_show_after_task=True, is_last_test=suspect.last)
            ]
            if known is None and (fits or not kept):
                self.killers.append(killer)
                kept = True
            if fits:
                return

    def _try_changes_until_another_fits(self, killer: _Killer, task: Task) -> None:
        """Break the same function in other ways, up to one that fits the task as the killer does."""
        old = killer.sabotage
        after = task.id in killer.after
        tried = {known.sabotage.change for known in self.killers if known.definition == killer.definition}
        every = _list_sabotage_changes(old.path, killer.span, old.function, killer.definition, _MUTANTS)
        faults, early = _split_faults_from_early_returns([change for change in every if change.name not in tried])
        for change in (*faults[:_MOST_OTHERS], *early[:_MOST_OTHERS]):
            if not self._has_time_and_under_two_sabotages(task):
                return
            if self._name_suite_outcome_with_fault(killer.make_edit(change.text)) == "fails":
                other = _Killer(replace(old, change=change.name, tasks=(), others=()), killer.definition, change)
                self.killers.append(other)
                self._try_and_note_task_fit(other, task, must_show_after_task=after)

    def _choose_noticed_or_few_other_changes(
        self, every: Sequence[Change], suspect: BreakableFunction
    ) -> list[Change]:
        """The changes to try: those that a suite is known to notice, or late faults and an early return. A test that
        returns at once has failed by the value zero at most, so there that comes first."""
        named = {change.name: change for change in every}
        noticed = [named[name] for name in suspect.known if name in named][:_MOST_FAULTS]
        faults, early = _split_faults_from_early_returns(every)
        if suspect.last and "zero" in named:
            return noticed or [named["zero"], *faults[:_MOST_FAULTS]]
        return noticed or [*faults[:_MOST_FAULTS], *early[:1]]

    def _try_and_note_task_fit(
        self, killer: _Killer, task: Task, *, must_show_after_task: bool, is_last_test: bool = False
    ) -> bool:
        """Whether the sabotage fits the task in this way, which is then noted. One of the last tests that shows too
        early says nothing of other functions."""
        if task.id not in self.probes:
            self.probes[task.id] = self._compile_watched_functions(task)
        probe = self.probes[task.id]
        if probe is None:
            return False
        condition = UNTIL_LEFT if must_show_after_task else WHILE_NOT_RUNNING
        text = make_change_conditional(killer.definition, killer.change, condition)
        ended = self._name_suite_outcome_with_fault(killer.make_edit(text, WATCH_DECLARATIONS), *probe)
        if ended != ("passes" if must_show_after_task else "fails"):
            self.misses[task.id] += must_show_after_task and not is_last_test
            return False
        self.misses[task.id] = 0
        (killer.after if must_show_after_task else killer.outside).add(task.id)
        return True

    def _name_suite_outcome_with_fault(
        self,
        edit: Edit | None,
        probe: Sequence[Edit] = (),
        objects: Objects | None = None,
        runs: int = 1,
        *,
        longer: bool = False,
    ) -> Literal["fails", "passes", "hangs", "unbuilt"]:
        """How the suite ends with both edits: fails, passes, hangs, or unbuilt where they can't be built; of several
        `runs` the first that doesn't fail decides. With `longer` it has a candidate's whole time."""
        self.trials += 1
        made: Objects = {}
        declared = self.image.recipe.find_suite(self.suite)
        limit_s = suite_limit_s(self.image, declared)
        if not longer:
            usual_s = self.image.suite_seconds.get(self.suite, 0.0)
            limit_s = min(limit_s, max(_HANG_MIN_S, _HANG_FACTOR * usual_s))
        try:
            if edit is not None:
                made = compile_sabotaged_objects(self.image, edit, self.suite, self.backend, self.folder, self.broken)
            with self.backend.session(self.image.key) as session:
                runner = Runner(session, self.folder)
                build = build_with_two_edits(runner, self.image, probe, edit, self.suite, objects or {}, made, "build")
                if build and build[-1].exit_code != 0:
                    return "unbuilt"
                # As a candidate's control runs it.
                guard = Confinement(session, self.image, self.backend)
                guard.learn_policies_and_install_launchers([self.suite])
                guard.apply_policy(self.suite)
                for _ in range(runs):
                    ran = run_suite(runner, self.image, declared, limit_s)
                    if ran.step.timed_out:
                        return "hangs"
                    if not why_suite_failed(ran, self.image.expected):
                        return "passes"
        except (TaskError, RecipeError):
            return "unbuilt"
        return "fails"

    def _compile_watched_functions(self, task: Task) -> tuple[tuple[Edit, ...], Objects] | None:
        """The task's functions with a watch in each, and what is compiled from them; None when one can't have it."""
        try:
            golds = make_edits(task.target, task.gold)
            edits = tuple(
                replace(edit, text=insert_statement_at_body_start(edit.text, ENTER), before=WATCH_DECLARATIONS)
                for edit in golds
            )
            plan = plan_rebuild_after_edits(self.image, edits, [self.suite])
        except (TaskError, RecipeError):
            return None
        units = [step for step in plan.steps if step.kind == "compile"]
        with self.backend.session(self.image.key) as session:
            runner = Runner(session, self.folder)
            for path, text in make_edited_files(self.image, edits).items():
                session.write(path, text)
            done = runner.run_build_steps(units, prefix="watch-")
            if done and done[-1].exit_code != 0:
                log.info(f"{self.suite}: {task.id} {task.target.name} can't be watched: see {done[-1].log}")
                return None
            return edits, read_objects(session, units)

    def _confirm_sabotage(self, killer: _Killer) -> Sabotage | None:
        """The sabotage with the tasks that it fits; None when it fits none, or isn't noticed each time."""
        sabotage = killer.sabotage
        # What was found before has been run so often.
        held = (*sabotage.tasks, *sabotage.others)
        # The suite must fail with the gold as the candidate too. Before a candidate runs, all is removed that was
        # built from its file and isn't a goal of the suite, and tests that miss such a file may skip themselves.
        edit = killer.make_edit(killer.change.text)
        holds = [
            task
            for task in filter(killer.was_found_to_fit, self.tasks)
            if task.id in held
            or self._name_suite_outcome_with_fault(edit, make_edits(task.target, task.gold)) == "fails"
        ]
        # Another data set's tasks are judged by the same suites.
        mine = {task.id for task in self.tasks}
        tasks = [key for key in sabotage.tasks if key not in mine]
        others = [key for key in sabotage.others if key not in mine]
        tasks += [task.id for task in holds if task.id in killer.after]
        others += [task.id for task in holds if task.id not in killer.after]
        if not tasks and not others:
            return None
        if not held and any(self._name_suite_outcome_with_fault(edit) != "fails" for _ in range(SABOTAGE_RUNS - 1)):
            return None
        return replace(sabotage, tasks=tuple(tasks), others=tuple(others))


def _list_sabotage_changes(path: str, span: Span, name: str, definition: str, limit: int) -> list[Change]:
    return list_sabotage_changes_latest_first(
        definition, make_target_at(path, span, name, language_of_path(path)), limit
    )


def _split_faults_from_early_returns(changes: Sequence[Change]) -> tuple[list[Change], list[Change]]:
    """The faults, and the early returns."""
    return [c for c in changes if c.mutant is not None], [c for c in changes if c.mutant is None]


def _is_overlapping_task(path: str, span: Span, task: Task) -> bool:
    return any(
        path == own.path and span.first <= own.span.last and span.last >= own.span.first for own in task.target.holes
    )
