"""The examination of one task: which wrong bodies its suites kill, which suites are enough for that, at what cost.

In order: the suites that reach the function, the variants that they kill, the cheapest suites that kill the same, the
gold and the plain stub again on these, the forgeries. It ends as soon as the task's health is known.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from executor.candidate.execute import suite_limit_s
from executor.manifest.health import (
    WRONG_BODIES,
    Fate,
    Finding,
    Health,
    TaskHealth,
    Variant,
    describe_wrong_body_fate,
    digest_gold_text,
)
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.threads import map_in_threads
from executor.values import Task
from index.errors import RecipeError
from lab.doctor.body_trial import BuildPlanner, Effort, order_cheap_narrow_suites_first, write_text_and_open_trial
from lab.doctor.cheating_bodies import try_cheating_bodies
from lab.doctor.earlier_findings import (
    EarlierFindings,
    is_killed_same_or_unbuilt,
    make_variant_key,
    read_still_valid_findings,
)
from lab.doctor.reach import Reach
from lab.doctor.stubs_and_mutants import (
    is_plain_zero_stub,
    make_mutant_variants,
    make_plain_stub_text_per_hole,
    make_plain_stub_variant_per_hole,
    make_stub_variants,
)
from lab.doctor.suite_cover import find_cheapest_cover

# Suites that take less than this together are cheap enough: no cheaper set is searched.
_CHEAP_S = 2.0
# The part of the budget that one variant may take.
_VARIANT_SHARE = 0.34


def examine_task(
    image: Image,
    backend: Backend,
    task: Task,
    reach: Reach,
    effort: Effort,
    folder: Path,
    earlier_entry: TaskHealth | None = None,
    suites_to_run_first: Collection[str] = (),
) -> TaskHealth:
    """Examine one task. `earlier_entry` is one of the same text, image and suites to resume: a variant whose fate is
    decided isn't tried again, a survivor is tried only on suites that it hasn't passed, and one that was stopped
    sooner than a candidate would be gets a candidate's limit. The entry stays as it is when nothing new is found.
    `suites_to_run_first`: before all others. Raises SandboxError and other InfraErrors when the sandbox fails, and
    TimeOver: nothing is then known about the task."""

    earlier = read_still_valid_findings(
        earlier_entry, lambda suite: suite_limit_s(image, image.recipe.find_suite(suite))
    )
    planner = BuildPlanner(image, task)
    return _TaskExamination(
        image, backend, task, reach, effort, folder, earlier, suites_to_run_first, planner
    ).examine_task()


@dataclass(slots=True)
class _TaskExamination:
    """`kills`, `spared`: a variant's name -> the suites that kill it, and those that it passes. `objects`: what was
    compiled of the gold; `as_built` when the image has the same. `suites` are those that judge."""

    image: Image
    backend: Backend
    task: Task
    reach: Reach
    effort: Effort
    folder: Path
    known: EarlierFindings
    first: Collection[str]
    planner: BuildPlanner
    started: float = field(default_factory=time.monotonic)
    objects: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    kills: dict[str, set[str]] = field(default_factory=dict)
    spared: dict[str, set[str]] = field(default_factory=dict)
    suites: Sequence[str] = ()
    gold_runs: int = 0
    gold_passed: int = 0
    build_cpu_s: float = 0.0
    as_built: bool = False
    complete: bool = True
    lock: threading.Lock = field(default_factory=threading.Lock)

    def examine_task(self) -> TaskHealth:
        entered = self.reach.entered.get(self.task.id)
        candidates = self.reach.suites if entered is None else entered
        usable = [name for name in candidates if self._is_file_built_into_suite(name)]
        order = order_cheap_narrow_suites_first(self.image, usable, self.reach.count_entered_tasks_by_suite())
        order.sort(key=lambda name: name not in self.first)
        if not order:
            named = self.image.recipe.list_judging_suites(self.task.id)
            self.suites = [name for name in named if self._is_file_built_into_suite(name)] or named
            why = "no suite enters it" if not candidates else "no suite's programs are built from its file"
            return self._make_health(Health.WEAK, why)
        todo = self._list_variants()
        if self.known.entry is not None and not self._take_earlier_findings_and_check_unfinished(todo, order):
            return self._refresh_earlier_entry(self.known.entry)
        failed = self._try_variant_until_suite_fails(
            Variant("gold", "gold", self.task.gold), order[:1], keep_gold_objects=True
        )
        if failed.fate is Fate.UNBUILT:
            self.suites, self.gold_runs = order[:1], 1
            return self._make_health(Health.BROKEN, f"the gold doesn't build: {failed.reason}")
        self._try_variants(todo, order)
        if self.known.entry is not None and not self._can_new_findings_change_entry(todo):
            return self._refresh_earlier_entry(self.known.entry)
        self._try_killed_on_later_suites({variant.name: variant for variant in todo})
        self.suites = find_cheapest_cover(self.kills, self.image.suite_seconds) or tuple(order[:1])
        if unsteady := self._rerun_gold_and_judge_failure():
            return unsteady
        plains = [f for f in self.findings if is_plain_zero_stub(f.kind, f.name)]
        if why := self._explain_unnoticed_stub(plains):
            return self._make_health(Health.WEAK, why)
        # Each takes a candidate's limit where it hangs, and neither hangs on the other.
        forge = partial(self._try_forgeries_and_find_needed_suites, order)
        trials: tuple[Callable[[], tuple[str, ...]], ...] = (self._rerun_plain_stubs_and_name_first_survivor, forge)
        passed, needed = map_in_threads(lambda trial: trial(), trials, self.effort.at_once)
        if passed:
            why = f"the {_describe_plain_stub(passed[0])} was killed once and then passed"
            return self._make_health(Health.WEAK, why)
        self.suites = (*self.suites, *needed)
        if needed and (unsteady := self._rerun_gold_and_judge_failure()):
            return unsteady
        if forged := self._list_passed_forgeries():
            why = f"a body that cheats passes every suite: {', '.join(forged)}"
            return self._make_health(Health.WEAK, why)
        return self._make_health(Health.VALID, f"{plains[0].by}: {plains[0].reason}")

    def _is_file_built_into_suite(self, suite: str) -> bool:
        try:
            return bool(self.planner.plan_suite_rebuild_steps(suite))
        except RecipeError:
            return False

    def _explain_unnoticed_stub(self, plain_stub_findings: Sequence[Finding]) -> str:
        """Why the tests don't judge each of the functions, or ""."""
        if len(plain_stub_findings) < len(self.task.target.holes):
            return "no stub could be made"
        passed = next((found for found in plain_stub_findings if found.fate is not Fate.KILLED), None)
        return "" if passed is None else f"the {_describe_plain_stub(passed.name)}: {describe_wrong_body_fate(passed)}"

    def _list_variants(self) -> list[Variant]:
        todo, most = make_stub_variants(self.task), self.effort.mutants
        every = make_mutant_variants(self.task, most if self.known.entry is None else sys.maxsize)
        # Mutants that an earlier examination, which made more of them, left open are tried as well.
        left_open = {key for key, found in self.known.taken.items() if found.fate is Fate.UNKNOWN}
        return todo + every[:most] + [v for v in every[most:] if make_variant_key(v) in left_open]

    def _take_earlier_findings_and_check_unfinished(self, todo: Sequence[Variant], order: Sequence[str]) -> bool:
        """Take over which suites kill which variants. Returns whether anything is left to find out."""
        taken = [found for v in todo if (found := self.known.taken.get(make_variant_key(v)))]
        for found in (*self.known.list_stored_findings_not_in_todo(todo), *taken):
            self._record_killing_and_sparing_suites(found)
        self.findings = list(self.known.stored.values())
        left = any(
            not is_killed_same_or_unbuilt(self.known.taken.get(make_variant_key(v)))
            and self._order_suites_left_for(v, order)
            for v in todo
        )
        return left or self.known.needs_further_suites_or_forgery_trials(self.kills, forgeries=self.effort.forgeries)

    def _can_new_findings_change_entry(self, todo: Sequence[Variant]) -> bool:
        fates = {make_variant_key(found): found.fate for found in self.findings}
        keys = map(make_variant_key, todo)
        freed = any(key in self.known.stopped and fates[key] is not Fate.KILLED for key in keys)
        return freed or self.known.needs_further_suites_or_forgery_trials(self.kills, forgeries=self.effort.forgeries)

    def _is_health_deciding_variant(self, variant: Variant) -> bool:
        """Whether the task's health hangs on it alone."""
        return variant.kind == "gold" or is_plain_zero_stub(variant.kind, variant.name)

    def _order_suites_left_for(self, variant: Variant, order: Sequence[str]) -> list[str]:
        """The suites to run on a variant, without those that it has passed. Those that have killed come first, because
        most variants die there."""
        with self.lock:
            killers = sorted({s for group in self.kills.values() for s in group if s in order}, key=order.index)
        suites = [*killers, *(name for name in order if name not in killers)]
        if not self._is_health_deciding_variant(variant):
            suites = self._limit_suites_by_patience(suites, len(killers))
        key = make_variant_key(variant)
        if key in self.known.stopped:
            stopped = self.known.stopped[key]
            suites = [stopped, *(name for name in suites if name != stopped)]
        passed = self.known.taken[key].ran if key in self.known.taken else ()
        return [name for name in suites if name not in passed]

    def _try_variants(self, todo: Sequence[Variant], order: Sequence[str]) -> None:
        self.findings = []
        # Where one that passes ends it all, the plain stubs are tried before the others, whose fates hang on nothing.
        alone = 0 if self.effort.weak_too else len(self.task.target.holes)
        for variant in todo[:alone]:
            self.findings.append(self._find_fate(variant, order))

        rest = map_in_threads(lambda variant: self._find_fate(variant, order), todo[alone:], self.effort.at_once)
        self.findings += rest
        self.findings += self.known.list_stored_findings_not_in_todo(todo)
        self.complete &= all(finding.fate is not Fate.UNKNOWN for finding in self.findings)

    def _find_fate(self, variant: Variant, order: Sequence[str]) -> Finding:
        """The variant's fate: what is known of it, or what a trial shows. Nothing is tried once the budget is spent
        or a plain stub has passed that ends it all."""
        key = make_variant_key(variant)
        before = self.known.taken.get(key)
        decides = self._is_health_deciding_variant(variant)
        suites = [] if is_killed_same_or_unbuilt(before) else self._order_suites_left_for(variant, order)
        if before is not None and not suites:
            return before
        is_weak = not self.effort.weak_too and any(found.fate is Fate.SURVIVED for found in self.findings)
        if is_weak or (not decides and self._count_spent_seconds() > self.effort.budget_s):
            untried = Finding(variant.kind, variant.name, Fate.UNKNOWN, detail=variant.detail)
            finding = self.known.stored.get(key, untried)
            self._record_killing_and_sparing_suites(finding)
            self.complete = False
            return finding
        # One that decides the task's health may run every suite.
        share = float("inf") if decides else self.effort.budget_s * _VARIANT_SHARE
        finding = self._try_variant_until_suite_fails(variant, suites, deadline=time.monotonic() + share)
        return finding if before is None else replace(finding, ran=(*before.ran, *finding.ran))

    def _limit_suites_by_patience(self, suites: Sequence[str], least: int) -> list[str]:
        """As many of the first suites as the patience allows, but at least `least` and one more."""
        kept: list[str] = []
        spent = 0.0
        for name in suites:
            spent += self.image.suite_seconds.get(name, 0.0)
            if len(kept) > least and spent > self.effort.patience_s:
                break
            kept.append(name)
        return kept

    def _try_killed_on_later_suites(self, todo: Mapping[str, Variant]) -> None:
        """Where several suites are needed, find out whether a later suite also kills what an earlier one kills."""
        for name in [name for name in self.kills if name in todo]:
            killers = {suite for group in self.kills.values() for suite in group}
            if sum(self.image.suite_seconds.get(suite, 0.0) for suite in killers) < _CHEAP_S:
                return
            unknown = killers - self.kills[name] - self.spared.get(name, set())
            if not unknown or self._count_spent_seconds() > self.effort.budget_s:
                continue
            left = sorted(unknown, key=lambda suite: self.image.suite_seconds.get(suite, 0.0))
            while left:
                finding = self._try_variant_until_suite_fails(todo[name], left)
                if finding.fate is not Fate.KILLED:
                    break
                left = left[left.index(finding.by) + 1 :]

    def _count_spent_seconds(self) -> float:
        return time.monotonic() - self.started

    def _try_variant_until_suite_fails(
        self,
        variant: Variant,
        suites: Sequence[str],
        *,
        keep_gold_objects: bool = False,
        deadline: float = float("inf"),
    ) -> Finding:
        """Run the suites on the variant, in this order, up to the first that fails."""
        ran: list[str] = []
        fate, by, why = Fate.SURVIVED, "", ""
        place = self.folder / variant.kind / re.sub(r"[^\w@.-]|_", "-", variant.name)
        with self.backend.session(self.image.key) as session:
            trial = write_text_and_open_trial(
                self.planner,
                session,
                variant.text,
                place,
                backend=self.backend,
                # As for a candidate: a suite fails here when it starts a program that its recipe doesn't name.
                only_suites=suites if variant.kind == "gold" else (),
                ends=self.effort.ends,
            )
            before = (
                trial.digest_objects(self.planner.plan_suite_rebuild_steps(suites[0])) if keep_gold_objects else {}
            )
            for suite in suites:
                if time.monotonic() > deadline:
                    fate = Fate.UNKNOWN
                    break
                # The gold's objects are the image's own, so nothing has to be built.
                if not (variant.kind == "gold" and self.as_built) and not trial.build_for_suite(suite):
                    fate, why = Fate.UNBUILT, trial.failed
                    break
                if keep_gold_objects:
                    self.objects.update(trial.objects)
                elif variant.kind in WRONG_BODIES and trial.has_same_objects(self.objects):
                    fate = Fate.SAME
                    break
                # A variant that decides the task gets a candidate's limit at once: with the short limit first, a stub
                # that hangs would cost both.
                patient = self._is_health_deciding_variant(variant) or make_variant_key(variant) in self.known.stopped
                why = trial.run_suite_and_explain_failure(suite, patient=patient)
                ran.append(suite)
                if why:
                    fate, by = Fate.KILLED, suite
                    break
            if keep_gold_objects:
                self.build_cpu_s = round(trial.cpu_s, 2)
                self.as_built = bool(before) and before == trial.objects
        finding = Finding(variant.kind, variant.name, fate, by, why, variant.detail, tuple(ran))
        if variant.kind in WRONG_BODIES:
            self._record_killing_and_sparing_suites(finding)
        return finding

    def _record_killing_and_sparing_suites(self, found: Finding) -> None:
        if found.fate is Fate.SAME:
            return
        with self.lock:
            self.spared.setdefault(found.name, set()).update(suite for suite in found.ran if suite != found.by)
            if found.by:
                self.kills.setdefault(found.name, set()).add(found.by)

    def _rerun_gold_and_judge_failure(self) -> TaskHealth | None:
        """Run the gold on the suites that judge. The task's health where it doesn't pass each time, else None."""
        self.gold_runs, self.gold_passed, at_fault = self.effort.gold_runs, 0, ""
        for _ in range(self.gold_runs):
            finding = self._try_variant_until_suite_fails(Variant("gold", "gold", self.task.gold), self.suites)
            self.gold_passed += finding.fate is Fate.SURVIVED
            if finding.fate is not Fate.SURVIVED:
                at_fault = f"the gold: {finding.by or finding.fate.value}: {finding.reason}"
        return self._make_health(Health.FLAKY if self.gold_passed else Health.BROKEN, at_fault) if at_fault else None

    def _rerun_plain_stubs_and_name_first_survivor(self) -> tuple[str, ...]:
        """The names of the plain stubs that the chosen suites don't kill this time, up to the first."""
        for stub in make_plain_stub_variant_per_hole(self.task) if self.effort.repeat_stubs else ():
            if self._try_variant_until_suite_fails(stub, self.suites).fate is not Fate.KILLED:
                return (stub.name,)
        return ()

    def _try_forgeries_and_find_needed_suites(self, order: Sequence[str]) -> tuple[str, ...]:
        """Try the bodies that cheat. Returns the further suites that are needed to kill some: a function that ends its
        process can be forged for one suite and not for another."""
        if not self.effort.forgeries:
            return ()
        stub = make_plain_stub_text_per_hole(self.task)[0]
        found = try_cheating_bodies(self.planner, self.backend, stub, self.suites, order, self.folder, self.effort)
        self.findings += found
        return tuple(dict.fromkeys(f.by for f in found if f.by and f.by not in self.suites))

    def _list_passed_forgeries(self) -> tuple[str, ...]:
        return tuple(f.name for f in self.findings if f.kind == "forgery" and f.fate is Fate.SURVIVED)

    def _refresh_earlier_entry(self, entry: TaskHealth) -> TaskHealth:
        """The earlier entry, with the same suites and what is known about its variants now."""
        plain = next((f for f in self.findings if f.kind == "stub"), None)
        self.findings += [found for found in entry.findings if found.kind == "forgery"]
        self.suites, self.gold_runs, self.gold_passed = entry.suites, entry.gold_runs, entry.gold_passed
        self.complete = all(found.fate is not Fate.UNKNOWN for found in self.findings)
        valid = entry.health is Health.VALID
        now = self._make_health(entry.health, f"{plain.by}: {plain.reason}" if plain and valid else entry.reason)
        seconds = round(entry.seconds + now.seconds, 1)
        return replace(now, reached_by=entry.reached_by, build_cpu_s=entry.build_cpu_s, seconds=seconds)

    def _count_findings(self, kind: str, *fates: Fate) -> int:
        return sum(finding.kind == kind and finding.fate in fates for finding in self.findings)

    def _make_health(self, health: Health, reason: str) -> TaskHealth:
        killed = self._count_findings("mutant", Fate.KILLED)
        known = self._count_findings("mutant", Fate.KILLED, Fate.SURVIVED)
        return TaskHealth(
            task_id=self.task.id,
            name=self.task.target.name,
            path=self.task.target.path,
            health=health,
            reason=reason,
            reached_by=self.reach.entered.get(self.task.id),
            suites=tuple(self.suites),
            cost_s=round(sum(self.image.suite_seconds.get(name, 0.0) for name in self.suites), 2),
            build_cpu_s=self.build_cpu_s,
            stubs_killed=self._count_findings("stub", Fate.KILLED),
            stubs=self._count_findings("stub", Fate.KILLED, Fate.SURVIVED),
            mutants_killed=killed,
            mutants=known,
            kill_score=round(killed / known, 3) if known else None,
            gold_runs=self.gold_runs,
            gold_passed=self.gold_passed,
            forgeries=self._count_findings("forgery", Fate.KILLED, Fate.SURVIVED),
            forgeries_passed=self._list_passed_forgeries(),
            findings=tuple(self.findings),
            complete=self.complete,
            seconds=round(self._count_spent_seconds(), 1),
            text_digest=digest_gold(self.task),
        )


def digest_gold(task: Task) -> str:
    return digest_gold_text(task.gold)


def _describe_plain_stub(variant_name: str) -> str:
    _, of, function = variant_name.partition(" of ")
    return f"plain stub of function {function}" if of else "plain stub"
