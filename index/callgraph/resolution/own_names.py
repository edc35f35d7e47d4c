"""Names that a function or its file takes for itself: a call of one doesn't mean the function of that name."""

from __future__ import annotations

import re

from index.callgraph.resolution.names import NameMeanings, Row
from index.cpp.type_text import find_type_before, find_word, is_in_comment

_MOST_PLACES = 4
"""How many places of a name are looked at: comments and a K&R function's list may come before its declaration."""
_POINTER = re.compile(r"(\w+)[\s*&]*\(\s*(?:[\w:]+::\s*)?[*^&]+\s*(?:const\s+)?$")
_LONGEST_DECLARATOR = 60
_NO_TYPES = frozenset(["return", "else", "case", "throw", "if", "while", "for", "switch", "sizeof"])
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|endif)", re.MULTILINE)


def is_own_variable(text: str, function: Row, name: str) -> bool:
    """Whether a parameter or local variable of a function of the file `text` has this name: it is declared where the
    function has the name first."""
    at = function.start
    for _ in range(_MOST_PLACES):
        at = find_word(text, name, at)
        if not 0 <= at < function.end:
            return False
        end = at + len(name)
        following = text[end : end + 20].lstrip()[:1]
        if not is_in_comment(text, at):
            if following == "(":
                return False
            before = text[max(function.start, at - _LONGEST_DECLARATOR) : at]
            pointer = _POINTER.search(before)
            if pointer is not None:
                return pointer[1] not in _NO_TYPES
            if following in "=;,)[{:" and find_type_before(text, at):
                return True
        at = end
    return False


def find_end_of_hiding_macro(text: str, file: int, named: NameMeanings) -> int:
    """From where on a macro of the file hides the functions of its name, -1 for nowhere. A macro in an `#if` hides
    them only where its condition holds, which isn't known."""
    for macro in named.macros:
        if macro.file == file and "(" in macro.signature:
            words = [match[1] for match in _CONDITION.finditer(text, 0, macro.start)]
            if words.count("if") == words.count("endif"):
                return macro.end
    return -1
