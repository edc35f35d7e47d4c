"""The one rule that says whether an answer passes in Graft's own score: its suites, their control runs and Graft's own
further tests (plus tests). It is applied whenever a journal is read, and a run's manifest names it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from executor.values import Outcome, Verdict

PassRule = Literal["suites", "suites and plus tests"]
SUITES_ALONE: PassRule = "suites"
"""The rule of runs that were made before 2026-11-27: plus tests stood beside the score, and decided nothing."""
WITH_PLUS: PassRule = "suites and plus tests"

# Begins the reason of an answer that passes its suites, and doesn't pass by what its plus tests say.
PLUS_REASON = "plus tests:"

# `SampleRecord.plus` begins so where an answer doesn't pass its plus tests. One that Graft failed to try is done again
# when the run is resumed; one whose control run couldn't be made needs a person, as with suites.
_OUTCOMES: Mapping[str, Outcome] = {
    "failed": Outcome.TESTS_FAILED,
    "not run": Outcome.INFRA_ERROR,
    "not told": Outcome.TO_REVIEW,
}


def read_pass_rule_or_suites_alone(run: Path) -> PassRule:
    """The rule that the run's manifest names; in one that is older, or can't be read, SUITES_ALONE."""
    try:
        named = json.loads((run / "manifest.json").read_bytes()).get("pass_rule")
    except (OSError, ValueError):
        return SUITES_ALONE
    return WITH_PLUS if named == WITH_PLUS else SUITES_ALONE


def apply_pass_rule(verdict: Verdict, plus_result: str, rule: PassRule) -> Verdict:
    """Graft's verdict on an answer, by the verdict of its suites and by what its plus tests said
    (`SampleRecord.plus`)."""
    fate, _, reason = plus_result.partition(": ")
    if rule == SUITES_ALONE or verdict.outcome is not Outcome.PASSED or fate not in _OUTCOMES:
        return verdict
    return replace(verdict, outcome=_OUTCOMES[fate], reason=f"{PLUS_REASON} {reason}")


def has_passed_suites(verdict: Verdict) -> bool:
    """Whether the answer passes its suites and their control runs, whatever its plus tests said."""
    return verdict.outcome is Outcome.PASSED or verdict.reason.startswith(PLUS_REASON)
