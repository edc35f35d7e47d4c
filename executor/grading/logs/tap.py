"""Reads TAP as Perl-driven suites like OpenSSL's print it: nested subtests, each result named by its path.

https://testanything.org/tap-version-14-specification.html; a subtest is indented by four spaces, and its own
result line follows it at its parent's depth.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from executor.grading.logs.lines import LogError
from executor.values import TestResult, TestStatus

_LINE = re.compile(r"^( *)(?:(not )?ok\b(?: +(\d+))?(?: +-)? *(.*)|1\.\.(\d{1,9})\b.*)$", re.MULTILINE)
_DIRECTIVE = re.compile(r"(?<!\\)#\s*(skip|todo)\b.*", re.IGNORECASE)
_INDENT = 4
_JOINT = " / "
# A path repeats its parents' names, so a log of megabytes could give names of terabytes.
_MOST_CHARACTERS = 64 * 1024 * 1024


def read_tap_results_and_problem(text: str) -> tuple[tuple[TestResult, ...], str]:
    """Every result in the order printed, and how the plans (`1..N`) differ from the results, or "". A name is the path
    of descriptions from the outermost test, with the number of a test that has no description. Names that occur again
    are numbered (`name #2`), so that each is unique.

    A subtest whose parent never reports, because the program was killed, is still a result. A failed TODO counts as
    passed, as TAP defines it, and a skipped test as skipped. Raises LogError when the names are too long to be kept.
    """
    found: list[tuple[int, str, TestStatus]] = []
    problem = ""
    groups = [_Group(0)]
    for match in _LINE.finditer(text):
        depth = len(match[1]) // _INDENT
        failed = _close_deeper_groups_and_explain_mismatch(groups, depth)
        problem = problem or failed
        if groups[-1].depth < depth:
            groups.append(_Group(depth))
        if match[5]:
            groups[-1].plans.append(int(match[5]))
            continue
        groups[-1].results += 1
        words = match[4]
        directive = _DIRECTIVE.search(words)
        name = (words[: directive.start()] if directive else words).strip() or match[3] or "test"
        status = TestStatus.FAILED if match[2] else TestStatus.PASSED
        if directive:
            status = TestStatus.SKIPPED if directive[1].lower() == "skip" else TestStatus.PASSED
        found.append((depth, name, status))
    problem = (
        problem
        or _close_deeper_groups_and_explain_mismatch(groups, 0)
        or groups[0].explain_plan_mismatch_or_empty("the log")
    )
    return _name_results_by_path(found), problem


@dataclass(slots=True)
class _Group:
    """The plans and results at one depth, up to the next line of a test that is less indented."""

    depth: int
    plans: list[int] = field(default_factory=list)
    results: int = 0

    def explain_plan_mismatch_or_empty(self, group_name: str) -> str:
        """How its one plan differs from its results, or ""."""
        if len(self.plans) != 1:
            return f"{group_name} has {len(self.plans)} plans" if self.plans else f"{group_name} has no plan (1..N)"
        return (
            ""
            if self.plans[0] == self.results
            else f"{group_name} has {self.results} results, its plan {self.plans[0]}"
        )


def _close_deeper_groups_and_explain_mismatch(groups: list[_Group], depth: int) -> str:
    """Take away the groups that are deeper. Returns how the plan of the first differs from its results, or ""."""
    problem = ""
    while groups[-1].depth > depth:
        done = groups.pop()
        # A subtest needs no plan: a program may print results of its own.
        if done.plans:
            problem = problem or done.explain_plan_mismatch_or_empty("a subtest")
    return problem


def _name_results_by_path(found: list[tuple[int, str, TestStatus]]) -> tuple[TestResult, ...]:
    # From the end: an indented result belongs to the next result that is less indented.
    parents: list[tuple[int, str]] = []
    named: list[tuple[str, TestStatus]] = []
    kept = 0
    for depth, name, status in reversed(found):
        while parents and parents[-1][0] >= depth:
            parents.pop()
        kept += len(name) + sum(len(parent) + len(_JOINT) for _, parent in parents)
        if kept > _MOST_CHARACTERS:
            raise LogError("its tests' names are too long to be kept")
        path = _JOINT.join([*(parent for _, parent in parents), name])
        parents.append((depth, name))
        named.append((path, status))
    seen: dict[str, int] = {}
    results: list[TestResult] = []
    for path, status in reversed(named):
        seen[path] = seen.get(path, 0) + 1
        number = f" #{seen[path]}" if seen[path] > 1 else ""
        results.append(TestResult(path + number, status))
    return tuple(results)
