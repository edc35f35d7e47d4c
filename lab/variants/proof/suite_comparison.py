"""Compares what the suites did on the original with what they did on its variant, name by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from executor.grading.grade import shorten_name_list
from executor.repository.baseline import Baseline, baseline_log_path
from executor.repository.baseline_measurement import FAILS
from executor.repository.recipe import Recipe
from lab.variants.proof.build_messages import find_printed_names


@dataclass(frozen=True, slots=True)
class SuiteComparison:
    """How many suites gave the original's results (`equal`) of those `tried`, and how many `tests` they hold.

    problems  suite -> how its results differ
    unsteady  a line for each test that only one side left out, because its rounds there differed
    """

    equal: int
    tried: int
    tests: int
    problems: Mapping[str, str]
    unsteady: tuple[str, ...] = ()


def compare_suites(recipe: Recipe, original: Baseline, variant: Baseline) -> SuiteComparison:
    """Compare the two baselines. A test that a side left out for being unsteady or quarantined counts on neither; a
    test that fails on the variant alone is a difference even where the recipe excuses so many failures."""
    problems: dict[str, str] = {}
    unsteady: list[str] = []
    tests = 0
    for suite in recipe.suites:
        name = suite.name
        fails = {
            test for test in variant.expected.list_ignored_tests(name) if f"{name}: {test!r} {FAILS}" in variant.notes
        }
        known = {
            test
            for test in original.expected.list_ignored_tests(name)
            if f"{name}: {test!r} {FAILS}" in original.notes
        }
        ignored = {
            "original": original.expected.list_ignored_tests(name) - known,
            "variant": variant.expected.list_ignored_tests(name) - fails,
        }
        out = ignored["original"] | ignored["variant"]
        unsteady += [
            f"{name}: {test!r} is unsteady on the {side} alone"
            for side, other in (("original", "variant"), ("variant", "original"))
            for test in sorted(ignored[side] - ignored[other])
            if not recipe.is_quarantined(test)
        ]
        before = {t: n for t, n in original.expected.suites.get(name, {}).items() if t not in out}
        after = {t: n for t, n in variant.expected.suites.get(name, {}).items() if t not in out}
        tests += sum(before.values())
        problem = _describe_difference(before, after, fails - known - out)
        more = variant.expected.statuses.get(name, frozenset()) - original.expected.statuses.get(name, frozenset())
        if more and not problem:
            problem = f"ends with status {min(more)}"
        if problem:
            problems[name] = problem
    tried = len(recipe.suites)
    return SuiteComparison(tried - len(problems), tried, tests, problems, tuple(unsteady))


def _describe_difference(before: Mapping[str, int], after: Mapping[str, int], failing: set[str]) -> str:
    lost = [name for name, count in before.items() if after.get(name, 0) < count and name not in failing]
    more = [name for name, count in after.items() if before.get(name, 0) < count]
    parts = (("fail", sorted(failing)), ("don't pass as often", lost), ("pass that the original lacks", more))
    return "; ".join(f"{len(names)} {what}: {shorten_name_list(tuple(names))}" for what, names in parts if names)


def find_names_printed_otherwise(
    suite: str, original: Path, printed: Path, names: Mapping[str, str], rounds: int = 1
) -> dict[str, str]:
    """Original name -> why it must stay, for names that the suite prints otherwise than on the original. `original` is
    the folder of the original's baseline, `printed` what the suite printed on the variant."""
    if not printed.is_file():
        return {}
    known = [baseline_log_path(original, suite, number) for number in range(1, rounds + 1)]
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in known if path.is_file())
    found = find_printed_names(printed.read_text(encoding="utf-8", errors="replace"), text, names)
    return {name: f"suite {suite} {reason}" for name, reason in found.items()}
