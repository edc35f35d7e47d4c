"""What an earlier examination of a task found, for one that goes on from there with more patience."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from executor.doctor.values import WRONG_BODIES, Fate, Finding, Health, TaskHealth, Variant

_DECIDED = frozenset({Fate.KILLED, Fate.SAME, Fate.UNBUILT})


@dataclass(frozen=True, slots=True)
class Earlier:
    """The task's entry, and its variants' findings by (kind, name, detail)."""

    entry: TaskHealth
    findings: Mapping[tuple[str, str, str], Finding]

    def of(self, variant: Variant) -> Finding | None:
        return self.findings.get((variant.kind, variant.name, variant.detail))


def earlier(entry: TaskHealth | None) -> Earlier | None:
    """None without an entry, and for a gold that failed: nothing that was found beside it is worth keeping."""
    if entry is None or entry.health in (Health.BROKEN, Health.FLAKY):
        return None
    return Earlier(entry, {(f.kind, f.name, f.detail): f for f in entry.findings if f.kind in WRONG_BODIES})


def is_decided(found: Finding | None) -> bool:
    return found is not None and found.fate in _DECIDED


def not_run(suites: Sequence[str], found: Finding | None) -> list[str]:
    """Those that a variant hasn't passed yet."""
    return [name for name in suites if found is None or name not in found.ran]


def joined(before: Finding | None, now: Finding) -> Finding:
    return now if before is None else replace(now, ran=(*before.ran, *now.ran))


def needs_more(known: Earlier, kills: Mapping[str, set[str]], *, forgeries: bool) -> bool:
    """Whether some variant is told by none of the entry's suites, or the forgeries are yet to be tried."""
    untried = forgeries and not any(f.kind == "forgery" for f in known.entry.findings)
    unmet = any(by and by.isdisjoint(known.entry.suites) for by in kills.values())
    return unmet or (untried and known.entry.health is Health.VALID)


def gone(known: Earlier | None, todo: Iterable[Variant]) -> list[Finding]:
    """Findings of variants that this examination wasn't asked for (fewer mutants): they stay."""
    if known is None:
        return []
    asked = {(one.kind, one.name, one.detail) for one in todo}
    return [found for key, found in known.findings.items() if key not in asked]
