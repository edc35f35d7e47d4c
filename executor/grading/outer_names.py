"""What a text takes from outside of its own function: scopes, operators, conditions of the preprocessor, callbacks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_WORD = re.compile(r"[^\W\d]\w*")
# The place of the function among the arguments of the library's calls that take one, from 0.
_CALLBACK = {"qsort": 3, "qsort_r": 3, "bsearch": 4}
# They call what they are given.
_CALL_ANYTHING = frozenset({"invoke", "apply", "bind", "mem_fn", "call_once"})
_CONDITIONS = frozenset({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef"})
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)([^\n]*)", re.MULTILINE)
# More tokens of an argument aren't looked at.
_MOST = 40


def find_scope_names(found: Sequence[str]) -> set[str]:
    """The outermost names before `::`, and those of namespaces that are opened or used."""
    named: set[str] = set()
    for place, token in enumerate(found):
        before = found[place - 1] if place else ""
        if token == "::" and _WORD.fullmatch(before) and (place < 2 or found[place - 2] != "::"):
            named.add(before)
        elif before == "namespace" and _WORD.fullmatch(token):
            named.add(token)
    return named


def find_preprocessor_condition_names(code: str) -> set[str]:
    """The names that directives ask for. `code` is the text with lines joined."""
    named: set[str] = set()
    for word, rest in _DIRECTIVE.findall(code):
        if word in _CONDITIONS:
            named.update(_WORD.findall(rest))
    return named - {"defined"}


def find_defined_operators(found: Sequence[str]) -> set[str]:
    """The operators that are defined outside of braces, as `operator ==`."""
    named: set[str] = set()
    depth = 0
    for place, token in enumerate(found):
        depth += (token == "{") - (token == "}")
        if token == "operator" and not depth:
            named.add(" ".join(("operator", *found[place + 1 : place + 2])))
    return named


def find_callbacks(found: Sequence[str], pairs: Mapping[int, int]) -> set[str]:
    """What the library is told to call: the name that stands there alone, "" for anything else."""
    named: set[str] = set()
    for place, token in enumerate(found[:-1]):
        if token in _CALL_ANYTHING and place > 1 and found[place - 1] == "::" and found[place - 2] == "std":
            named.add("")
        elif token in _CALLBACK and found[place + 1] == "(":
            given = _read_argument(found, place + 2, pairs.get(place + 1, place + 2), _CALLBACK[token])
            named.add(given[0] if len(given) == 1 and _WORD.fullmatch(given[0]) else "")
    return named


def _read_argument(found: Sequence[str], first: int, end: int, number: int) -> list[str]:
    """The tokens of one argument of those between these places; at most `_MOST` of them."""
    given: list[str] = []
    depth = 0
    for token in found[first : min(end, first + 10 * _MOST)]:
        depth += (token in "([{") - (token in ")]}")
        if token == "," and depth == 0:
            number -= 1
        elif number == 0 and len(given) < _MOST:
            given.append(token)
    return given
