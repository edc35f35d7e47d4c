"""Lexical tokens of C and C++ text, in linear time whatever the text: no parser, no failure.

Clone detection, the leak test and the strict exact match all compare these tokens, so that layout and comments
never count as a difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Every alternative that opens something (comment, string) also matches up to the end of the text or line when it
# isn't closed: an alternative that could fail after a long scan would be tried again at the next character, and a
# file of "/*/*/*" would take quadratic time. Possessive quantifiers (`*+`) keep the regex engine from going back.
_COMMENT = r"//(?:[^\\\n]|\\[\s\S])*+(?:\\\Z)?|/\*[\s\S]*?(?:\*/|\Z)"
_RAW_STRING = r'(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\([\s\S]*?(?:\)(?P=delimiter)"|\Z)'
_STRING = r'(?:u8|[uUL])?"(?:[^"\\\n]|\\[\s\S])*+"?'
_CHAR = r"(?:u8|[uUL])?'(?:[^'\\\n]|\\[\s\S])*+'?"
_NUMBER = r"\.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*+"
_WORD = r"[^\W\d]\w*+"
_OPERATOR = (
    r"<<=|>>=|<=>|->\*|\.\.\.|::|\+\+|--|->|\.\*|<<|>>|<=|>=|==|!=|&&|\|\||##|[-+*/%&|^]=|\\(?=\n|\r)|[^\s\\]|\\"
)
_PLAIN = re.compile("|".join((_COMMENT, _STRING, _CHAR, _NUMBER, _WORD, _OPERATOR)))
_WITH_RAW = re.compile("|".join((_COMMENT, _RAW_STRING, _STRING, _CHAR, _NUMBER, _WORD, _OPERATOR)))
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")


def tokens(text: str) -> list[str]:
    """The C/C++ tokens of `text` in order, without comments, white space and line continuations.

    Strings, characters, numbers (`1'000`, `1e-5f`), identifiers, operators and the words of preprocessor lines
    are one token each (`#` and `include` are two). Never fails: what isn't C is a token a character.
    """
    if 'R"' in text:
        found = [m.group() for m in _WITH_RAW.finditer(text)]
    else:
        found = _PLAIN.findall(text)
    return [t for t in found if not t.startswith(("//", "/*")) and t != "\\"]


def tokens_at(text: str) -> Iterator[tuple[int, str]]:
    """As `tokens`, each with its offset in `text`."""
    for match in (_WITH_RAW if 'R"' in text else _PLAIN).finditer(text):
        token = match.group()
        if not token.startswith(("//", "/*")) and token != "\\":
            yield match.start(), token


def split_identifier(name: str) -> list[str]:
    """The words of an identifier, in lower case: `b3GetHTTPServer_v2` -> b, 3, get, http, server, v, 2."""
    return [part.lower() for part in _PARTS.findall(name)]


_COMMENT_OR_STRING = re.compile("|".join((f"(?P<comment>{_COMMENT})", _STRING, _CHAR)))


def without_comments(text: str) -> str:
    """`text` with each comment replaced by one space; strings that look like comments stay."""
    if "//" not in text and "/*" not in text:
        return text
    return _COMMENT_OR_STRING.sub(lambda m: " " if m.group("comment") is not None else m.group(), text)
