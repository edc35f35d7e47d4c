"""The examination of one task: which wrong bodies its suites kill, which suites are enough for that, at what cost.

In order: the suites that reach the function, the variants that they kill, the cheapest suites that kill the same, the
gold and the plain stub again on these, the forgeries. It ends as soon as the task's health is known.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from executor.candidate.execute import suite_limit_s
from executor.manifest.health import WRONG_BODIES, Fate, Finding, Health, TaskHealth, Variant, describe_finding
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.values import Task
from index.errors import RecipeError
from lab.doctor.bodies import is_plain_stub, mutant_variants, plain_stubs, plain_texts, stub_variants
from lab.doctor.cover import cheapest_cover
from lab.doctor.effort import Effort
from lab.doctor.forgery_trials import Forger
from lab.doctor.further import (
    Earlier,
    earlier,
    is_decided,
    joined,
    needs_more,
    not_run,
    untried_findings,
    variant_key,
)
from lab.doctor.reach import Reach
from lab.doctor.trial import Planner, in_order, open_trial

# Suites that take less than this together are cheap enough: no cheaper set is searched.
_CHEAP_S = 2.0


def examine(
    image: Image,
    backend: Backend,
    task: Task,
    reach: Reach,
    effort: Effort,
    folder: Path,
    known: TaskHealth | None = None,
) -> TaskHealth:
    """Examine one task. `known` is an earlier entry of the same text, image and suites to resume: a variant whose
    fate is decided isn't tried again, a survivor is tried only on suites that it hasn't passed, and one that was
    stopped sooner than a candidate would be gets a candidate's limit. The entry stays as it is when nothing new is
    found. Raises SandboxError and other InfraErrors when the sandbox fails, and TimeOver: nothing is then known about
    the task."""

    def limit_s(suite: str) -> float:
        return suite_limit_s(image, image.recipe.suite(suite))

    return _Examination(image, backend, task, reach, effort, folder, earlier(known, limit_s)).run()


@dataclass(slots=True)
class _Examination:
    image: Image
    backend: Backend
    task: Task
    reach: Reach
    effort: Effort
    folder: Path
    known: Earlier | None = None
    started: float = field(default_factory=time.monotonic)
    objects: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    kills: dict[str, set[str]] = field(default_factory=dict)
    spared: dict[str, set[str]] = field(default_factory=dict)
    build_cpu_s: float = 0.0
    as_built: bool = False
    complete: bool = True

    def run(self) -> TaskHealth:
        entered = self.reach.entered.get(self.task.id)
        planner = Planner(self.image, self.task)
        candidates = self.reach.suites if entered is None else entered
        usable = [name for name in candidates if self._is_built_for(planner, name)]
        order = in_order(self.image, usable, self.reach.counts())
        if not order:
            why = "no suite enters it" if not candidates else "no suite's programs are built from its file"
            return self._result(Health.WEAK, why, entered, self._default(planner), 0, 0, ())
        todo = self._todo()
        if self.known is not None and not self._take_over(self.known, todo, order):
            return self._as_known(self.known)
        failed, reason = self._trial(planner, Variant("gold", "gold", self.task.gold), order[:1], keep=True)
        if failed.fate is Fate.UNBUILT:
            return self._result(Health.BROKEN, f"the gold doesn't build: {reason}", entered, order[:1], 1, 0, ())
        self._variants(planner, todo, order)
        if self.known is not None and not self._is_news(self.known, todo):
            return self._as_known(self.known)
        self._fill_in(planner, {variant.name: variant for variant in todo})
        suites = cheapest_cover(self.kills, self.image.suite_seconds) or tuple(order[:1])
        passed, at_fault = self._golds(planner, suites)
        if passed < self.effort.gold_runs:
            health = Health.FLAKY if passed else Health.BROKEN
            return self._result(health, at_fault, entered, suites, self.effort.gold_runs, passed, ())
        plains = [f for f in self.findings if is_plain_stub(f.kind, f.name)]
        if why := self._unnoticed(plains):
            return self._result(Health.WEAK, why, entered, suites, passed, passed, ())
        for stub in plain_stubs(self.task):
            if self._trial(planner, stub, suites)[0].fate is not Fate.KILLED:
                why = f"the {_called(stub.name)} was killed once and then passed"
                return self._result(Health.WEAK, why, entered, suites, passed, passed, ())
        plain = plains[0]
        if not self.effort.forgeries:
            return self._result(Health.VALID, f"{plain.by}: {plain.reason}", entered, suites, passed, passed, ())
        forged, needed = self._forgeries(planner, suites, order)
        if needed:
            suites = (*suites, *needed)
            passed, at_fault = self._golds(planner, suites)
            if passed < self.effort.gold_runs:
                health = Health.FLAKY if passed else Health.BROKEN
                return self._result(health, at_fault, entered, suites, self.effort.gold_runs, passed, forged)
        if forged:
            why = f"a body that cheats passes every suite: {', '.join(forged)}"
            return self._result(Health.WEAK, why, entered, suites, passed, passed, forged)
        return self._result(Health.VALID, f"{plain.by}: {plain.reason}", entered, suites, passed, passed, forged)

    def _is_built_for(self, planner: Planner, suite: str) -> bool:
        try:
            return bool(planner.steps(suite, self.task.gold, body_only=True))
        except RecipeError:
            return False

    def _default(self, planner: Planner) -> Sequence[str]:
        named = self.image.recipe.suites_for(self.task.id)
        return [name for name in named if self._is_built_for(planner, name)] or named

    def _unnoticed(self, plains: Sequence[Finding]) -> str:
        """Why the tests don't judge each of the functions, or ""."""
        if len(plains) < len(self.task.target.holes):
            return "no stub could be made"
        passed = next((found for found in plains if found.fate is not Fate.KILLED), None)
        return "" if passed is None else f"the {_called(passed.name)}: {describe_finding(passed)}"

    def _todo(self) -> list[Variant]:
        todo = stub_variants(self.task)
        every = mutant_variants(self.task, self.effort.mutants if self.known is None else sys.maxsize)
        # Mutants that an earlier examination, which made more of them, left open are tried as well.
        most = self.effort.mutants
        return todo + every[:most] + [v for v in every[most:] if self.known and self.known.is_open(v)]

    def _take_over(self, known: Earlier, todo: Sequence[Variant], order: Sequence[str]) -> bool:
        """Take over which suites kill which variants. Returns whether anything is left to find out."""
        for found in (*untried_findings(known, todo), *filter(None, map(known.certain, todo))):
            self._keep(found)
        self.findings = list(known.findings.values())
        left = any(
            not is_decided(known.certain(v)) and self._suites_for(v, order, first=self._decides(v)) for v in todo
        )
        return left or needs_more(known, self.kills, forgeries=self.effort.forgeries)

    def _is_news(self, known: Earlier, todo: Sequence[Variant]) -> bool:
        """Whether the entry's suites or its health may have changed."""
        fates = {variant_key(found): found.fate for found in self.findings}
        freed = any(known.stop(variant) and fates[variant_key(variant)] is not Fate.KILLED for variant in todo)
        return freed or needs_more(known, self.kills, forgeries=self.effort.forgeries)

    def _decides(self, variant: Variant) -> bool:
        """Whether the task's health hangs on it alone."""
        return variant.kind == "gold" or is_plain_stub(variant.kind, variant.name)

    def _suites_for(self, variant: Variant, order: Sequence[str], *, first: bool) -> list[str]:
        """The suites to run on a variant. Those that have killed come first, because most variants die there."""
        killers = sorted({s for group in self.kills.values() for s in group if s in order}, key=order.index)
        suites = [*killers, *(name for name in order if name not in killers)]
        suites = suites if first else self._within_patience(suites, len(killers))
        if stopped := self._stop(variant):
            suites = [stopped, *(name for name in suites if name != stopped)]
        return not_run(suites, self.known.certain(variant) if self.known else None)

    def _stop(self, variant: Variant) -> str:
        return self.known.stop(variant) if self.known else ""

    def _variants(self, planner: Planner, todo: Sequence[Variant], order: Sequence[str]) -> None:
        self.findings = []
        for number, variant in enumerate(todo):
            before = self.known.certain(variant) if self.known else None
            decides = self._decides(variant)
            suites = [] if is_decided(before) else self._suites_for(variant, order, first=decides)
            plains = self.findings[: len(self.task.target.holes)]
            settled = not self.effort.weak_too and any(f.fate is Fate.SURVIVED for f in plains)
            if before is not None and not suites:
                finding = before
            elif number and (settled or (not decides and self._spent() > self.effort.budget_s)):
                untried = Finding(variant.kind, variant.name, Fate.UNKNOWN, detail=variant.detail)
                finding = (self.known.found(variant) if self.known else None) or untried
                self._keep(finding)
                self.complete = False
            else:
                now, _ = self._trial(planner, variant, suites, deadline=self._deadline(first=decides))
                finding = joined(before, now)
            self.findings.append(finding)
            if finding.fate is Fate.UNKNOWN:
                self.complete = False
        kept = untried_findings(self.known, todo)
        self.complete &= all(finding.fate is not Fate.UNKNOWN for finding in kept)
        self.findings += kept

    def _within_patience(self, suites: Sequence[str], least: int) -> list[str]:
        """As many of the first suites as the patience allows, but at least `least` and one more."""
        kept: list[str] = []
        spent = 0.0
        for name in suites:
            spent += self.image.suite_seconds.get(name, 0.0)
            if len(kept) > least and spent > self.effort.patience_s:
                break
            kept.append(name)
        return kept

    def _fill_in(self, planner: Planner, todo: Mapping[str, Variant]) -> None:
        """Where several suites are needed, find out whether a later suite also kills what an earlier one kills."""
        for name in [name for name in self.kills if name in todo]:
            killers = {suite for group in self.kills.values() for suite in group}
            if sum(self.image.suite_seconds.get(suite, 0.0) for suite in killers) < _CHEAP_S:
                return
            unknown = killers - self.kills[name] - self.spared.get(name, set())
            if not unknown or self._spent() > self.effort.budget_s:
                continue
            left = sorted(unknown, key=lambda suite: self.image.suite_seconds.get(suite, 0.0))
            while left:
                finding, _ = self._trial(planner, todo[name], left)
                if finding.fate is not Fate.KILLED:
                    break
                left = left[left.index(finding.by) + 1 :]

    def _spent(self) -> float:
        return time.monotonic() - self.started

    def _deadline(self, *, first: bool) -> float:
        """When to stop trying a variant. The first one decides the task's health, so it may run every suite."""
        share = self.effort.budget_s * self.effort.variant_share
        return float("inf") if first else time.monotonic() + share

    def _trial(
        self,
        planner: Planner,
        variant: Variant,
        suites: Sequence[str],
        *,
        keep: bool = False,
        deadline: float = float("inf"),
    ) -> tuple[Finding, str]:
        """Run the suites on the variant, in this order, up to the first that fails. Returns the finding and the
        reason."""
        ran: list[str] = []
        fate, by, why = Fate.SURVIVED, "", ""
        place = self.folder / variant.kind / _file_name(variant.name)
        with self.backend.session(self.image.key) as session:
            trial = open_trial(
                self.image,
                self.task,
                planner,
                session,
                variant.text,
                place,
                backend=self.backend,
                body_only=True,
                keep=keep,
                # As for a candidate: a suite fails here when it starts a program that its recipe doesn't name.
                alone=suites if variant.kind == "gold" else (),
                ends=self.effort.ends,
            )
            for suite in suites:
                if time.monotonic() > deadline:
                    fate = Fate.UNKNOWN
                    break
                # The gold's objects are the image's own, so nothing has to be built.
                if not (variant.kind == "gold" and self.as_built) and not trial.build(suite):
                    fate, why = Fate.UNBUILT, trial.failed
                    break
                if keep:
                    self.objects.update(trial.objects)
                elif variant.kind in WRONG_BODIES and trial.same_as(self.objects):
                    fate = Fate.SAME
                    break
                # A variant that decides the task gets a candidate's limit at once: with the short limit first, a stub
                # that hangs would cost both.
                problem, _ = trial.run(suite, patient=self._decides(variant) or bool(self._stop(variant)))
                ran.append(suite)
                if problem:
                    fate, by, why = Fate.KILLED, suite, problem
                    break
            if keep:
                self.build_cpu_s = round(trial.cpu_s, 2)
                self.as_built = bool(trial.replaced) and trial.replaced == trial.objects
        finding = Finding(variant.kind, variant.name, fate, by, why, variant.detail, tuple(ran))
        if variant.kind in WRONG_BODIES:
            self._keep(finding)
        return finding, why

    def _keep(self, found: Finding) -> None:
        """Remember which suites kill the variant and which it passes."""
        if found.fate is Fate.SAME:
            return
        self.spared.setdefault(found.name, set()).update(suite for suite in found.ran if suite != found.by)
        if found.by:
            self.kills.setdefault(found.name, set()).add(found.by)

    def _golds(self, planner: Planner, suites: Sequence[str]) -> tuple[int, str]:
        passed, at_fault = 0, ""
        for _ in range(self.effort.gold_runs):
            finding, _ = self._trial(planner, Variant("gold", "gold", self.task.gold), suites)
            passed += finding.fate is Fate.SURVIVED
            if finding.fate is not Fate.SURVIVED:
                at_fault = f"the gold: {finding.by or finding.fate.value}: {finding.reason}"
        return passed, at_fault

    def _forgeries(
        self, planner: Planner, suites: Sequence[str], order: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The forgeries that pass every suite, and the further suites that are needed to kill the others. A function
        that ends its process can be forged for one suite and not for another."""
        forger = Forger(self.image, self.backend, self.task, planner, self.folder, self.effort.ends)
        found = list(forger.try_all(plain_texts(self.task)[0], suites, order))
        self.findings += found
        needed = dict.fromkeys(f.by for f in found if f.by and f.by not in suites)
        return tuple(f.name for f in found if f.fate is Fate.SURVIVED), tuple(needed)

    def _as_known(self, known: Earlier) -> TaskHealth:
        """The earlier entry, with the same suites and what is known about its variants now."""
        entry = known.entry
        plain = next((f for f in self.findings if f.kind == "stub"), None)
        self.findings += [found for found in entry.findings if found.kind == "forgery"]
        now = self._result(
            entry.health,
            f"{plain.by}: {plain.reason}" if plain and entry.health is Health.VALID else entry.reason,
            entry.reached_by,
            entry.suites,
            entry.gold_runs,
            entry.gold_passed,
            entry.forgeries_passed,
        )
        return replace(
            now,
            build_cpu_s=entry.build_cpu_s,
            seconds=round(entry.seconds + now.seconds, 1),
            complete=all(found.fate is not Fate.UNKNOWN for found in now.findings),
        )

    def _count(self, kind: str, *fates: Fate) -> int:
        return sum(finding.kind == kind and finding.fate in fates for finding in self.findings)

    def _result(
        self,
        health: Health,
        reason: str,
        entered: tuple[str, ...] | None,
        suites: Sequence[str],
        gold_runs: int,
        gold_passed: int,
        forged: tuple[str, ...],
    ) -> TaskHealth:
        killed = self._count("mutant", Fate.KILLED)
        known = self._count("mutant", Fate.KILLED, Fate.SURVIVED)
        return TaskHealth(
            task_id=self.task.id,
            name=self.task.target.name,
            path=self.task.target.path,
            health=health,
            reason=reason,
            reached_by=entered,
            suites=tuple(suites),
            cost_s=round(sum(self.image.suite_seconds.get(name, 0.0) for name in suites), 2),
            build_cpu_s=self.build_cpu_s,
            stubs_killed=self._count("stub", Fate.KILLED),
            stubs=self._count("stub", Fate.KILLED, Fate.SURVIVED),
            mutants_killed=killed,
            mutants=known,
            kill_score=round(killed / known, 3) if known else None,
            gold_runs=gold_runs,
            gold_passed=gold_passed,
            forgeries=self._count("forgery", Fate.KILLED, Fate.SURVIVED),
            forgeries_passed=forged,
            findings=tuple(self.findings),
            complete=self.complete,
            seconds=round(self._spent(), 1),
            text_digest=text_digest(self.task),
        )


def text_digest(task: Task) -> str:
    """Names the gold that was examined."""
    return hashlib.sha256(task.gold.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _called(name: str) -> str:
    """What a plain stub is called in a reason."""
    _, of, function = name.partition(" of ")
    return f"plain stub of function {function}" if of else "plain stub"


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-@." else "-" for letter in name)
