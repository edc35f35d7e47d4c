"""Reads TAP as Perl-driven suites like OpenSSL's print it: nested subtests, each result named by its path.

https://testanything.org/tap-version-14-specification.html; a subtest is indented by four spaces, and its own
result line follows it at its parent's depth.
"""

from __future__ import annotations

import re

from executor.values import TestResult, TestStatus

_LINE = re.compile(r"^( *)(not )?ok\b(?: +(\d+))?(?: +-)? *(.*)$", re.MULTILINE)
_DIRECTIVE = re.compile(r"(?<!\\)#\s*(skip|todo)\b.*", re.IGNORECASE)
_INDENT = 4
_JOINT = " / "


def read_tap(text: str) -> tuple[TestResult, ...]:
    """Every result in the order printed. A name is the path of descriptions from the outermost test, with the number
    of a test that has no description. Names that occur again are numbered (`name #2`), so that each is unique.

    A subtest whose parent never reports, because the program was killed, is still a result. A failed TODO counts as
    passed, as TAP defines it, and a skipped test as skipped.
    """
    found: list[tuple[int, str, TestStatus]] = []
    for match in _LINE.finditer(text):
        depth = len(match[1]) // _INDENT
        words = match[4]
        directive = _DIRECTIVE.search(words)
        name = (words[: directive.start()] if directive else words).strip() or match[3] or "test"
        status = TestStatus.FAILED if match[2] else TestStatus.PASSED
        if directive:
            status = TestStatus.SKIPPED if directive[1].lower() == "skip" else TestStatus.PASSED
        found.append((depth, name, status))
    # From the end: an indented result belongs to the next result that is less indented.
    parents: list[tuple[int, str]] = []
    named: list[tuple[str, TestStatus]] = []
    for depth, name, status in reversed(found):
        while parents and parents[-1][0] >= depth:
            parents.pop()
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
