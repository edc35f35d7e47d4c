"""What an earlier examination of a task found, for one that goes on from there with more patience."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from executor.doctor.values import WRONG_BODIES, Fate, Finding, Health, TaskHealth, Variant
from executor.grading.grade import stopped_after

_DECIDED = frozenset({Fate.KILLED, Fate.SAME, Fate.UNBUILT})
# A variant that was stopped before this part of a candidate's limit had the doctor's own, shorter one: 0.8 of it at
# most (HANG_FACTOR against a suite's usual `timeout_factor`), and a limit follows a measurement, which differs.
_SOONER = 0.9


@dataclass(frozen=True, slots=True)
class Earlier:
    """The task's entry, and its variants' findings by (kind, name, detail). `stopped`: the suite in which one was
    stopped sooner than a candidate would be, by the same key; a slow one is killed by that as well as a hang."""

    entry: TaskHealth
    findings: Mapping[tuple[str, str, str], Finding]
    stopped: Mapping[tuple[str, str, str], str]

    def found(self, variant: Variant) -> Finding | None:
        return self.findings.get(key_of(variant))

    def stop(self, variant: Variant) -> str:
        """The suite in which it was stopped too soon to say that it hangs, or ""."""
        return self.stopped.get(key_of(variant), "")

    def of(self, variant: Variant) -> Finding | None:
        """What is sure of it: a stop that came too soon is taken back."""
        found, suite = self.found(variant), self.stop(variant)
        if found is None or not suite:
            return found
        left = tuple(name for name in found.ran if name != suite)
        return replace(found, fate=Fate.UNKNOWN, by="", reason="", ran=left)

    def is_open(self, variant: Variant) -> bool:
        """Whether it was tried, and its fate isn't known."""
        found = self.of(variant)
        return found is not None and found.fate is Fate.UNKNOWN


def earlier(entry: TaskHealth | None, limit_s: Callable[[str], float]) -> Earlier | None:
    """None without an entry, and for a gold that failed: nothing that was found beside it is worth keeping.
    `limit_s`: a suite's name -> wall seconds after which a candidate is stopped."""
    if entry is None or entry.health in (Health.BROKEN, Health.FLAKY):
        return None
    findings = {key_of(f): f for f in entry.findings if f.kind in WRONG_BODIES}
    return Earlier(entry, findings, {key: f.by for key, f in findings.items() if _too_soon(f, limit_s)})


def key_of(one: Variant | Finding) -> tuple[str, str, str]:
    """By which a variant and what was found of it are told to belong together."""
    return one.kind, one.name, one.detail


def _too_soon(found: Finding, limit_s: Callable[[str], float]) -> bool:
    after = stopped_after(found.reason) if found.fate is Fate.KILLED else None
    return after is not None and after < _SOONER * limit_s(found.by)


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
    asked = {key_of(one) for one in todo}
    return [found for key, found in known.findings.items() if key not in asked]
