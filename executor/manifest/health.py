"""The doctor's findings, as a manifest holds them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from executor.values import Sabotage


class Health(StrEnum):
    """`VALID`: the gold passes each time, and the plain stub fails each time. `WEAK`: the gold passes, but no test
    notices that the plain stub stands in its place, or a body that cheats passes. `FLAKY`: the gold passes at times.
    `BROKEN`: it doesn't."""

    VALID = "valid"
    WEAK = "weak"
    FLAKY = "flaky"
    BROKEN = "broken"


class Fate(StrEnum):
    """What became of a variant. `SAME`: its objects equal the gold's, byte for byte. `UNBUILT`: it doesn't compile or
    link. `UNKNOWN`: the budget ended before every suite that reaches the function had run."""

    KILLED = "killed"
    SURVIVED = "survived"
    SAME = "same"
    UNBUILT = "unbuilt"
    UNKNOWN = "unknown"


WRONG_BODIES = ("stub", "mutant")
"""The kinds of variants that decide a task's health: wrong, but not trying to cheat."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A text to run the tests on. `kind`: gold, stub, mutant or forgery."""

    kind: str
    name: str
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A variant's fate, the suite that killed it (`by`), the `reason`, and the suites that were run (`ran`)."""

    kind: str
    name: str
    fate: Fate
    by: str = ""
    reason: str = ""
    detail: str = ""
    ran: tuple[str, ...] = ()


def describe_wrong_body_fate(finding: Finding) -> str:
    """The finding in a few words."""
    words = {
        Fate.SURVIVED: f"no test of {len(finding.ran)} suites notices it",
        Fate.SAME: "compiles to the gold's own objects",
        Fate.UNBUILT: f"doesn't build ({finding.reason})",
        Fate.UNKNOWN: "the budget ended",
        Fate.KILLED: f"{finding.by}: {finding.reason}",
    }
    return words[finding.fate]


@dataclass(frozen=True, slots=True)
class SuitesHealth:
    """What the repository's own suites alone say of a task, and why."""

    health: Health
    reason: str


@dataclass(frozen=True, slots=True)
class TaskHealth:
    """All that is known about one task. `health` and `reason` are by all that grades it, plus tests included
    (`judge_tasks_by_suites_and_plus_tests`); `by_suites` is by its suites alone where plus tests say more, else None.
    `reached_by`: suites that enter the function; None when that couldn't be measured, so that every suite counts.
    `suites`: the cheapest set that kills all that any suite killed; a candidate runs these. `cost_s`: wall seconds of
    these suites on the unmodified tree. `build_cpu_s`: CPU seconds from text to linked programs. `kill_score`: killed
    mutants / mutants that differ from the gold and whose fate is known; None without any. `forgeries` counts those
    that were tried and could be built. `complete` is False when the budget ended first. `text_digest` names the
    examined gold."""

    task_id: str
    name: str
    path: str
    health: Health
    reason: str
    reached_by: tuple[str, ...] | None
    suites: tuple[str, ...]
    cost_s: float
    build_cpu_s: float
    stubs_killed: int
    stubs: int
    mutants_killed: int
    mutants: int
    kill_score: float | None
    gold_runs: int
    gold_passed: int
    forgeries: int
    forgeries_passed: tuple[str, ...]
    findings: tuple[Finding, ...]
    complete: bool
    seconds: float
    text_digest: str
    by_suites: SuitesHealth | None = None


@dataclass(frozen=True, slots=True)
class WrongFate:
    """What became of a wrong body (lab.wrong). `digest` names its text, `by` is the suite that killed it. `only`:
    what alone could tell that it is wrong; such a body is counted apart. `held`: no suite was chosen or written by
    looking at it."""

    kind: str
    digest: str
    held: bool
    only: str | None
    fate: Fate
    by: str = ""


@dataclass(frozen=True, slots=True)
class JudgedBodies:
    """A task's wrong bodies, judged by these suites as a candidate is. `text_digest` names the gold."""

    suites: tuple[str, ...]
    text_digest: str
    bodies: tuple[WrongFate, ...]


