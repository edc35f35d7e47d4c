"""Where a bracket that opens in an answer closes.

tree-sitter judges code; it can't find code in prose, where one apostrophe opens a character literal that swallows
the function. Reading starts at the function's name instead, token by token, and needs no preprocessor.
"""

from __future__ import annotations

import re

from index.cpp.tokens import tokenize_prose

_OPEN = {"(": ")", "[": "]", "{": "}"}
_DIRECTIVE = re.compile(r"\#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b")


def find_closing_bracket(text: str, start: int, end: int) -> int | None:
    """The position just past the bracket that closes the one at `start`, or None.

    Of an #if and its #else only the last branch counts: both usually open the same brace.
    """
    wanted = [_OPEN[text[start]]]
    branches: list[list[str]] = []
    for kind, token, position in tokenize_prose(text, start + 1, end):
        if kind == "directive":
            _follow_branch(token, wanted, branches)
        elif kind != "punctuation":
            continue
        elif token in _OPEN:
            wanted.append(_OPEN[token])
        elif token == wanted[-1]:
            wanted.pop()
            if not wanted:
                return position + 1
        elif token in (")", "]", "}"):
            return None
    return None


def _follow_branch(directive: str, wanted: list[str], branches: list[list[str]]) -> None:
    match = _DIRECTIVE.match(directive)
    if match is None:
        return
    if match[1].startswith("if"):
        branches.append(list(wanted))
    elif match[1] == "endif":
        if branches:
            branches.pop()
    elif branches:
        wanted[:] = branches[-1]


def remove_spaces(text: str) -> str:
    return "".join(text.split())
