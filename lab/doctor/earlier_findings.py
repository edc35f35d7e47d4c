"""The findings of an earlier examination of a task, for one that resumes it with more effort."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from executor.grading.grade import seconds_until_stopped
from executor.manifest.health import WRONG_BODIES, Fate, Finding, Health, TaskHealth, Variant

_DECIDED = frozenset({Fate.KILLED, Fate.SAME, Fate.UNBUILT})
# A variant that was stopped before this part of a candidate's limit had the doctor's own, shorter one: 0.8 of it at
# most (HANG_FACTOR against a suite's usual `timeout_factor`), and a limit follows a measurement, which differs.
_SOONER = 0.9


@dataclass(frozen=True, slots=True)
class EarlierFindings:
    """The task's entry, and the findings of its variants by (kind, name, detail). `stopped`: by the same key, the
    suite in which a variant was stopped sooner than a candidate would be, so that it may be slow and not hang."""

    entry: TaskHealth
    findings: Mapping[tuple[str, str, str], Finding]
    stopped: Mapping[tuple[str, str, str], str]

    def find_stored_finding(self, variant: Variant) -> Finding | None:
        return self.findings.get(make_variant_key(variant))

    def find_suite_stopped_too_soon(self, variant: Variant) -> str:
        """The suite in which the variant was stopped too soon to be sure that it hangs, or ""."""
        return self.stopped.get(make_variant_key(variant), "")

    def find_corrected_finding(self, variant: Variant) -> Finding | None:
        """The variant's finding. Its fate is unknown when it was stopped too soon."""
        found, suite = self.find_stored_finding(variant), self.find_suite_stopped_too_soon(variant)
        if found is None or not suite:
            return found
        left = tuple(name for name in found.ran if name != suite)
        return replace(found, fate=Fate.UNKNOWN, by="", reason="", ran=left)

    def has_unknown_fate(self, variant: Variant) -> bool:
        """Whether the variant was tried and its fate isn't known."""
        found = self.find_corrected_finding(variant)
        return found is not None and found.fate is Fate.UNKNOWN


def read_earlier_findings(entry: TaskHealth | None, limit_s: Callable[[str], float]) -> EarlierFindings | None:
    """What the entry knows. None without an entry, and when the gold failed, because its other findings are then
    worthless. `limit_s`: a suite's name -> wall seconds after which a candidate is stopped."""
    if entry is None or entry.health in (Health.BROKEN, Health.FLAKY):
        return None
    findings = {make_variant_key(f): f for f in entry.findings if f.kind in WRONG_BODIES}
    return EarlierFindings(
        entry, findings, {key: f.by for key, f in findings.items() if _is_stopped_too_soon(f, limit_s)}
    )


def make_variant_key(item: Variant | Finding) -> tuple[str, str, str]:
    """The key that a variant shares with its finding."""
    return item.kind, item.name, item.detail


def _is_stopped_too_soon(found: Finding, limit_s: Callable[[str], float]) -> bool:
    after = seconds_until_stopped(found.reason) if found.fate is Fate.KILLED else None
    return after is not None and after < _SOONER * limit_s(found.by)


def is_fate_decided(found: Finding | None) -> bool:
    """Whether the fate is known for good."""
    return found is not None and found.fate in _DECIDED


def list_suites_not_passed(suites: Sequence[str], found: Finding | None) -> list[str]:
    """The suites that a variant hasn't passed yet."""
    return [name for name in suites if found is None or name not in found.ran]


def add_earlier_suites(before: Finding | None, now: Finding) -> Finding:
    """The new finding with the suites of the earlier one."""
    return now if before is None else replace(now, ran=(*before.ran, *now.ran))


def has_open_trials(known: EarlierFindings, kills: Mapping[str, set[str]], *, forgeries: bool) -> bool:
    """Whether none of the entry's suites kills some variant that another kills, or forgeries are still to be tried."""
    untried = forgeries and not any(f.kind == "forgery" for f in known.entry.findings)
    unmet = any(by and by.isdisjoint(known.entry.suites) for by in kills.values())
    return unmet or (untried and known.entry.health is Health.VALID)


def list_carried_over_findings(known: EarlierFindings | None, todo: Iterable[Variant]) -> list[Finding]:
    """Findings of variants that this examination doesn't try, because it makes fewer mutants. They stay."""
    if known is None:
        return []
    tried = {make_variant_key(variant) for variant in todo}
    return [found for key, found in known.findings.items() if key not in tried]
