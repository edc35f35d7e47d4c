"""Where a bracket that opens in an answer closes.

tree-sitter judges code; it can't find code in prose, where one apostrophe opens a character literal that swallows
the function. Reading starts at the function's name instead, token by token, and needs no preprocessor.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from index.cpp.tokens import tokenize_code_among_prose

_OPEN = {"(": ")", "[": "]", "{": "}"}
_DIRECTIVE = re.compile(r"\#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b[ \t]*([^\n]*)")


class _Branch(NamedTuple):
    """A condition: the brackets that were open before it, and its opposite."""

    wanted: list[str]
    opposite: str


def find_end_past_closing_bracket(text: str, start: int, end: int) -> int | None:
    """The position just past the bracket that closes the one at `start`, or None.

    Of an #if and its #else only the last branch counts: both usually open the same brace. An #ifndef right behind the
    #ifdef of the same name is its #else.
    """
    wanted = [_OPEN[text[start]]]
    branches: list[_Branch] = []
    ended: _Branch | None = None
    for kind, token, position in tokenize_code_among_prose(text, start + 1, end):
        if kind == "directive":
            ended = _apply_directive_and_find_ended_branch(token, wanted, branches, ended)
            continue
        ended = None
        if kind != "punctuation":
            continue
        if token in _OPEN:
            wanted.append(_OPEN[token])
        elif token == wanted[-1]:
            wanted.pop()
            if not wanted:
                return position + 1
        elif token in (")", "]", "}"):
            return None
    return None


def _apply_directive_and_find_ended_branch(
    directive: str, wanted_closers: list[str], branches: list[_Branch], ended: _Branch | None
) -> _Branch | None:
    """The branch that ends here, if one does. `ended` is the one that ended right before."""
    match = _DIRECTIVE.match(directive)
    if match is None:
        return None
    word, condition = match.groups()
    if word.startswith("if"):
        if ended is not None and ended.opposite == _join_directive_without_white_space(word, condition):
            wanted_closers[:] = ended.wanted
        branches.append(_Branch(list(wanted_closers), _negate_branch_condition(word, condition)))
    elif word == "endif":
        return branches.pop() if branches else None
    elif branches:
        wanted_closers[:] = branches[-1].wanted
    return None


def _join_directive_without_white_space(word: str, condition: str) -> str:
    return remove_all_white_space(f"{word} {condition}".partition("/")[0])


def _negate_branch_condition(word: str, condition: str) -> str:
    """The condition that holds where this one doesn't, as `_join_directive_without_white_space` spells it."""
    if word != "if":
        return _join_directive_without_white_space("ifndef" if word == "ifdef" else "ifdef", condition)
    return _join_directive_without_white_space("if", condition[1:] if condition.startswith("!") else f"!{condition}")


def remove_all_white_space(text: str) -> str:
    return "".join(text.split())
