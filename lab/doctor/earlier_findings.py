"""The findings of an earlier examination of a task, for one that resumes it with more effort."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from executor.grading.grade import read_timeout_seconds_of_suite_problem
from executor.manifest.health import WRONG_BODIES, Fate, Finding, Health, TaskHealth, Variant

_DECIDED = frozenset({Fate.KILLED, Fate.SAME, Fate.UNBUILT})
# A variant that was stopped before this part of a candidate's limit had the doctor's own, shorter one: 0.8 of it at
# most (HANG_FACTOR against a suite's usual `timeout_factor`), and a limit follows a measurement, which differs.
_SOONER = 0.9

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class EarlierFindings:
    """The task's entry, None where nothing is known, and its variants' findings by their keys. `stored` has them as
    the entry does. In `taken` the fate of a variant is unknown that was stopped sooner than a candidate would be, for
    it may be slow and not hang; `stopped` has the suite in which it was."""

    entry: TaskHealth | None = None
    stored: Mapping[Key, Finding] = field(default_factory=dict)
    taken: Mapping[Key, Finding] = field(default_factory=dict)
    stopped: Mapping[Key, str] = field(default_factory=dict)

    def list_stored_findings_not_in_todo(self, todo: Iterable[Variant]) -> list[Finding]:
        """Findings of variants that this examination doesn't try, because it makes fewer mutants. They stay."""
        tried = set(map(make_variant_key, todo))
        return [found for key, found in self.stored.items() if key not in tried]

    def needs_further_suites_or_forgery_trials(
        self, killing_suites_by_variant: Mapping[str, set[str]], *, forgeries: bool
    ) -> bool:
        """Whether the entry's suites let some variant pass that another kills, or forgeries are still to be tried."""
        if self.entry is None:
            return True
        untried = forgeries and not any(found.kind == "forgery" for found in self.entry.findings)
        unmet = any(by and by.isdisjoint(self.entry.suites) for by in killing_suites_by_variant.values())
        return unmet or (untried and self.entry.health is Health.VALID)


def read_still_valid_findings(entry: TaskHealth | None, candidate_limit_s: Callable[[str], float]) -> EarlierFindings:
    """What the entry knows: nothing where the gold failed, because its other findings are then worthless.
    `candidate_limit_s`: a suite's name -> wall seconds after which a candidate is stopped."""
    if entry is None or entry.health in (Health.BROKEN, Health.FLAKY):
        return EarlierFindings()
    stored = {make_variant_key(found): found for found in entry.findings if found.kind in WRONG_BODIES}
    taken, stopped = dict(stored), dict[Key, str]()
    for key, found in stored.items():
        after = read_timeout_seconds_of_suite_problem(found.reason) if found.fate is Fate.KILLED else None
        if after is not None and after < _SOONER * candidate_limit_s(found.by):
            stopped[key] = found.by
            left = tuple(name for name in found.ran if name != found.by)
            taken[key] = replace(found, fate=Fate.UNKNOWN, by="", reason="", ran=left)
    return EarlierFindings(entry, stored, taken, stopped)


def make_variant_key(item: Variant | Finding) -> Key:
    """Without the detail, which the findings of a data set that comes with Graft don't have. A mutant's name has a
    digest of its text."""
    return item.kind, item.name


def is_killed_same_or_unbuilt(found: Finding | None) -> bool:
    return found is not None and found.fate in _DECIDED