@dataclass(frozen=True, slots=True)
class PlusHealth:
    """What a task's plus tests were seen to do. `suites` name them, `digest` their text, `text_digest` the gold.
    `reason`: why the gold failed them, or "". `bodies`: the wrong bodies by these tests alone. `cpu_s`: CPU seconds to
    make and to run them, with a build of the candidate."""

    suites: tuple[str, ...]
    tests: int
    digest: str
    text_digest: str
    gold_runs: int
    gold_passed: int
    stubs_killed: int
    stubs: int
    bodies: tuple[WrongFate, ...]
    cpu_s: float
    reason: str = ""

    @property
    def has_gold_always_passed(self) -> bool:
        """Whether the gold passed each time."""
        return 0 < self.gold_runs == self.gold_passed


@dataclass(frozen=True, slots=True)
class HealthManifest:
    """The tasks of a repository that were examined so far. `image` and `expected` name what was examined: with another
    image or other suites the entries are out of date. `sabotages`: by suite, what must make it fail. `wrong`: by task,
    what became of its wrong bodies. `plus`: by task, what its plus tests did."""

    format: int
    repository: str
    commit: str
    image: str
    expected: str
    sandbox: str
    machine: str
    date: str
    seconds: Mapping[str, float]
    tasks: Mapping[str, TaskHealth]
    sabotages: Mapping[str, tuple[Sabotage, ...]] = field(default_factory=dict)
    wrong: Mapping[str, JudgedBodies] = field(default_factory=dict)
    plus: Mapping[str, PlusHealth] = field(default_factory=dict)


def digest_gold_text(gold: str) -> str:
    """Names a task's gold, as `text_digest` does."""
    return hashlib.sha256(gold.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def drop_findings_of_other_golds(manifest: HealthManifest, golds: Mapping[str, str]) -> HealthManifest:
    """The manifest without what was found of another text than these golds, by task. Of other tasks all stays."""
    digests = {key: digest_gold_text(gold) for key, gold in golds.items()}

    def is_of_gold(key: str, found: TaskHealth | JudgedBodies | PlusHealth) -> bool:
        return digests.get(key, found.text_digest) == found.text_digest

    return replace(
        manifest,
        tasks={key: found for key, found in manifest.tasks.items() if is_of_gold(key, found)},
        wrong={key: found for key, found in manifest.wrong.items() if is_of_gold(key, found)},
        plus={key: found for key, found in manifest.plus.items() if is_of_gold(key, found)},
    )


def judge_task_by_suites_alone(entry: TaskHealth) -> TaskHealth:
    """The task's entry as its suites alone judge it."""
    if entry.by_suites is None:
        return entry
    return replace(entry, health=entry.by_suites.health, reason=entry.by_suites.reason, by_suites=None)


def drop_plus_findings(manifest: HealthManifest) -> HealthManifest:
    """The manifest where no plus test grades."""
    return replace(
        manifest, tasks={key: judge_task_by_suites_alone(entry) for key, entry in manifest.tasks.items()}, plus={}
    )


def judge_tasks_by_suites_and_plus_tests(manifest: HealthManifest) -> HealthManifest:
    """The manifest with each task's health by all that grades it: its suites, and its plus tests where the gold passes
    them each time."""
    tasks = {
        key: _rejudge_weak_task_by_plus(judge_task_by_suites_alone(entry), manifest.plus.get(key))
        for key, entry in manifest.tasks.items()
    }
    return replace(manifest, tasks=tasks)


def _rejudge_weak_task_by_plus(entry: TaskHealth, plus: PlusHealth | None) -> TaskHealth:
    """The entry by its suites, and what its plus tests change: they can tell a stub that the suites let pass."""
    if entry.health is not Health.WEAK or plus is None or plus.text_digest != entry.text_digest:
        return entry
    alone = SuitesHealth(entry.health, entry.reason)
    if not plus.has_gold_always_passed:
        return replace(entry, reason=f"{entry.reason}; the gold fails its plus tests", by_suites=alone)
    if plus.stubs_killed < plus.stubs or not plus.stubs:
        passing = f"{plus.stubs - plus.stubs_killed} of {plus.stubs} stubs pass its plus tests"
        return replace(entry, reason=f"{entry.reason}; {passing}", by_suites=alone)
    reason = f"plus tests: every stub fails ({plus.stubs_killed} of {plus.stubs})"
    return replace(entry, health=Health.VALID, reason=reason, by_suites=alone)
