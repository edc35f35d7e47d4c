"""A compiler's messages cut to their causes: what follows from an earlier message only hides it from a reader."""

from __future__ import annotations

import re
from collections.abc import Sequence

from executor.function.brackets import misplaced
from index.values import Diagnostic

Group = Sequence[Diagnostic]

_UNKNOWN = re.compile(
    r"^(?:unknown type name|use of undeclared identifier|no type named)? ?'(?P<name>[\w:~]+)'"
    r"(?: undeclared| was not declared| does not name a type| has not been declared|$|;| in )"
)
_IMPLICIT = re.compile(r"(?:implicit declaration of|call to undeclared) function '(?P<name>\w+)'")
_SYNTAX = re.compile(r"^(?:expected |stray |invalid suffix|missing terminating)")
# What the file's other functions look like from inside a function.
_SWALLOWED = re.compile(
    r"^(?:invalid storage class for function|function definition is not allowed here|a function-definition is not)"
)
# gcc's and clang's words for "here something of the type int met a pointer".
_OF_INT = re.compile(r"something not a structure or union|have 'int'\)|is not a (?:structure|pointer)|'int \*'")
_FROM_INT = re.compile(r"without a cast|incompatible integer to pointer|\b(?:from|have|type) 'int'")
_NAMES = re.compile(r"'[^']*\w[^']*'")
_EMPTY_NOTES = re.compile(r"^each undeclared identifier is reported only once|^in expansion of macro ")


def causes(groups: Sequence[Group], code: str, path: str) -> list[Group]:
    """The groups (a message and its notes) in the compiler's order, echoes left out.

    A bracket without a partner is told in our own words, since the compiler meets it only where the file ends; what
    it said behind that line is left out. Each text that names something is told once. What follows from a name that
    isn't declared goes: the variable in `unknown_t *x`, an int that becomes a pointer, a syntax error on that line,
    an unused variable.
    """
    if not any(group[0].severity == "error" for group in groups):
        return [_without_empty_notes(group) for group in groups]
    lines = code.splitlines()
    kept: list[Group] = []
    first = _bracket(groups, code, path)
    if first is not None:
        kept.append((first,))
        groups = [group for group in groups if group[0].in_candidate and _before(group[0], first)]
    said: set[str] = set()
    unknown: dict[int, set[str]] = {}
    echoes: set[str] = set()
    for group in groups:
        one = group[0]
        if one.message in said or _echoes(one, unknown, echoes, lines):
            continue
        if not _SYNTAX.match(one.message) and _NAMES.search(one.message):
            said.add(one.message)
        name = _unknown_name(one)
        if name and one.in_candidate:
            unknown.setdefault(one.line, set()).add(name)
            echoes |= _declared_by(name, _line(one, lines))
        kept.append(_without_empty_notes(group))
    return kept


def _bracket(groups: Sequence[Group], code: str, path: str) -> Diagnostic | None:
    found = misplaced(code)
    if found is not None:
        return Diagnostic("error", found.message, path, found.line, found.column, True)
    if any(_SWALLOWED.match(group[0].message) and not group[0].in_candidate for group in groups):
        message = "a '}' is missing: to the compiler the rest of the file is part of your function"
        return Diagnostic("error", message, path, max(1, code.count("\n") + 1), 1, True)
    return None


def _before(one: Diagnostic, first: Diagnostic) -> bool:
    return (one.line, one.column) < (first.line, first.column) and not _SYNTAX.match(one.message)


def _echoes(one: Diagnostic, unknown: dict[int, set[str]], echoes: set[str], lines: Sequence[str]) -> bool:
    if one.option.startswith("-Wunused-") and one.option != "-Wunused-result":
        return True
    if not one.in_candidate:
        return False
    name = _unknown_name(one)
    if name:
        return name in echoes
    line = _line(one, lines)
    if _OF_INT.search(one.message) and any(re.search(rf"\b{re.escape(echo)}\b", line) for echo in echoes):
        return True
    if one.line not in unknown:
        return False
    if _SYNTAX.match(one.message):
        return True
    # A function that isn't declared returns int, and so the line's other complaint is of an int.
    called = any(re.search(rf"\b{re.escape(name)}\s*\(", line) for name in unknown[one.line])
    return called and _FROM_INT.search(one.message) is not None


def _unknown_name(one: Diagnostic) -> str:
    found = _IMPLICIT.search(one.message) or _UNKNOWN.match(one.message)
    return found["name"] if found else ""


def _declared_by(name: str, line: str) -> set[str]:
    """The variables that a line declares with the type `name`: to the compiler `name *x` was a product."""
    found = re.search(rf"\b{re.escape(name)}\b[\s*&]+(?:const\s+)?(\w+)\s*(?:[=;,)\[]|$)", line)
    return {found[1]} if found else set()


def _line(one: Diagnostic, lines: Sequence[str]) -> str:
    return lines[one.line - 1] if 1 <= one.line <= len(lines) else ""


def _without_empty_notes(group: Group) -> Group:
    return (group[0], *(note for note in group[1:] if not _EMPTY_NOTES.match(note.message)))
