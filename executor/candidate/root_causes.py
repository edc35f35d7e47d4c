"""Reduces a compiler's messages to their causes: messages that follow from an earlier one only hide it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from executor.function.brackets import find_misplaced_bracket
from index.source_text import split_lines_without_ends
from index.values import Diagnostic

DiagnosticGroup = Sequence[Diagnostic]

_UNKNOWN = re.compile(
    r"^(?:unknown type name|use of undeclared identifier|no type named)? ?'(?P<name>[\w:~]+)'"
    r"(?: undeclared| was not declared| does not name a type| has not been declared|$|;| in )"
)
_IMPLICIT = re.compile(r"(?:implicit declaration of|call to undeclared) function '(?P<name>\w+)'")
_SYNTAX = re.compile(r"^(?:expected |stray |invalid suffix|missing terminating)")
# Messages on the file's other functions when a missing brace makes them part of this one.
_SWALLOWED = re.compile(
    r"^(?:invalid storage class for function|function definition is not allowed here|a function-definition is not)"
)
# The words of gcc and clang for an int where a pointer is needed.
_OF_INT = re.compile(r"something not a structure or union|have 'int'\)|is not a (?:structure|pointer)|'int \*'")
_FROM_INT = re.compile(r"without a cast|incompatible integer to pointer|\b(?:from|have|type) 'int'")
_NAMES = re.compile(r"'[^']*\w[^']*'")
_EMPTY_NOTES = re.compile(r"^each undeclared identifier is reported only once|^in expansion of macro ")


def find_root_causes(groups: Sequence[DiagnosticGroup], code: str, path: str) -> list[DiagnosticGroup]:
    """The groups (a message and its notes) in the compiler's order, without those that follow from another.

    A bracket without a partner gets a message of our own, because the compiler notices it only at the end of the file;
    the compiler's messages behind that line are left out. A message that names something is kept once. Messages that
    follow from an undeclared name go: on the variable in `unknown_t *x`, an int that becomes a pointer, a syntax error
    on that line, an unused variable.
    """
    if not any(group[0].severity == "error" for group in groups):
        return [_drop_uninformative_notes(group) for group in groups]
    lines = split_lines_without_ends(code)
    kept: list[DiagnosticGroup] = []
    first = _diagnose_misplaced_bracket_by_code_or_messages(groups, code, path)
    if first is not None:
        kept.append((first,))
        groups = [
            group for group in groups if group[0].in_candidate and _is_earlier_non_syntax_message(group[0], first)
        ]
    seen: set[str] = set()
    unknown: dict[int, set[str]] = {}
    echoes: set[str] = set()
    for group in groups:
        diagnostic = group[0]
        if diagnostic.message in seen or _is_unused_warning_or_follows_unknown_name(
            diagnostic, unknown, echoes, lines
        ):
            continue
        if not _SYNTAX.match(diagnostic.message) and _NAMES.search(diagnostic.message):
            seen.add(diagnostic.message)
        name = _find_unknown_name_or_empty(diagnostic)
        if name and diagnostic.in_candidate:
            unknown.setdefault(diagnostic.line, set()).add(name)
            echoes |= _find_names_declared_with_type(name, _read_line_of_code_or_empty(diagnostic, lines))
        kept.append(_drop_uninformative_notes(group))
    return kept


def _diagnose_misplaced_bracket_by_code_or_messages(
    groups: Sequence[DiagnosticGroup], code: str, path: str
) -> Diagnostic | None:
    found = find_misplaced_bracket(code)
    if found is not None:
        return Diagnostic("error", found.message, path, found.line, found.column, True)
    if any(_SWALLOWED.match(group[0].message) and not group[0].in_candidate for group in groups):
        message = "a '}' is missing: to the compiler the rest of the file is part of your function"
        return Diagnostic("error", message, path, max(1, code.count("\n") + 1), 1, True)
    return None


def _is_earlier_non_syntax_message(diagnostic: Diagnostic, misplaced_bracket: Diagnostic) -> bool:
    return (diagnostic.line, diagnostic.column) < (
        misplaced_bracket.line,
        misplaced_bracket.column,
    ) and not _SYNTAX.match(diagnostic.message)


def _is_unused_warning_or_follows_unknown_name(
    diagnostic: Diagnostic, unknown: dict[int, set[str]], echoes: set[str], lines: Sequence[str]
) -> bool:
    if diagnostic.option.startswith("-Wunused-") and diagnostic.option != "-Wunused-result":
        return True
    if not diagnostic.in_candidate:
        return False
    name = _find_unknown_name_or_empty(diagnostic)
    if name:
        return name in echoes
    line = _read_line_of_code_or_empty(diagnostic, lines)
    if _OF_INT.search(diagnostic.message) and any(re.search(rf"\b{re.escape(echo)}\b", line) for echo in echoes):
        return True
    if diagnostic.line not in unknown:
        return False
    if _SYNTAX.match(diagnostic.message):
        return True
    # An undeclared function returns int, so that the line's other message is on an int.
    called = any(re.search(rf"\b{re.escape(name)}\s*\(", line) for name in unknown[diagnostic.line])
    return called and _FROM_INT.search(diagnostic.message) is not None


def _find_unknown_name_or_empty(diagnostic: Diagnostic) -> str:
    found = _IMPLICIT.search(diagnostic.message) or _UNKNOWN.match(diagnostic.message)
    return found["name"] if found else ""


def _find_names_declared_with_type(name: str, line: str) -> set[str]:
    """The variables that a line declares with the unknown type `name`. To the compiler `name *x` is a product."""
    found = re.search(rf"\b{re.escape(name)}\b[\s*&]+(?:const\s+)?(\w+)\s*(?:[=;,)\[]|$)", line)
    return {found[1]} if found else set()


def _read_line_of_code_or_empty(diagnostic: Diagnostic, lines: Sequence[str]) -> str:
    return lines[diagnostic.line - 1] if 1 <= diagnostic.line <= len(lines) else ""


def _drop_uninformative_notes(group: DiagnosticGroup) -> DiagnosticGroup:
    return (group[0], *(note for note in group[1:] if not _EMPTY_NOTES.match(note.message)))
