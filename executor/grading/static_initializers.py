"""Finds variables of C++ whose initialisation runs code of the text before main does: such code can note what it
finds, since a constant keeps its value."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

_WORD = re.compile(r"[^\W\d]\w*")
_CLASS = frozenset({"struct", "class", "union"})
# A statement that begins so declares no variable, or one that the compiler knows.
_NO_VARIABLE = frozenset({"typedef", "using", "template", "friend", "extern", "static_assert", "enum", "return"})
# More tokens of a statement aren't looked at.
_MOST = 400


def find_names_run_before_main(found: Sequence[str], defined: Collection[str]) -> set[str]:
    """The names of the text's own functions and classes that the initialisation of a variable outside of functions
    calls or makes, of `found`, the text's tokens. A lambda there is called `lambda`. `defined`: the text's
    functions."""
    active = set(defined) | _find_classes_with_code(found)
    early: set[str] = set()
    depth = start = 0
    outside = [True]
    for place, token in enumerate(found):
        if token == "{":
            head = found[start : min(place, start + 3)]
            # In a namespace; everything else in braces is of a body, a class or a value.
            inside = not outside[-1] or not ("namespace" in head or head[:1] == ["extern"])
            outside.append(not inside)
            depth += inside
            start = start if inside else place + 1
        elif token == "}":
            was_inside = not outside.pop() if len(outside) > 1 else False
            depth -= was_inside
            following = found[place + 1] if place + 1 < len(found) else ""
            if not depth and not _continues_after_brace(found[start : start + _MOST], following):
                start = place + 1
        elif token == ";" and not depth:
            early |= _find_names_run_by_statement(found[start : min(place, start + _MOST)], active, set(defined))
            start = place + 1
    return early


def _find_classes_with_code(found: Sequence[str]) -> set[str]:
    """The names of the classes with a function's body in them, or with an object of such a class."""
    names: set[str] = set()
    for place, token in enumerate(found[:-1]):
        if token not in _CLASS or not _WORD.fullmatch(found[place + 1]):
            continue
        depth, before = 0, ""
        for inner in found[place + 2 : place + 2 + _MOST]:
            depth += (inner == "{") - (inner == "}")
            if inner == ";" and not depth:
                break
            body = inner == "{" and depth > 1 and before in (")", "const", "noexcept", "override")
            if body or (inner in names and depth):
                names.add(found[place + 1])
                break
            before = inner
    return names


def _continues_after_brace(statement: Sequence[str], following: str) -> bool:
    """Whether a `}` doesn't end the statement: a value in braces, or a class whose variable follows."""
    return following in (";", ",", "(", ")", "=", ".") or (bool(_CLASS & set(statement[:2])) and following != "")


def _find_names_run_by_statement(statement: Sequence[str], active: set[str], defined: set[str]) -> set[str]:
    if not statement or statement[0] in _NO_VARIABLE or "constexpr" in statement or "operator" in statement:
        return set()
    value = statement.index("=") if "=" in statement else None
    opening = next((place for place, token in enumerate(statement) if token in "({"), len(statement))
    if value is None and opening < len(statement) and statement[opening - 1] in defined:
        return set()  # a function is declared
    is_class = statement[-1] == "}" and not _CLASS.isdisjoint(statement[:2]) and value is None
    if is_class or (len(statement) < 3 and not _CLASS.isdisjoint(statement[:1])):
        return set()
    found = {token for token in statement if token in active}
    tail = statement[value + 1 :] if value is not None else ()
    if any(first == "[" and second in ("]", "&", "=") for first, second in pairwise(tail)):
        found.add("lambda")
    return found
