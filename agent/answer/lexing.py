"""Tokens of C and C++, enough to find where a parenthesis or a function's body ends.

tree-sitter judges code; it can't find code in prose, where one apostrophe opens a character literal that swallows
the function. Lexing starts at the function's name instead, and needs no preprocessor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>//(?:\\\r?\n|[^\n])*|/\*[\s\S]*?(?:\*/|\Z))
  | (?P<literal>(?:u8|[uUL])?R"(?P<mark>[^()\\\s"]{0,16})\([\s\S]{0,1000}?\)(?P=mark)"
              |(?:u8|[uUL])?"(?:\\[\s\S]|[^"\\\n])*"
              |(?:u8|[uUL])?'(?:\\[\s\S]|[^'\\\n])+'
              |\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
  | (?P<directive>\#(?:\\\r?\n|[^\n])*)
  | (?P<word>[A-Za-z_$][\w$]*)
  | (?P<punct>::|->|[\s\S])
    """,
    re.VERBOSE,
)
_OPEN = {"(": ")", "[": "]", "{": "}"}
_DIRECTIVE = re.compile(r"\#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b")


def tokens(text: str, start: int, end: int) -> Iterator[tuple[str, str, int]]:
    """(kind, text, position) of each token but space and comments. Kinds: literal, directive, word, punct."""
    for match in _TOKEN.finditer(text, start, end):
        kind = match.lastgroup or ""
        if kind not in ("space", "comment"):
            yield ("literal" if kind == "mark" else kind), match[0], match.start()


def closing(text: str, start: int, end: int) -> int | None:
    """The position just past the bracket that closes the one at `start`, or None.

    Of an #if and its #else only the last branch counts: both usually open the same brace.
    """
    wanted = [_OPEN[text[start]]]
    branches: list[list[str]] = []
    for kind, token, position in tokens(text, start + 1, end):
        if kind == "directive":
            _branch(token, wanted, branches)
        elif kind != "punct":
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


def _branch(directive: str, wanted: list[str], branches: list[list[str]]) -> None:
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


def in_comment(text: str, position: int) -> bool:
    """True where `position` lies in a comment, judged by its own line and the last comment opened before it."""
    line = text.rfind("\n", 0, position) + 1
    if "//" in text[line:position]:
        return True
    near = max(0, position - 8000)
    return text.rfind("/*", near, position) > text.rfind("*/", near, position)


def despaced(text: str) -> str:
    return "".join(text.split())
