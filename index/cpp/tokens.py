"""The lexer: C and C++ text as tokens, in linear time whatever the text. No parser, and it never fails.

All of Graft reads tokens by the patterns of this module, so that a string, a comment or a number is the same
everywhere. `tokenize` gives the compiler's tokens. The others are the same tokens as one reader wants them: as bytes,
or only those that open and close blocks, or in an answer where prose surrounds the code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

# A pattern that opens something (comment, string) also matches up to the end of the text or line when it isn't closed:
# a pattern that could fail after a long scan would be tried again at the next character, and a file of "/*/*/*" would
# take quadratic time. Possessive quantifiers (`*+`) keep the regex engine from going back. Runs (`++`)
# within them save a turn of the loop for each byte.
_COMMENT = r"//(?:[^\\\n]++|\\\r\n|\\[\s\S])*+(?:\\\Z)?|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)"
_PREFIX = r"(?:u8|[uUL])"
_RAW_STRING = _PREFIX + r'?R"(?P<delimiter>[^()\\\s"]{0,16})\([\s\S]*?(?:\)(?P=delimiter)"|\Z)'
_STRING = r'"(?:[^"\\\n]++|\\[\s\S])*+"?'
_CHAR = r"'(?:[^'\\\n]++|\\[\s\S])*+'?"
_CLOSED_STRING = r'"(?:[^"\\\n]++|\\[\s\S])*+"'
_CLOSED_CHAR = r"'(?:[^'\\\n]++|\\[\s\S])*+'"
_REST_OF_NUMBER = r"(?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*+"
_NUMBER = r"\.?[0-9]" + _REST_OF_NUMBER
_WORD = r"[^\W\d]\w*+"
_LONG_OPERATOR = r"<<=|>>=|<=>|->\*|\.\.\.|::|\+\+|--|->|\.\*|<<|>>|<=|>=|==|!=|&&|\|\||##|[-+*/%&|^]="
_DIRECTIVE = r"^[ \t]*#(?:[^\\\n]++|\\\r\n|\\[\s\S])*+"

_TOKENS = (
    _COMMENT,
    f"{_PREFIX}?{_STRING}",
    f"{_PREFIX}?{_CHAR}",
    _NUMBER,
    _WORD,
    _LONG_OPERATOR,
    r"\\(?=\n|\r)|[^\s\\]|\\",
)
_PLAIN = re.compile("|".join(_TOKENS))
_WITH_RAW = re.compile("|".join((_RAW_STRING, *_TOKENS)))
_COMMENT_OR_STRING = re.compile(f"(?P<comment>{_COMMENT})|{_PREFIX}?{_STRING}|{_PREFIX}?{_CHAR}")
_PARTS = re.compile(r"([A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+)")


def tokenize(text: str) -> list[str]:
    """The C/C++ tokens of `text` in order, without comments, white space and line continuations.

    Strings, characters, numbers (`1'000`, `1e-5f`), identifiers, operators and the words of preprocessor lines
    are one token each (`#` and `include` are two). What isn't C is a token a character.
    """
    if 'R"' in text:
        found = [match.group() for match in _WITH_RAW.finditer(text)]
    else:
        found = _PLAIN.findall(text)
    return [t for t in found if not t.startswith(("//", "/*")) and t != "\\"]


def tokenize_with_offsets(text: str, *, continuations: bool = False) -> Iterator[tuple[int, str]]:
    """As `tokenize`, each with its offset in `text`; with `continuations` the `\\` of continued lines too."""
    for match in (_WITH_RAW if 'R"' in text else _PLAIN).finditer(text):
        token = match.group()
        if not token.startswith(("//", "/*")) and (continuations or token != "\\"):
            yield match.start(), token


class SourcePiece(NamedTuple):
    """A part of a source text. `kind` is comment, literal, number, word or fixed: text that no macro or name can
    change (a file that is included, what `#error`, `#warning` and `#pragma` say)."""

    kind: str
    text: str
    start: int


# As in C, a directive's line goes on behind a backslash.
_FIXED = (
    r'(?:^[ \t]*(?:\#|%:)[ \t]*(?:(?:include(?:_next)?|import|embed)\b[ \t]*(?:<[^>\n]*>|"[^"\n]*")'
    r"|line\b(?=[ \t]+\d)|(?:error|warning|pragma|ident)\b(?:[^\\\n]|\\\r\n|\\[\s\S])*+)"
    r"|\b__has_(?:include(?:_next)?|embed)\s*+\(\s*+<[^>\n]*>"
    # At a line's end: a macro's value for `#include MACRO`.
    r"|(?<=[ \t])<[\w./+-]+\.\w+>(?=[ \t]*(?:/[*/]|\r?$)))"
)
_PIECE = re.compile(
    rf"(?P<fixed>{_FIXED})|(?P<comment>{_COMMENT})|(?P<literal>{_RAW_STRING}|{_PREFIX}?{_STRING}|{_PREFIX}?{_CHAR})"
    rf"|(?P<number>{_NUMBER})|(?P<word>{_WORD})",
    re.MULTILINE,
)


def replace_source_pieces(text: str, replacement: Callable[[re.Match[str]], str]) -> str:
    """`text` with each of its pieces replaced; `lastgroup` of the match is the piece's kind (see `SourcePiece`)."""
    return _PIECE.sub(replacement, text)


def find_comments_literals_and_words(text: str) -> Iterator[SourcePiece]:
    """The comments, literals, numbers, words and fixed texts of `text` in order; white space and operators lie
    between them."""
    for match in _PIECE.finditer(text):
        yield SourcePiece(match.lastgroup or "", match.group(), match.start())


# Bytes: a build passes over every body once, so the patterns stand in the order of how often they match, and each
# begins with one character or set of them, by which the engine passes over most of them at one glance.
_BYTE_TOKENS = (
    rf"{_PREFIX}(?:{_STRING}|{_CHAR})",
    r"[A-Za-z_\x80-\xff][0-9A-Za-z_\x80-\xff]*+",
    r"[(){};,\[\]?~]",
    r"->(?!\*)|\.(?![0-9.*])|::|=(?!=)",
    _COMMENT,
    rf"[0-9]{_REST_OF_NUMBER}|\.[0-9]{_REST_OF_NUMBER}",
    _STRING,
    _CHAR,
    rf"{_LONG_OPERATOR}|\S",
)
# White space is passed over within the match of the token behind it: from each of its bytes the engine would try every
# alternative. The bound keeps the time linear where no token follows.
_PLAIN_BYTES = re.compile(rf"\s{{0,24}}+({'|'.join(_BYTE_TOKENS)})".encode("latin-1"))
_BYTES_WITH_RAW = re.compile("|".join((_RAW_STRING, *_BYTE_TOKENS)).encode("latin-1"))


def tokenize_bytes_with_comments(text: bytes) -> Iterable[bytes]:
    """The tokens of `text` as bytes. Comments and the `\\` of line continuations are among them: passing over them
    here would cost more than it does where the tokens are looked up."""
    if b'R"' in text:
        return (match.group() for match in _BYTES_WITH_RAW.finditer(text))
    return _PLAIN_BYTES.findall(text)


_EXPRESSION = re.compile(rf"->\*?|::|[A-Za-z_]\w*|\d[\w.]*|{_STRING}|{_CHAR}|<<=?|>>=?|\S")


def tokenize_expression(text: str) -> list[str]:
    """The tokens of an expression, to find its type: of operators only those that access a member or a scope,
    and shifts, have more than one character."""
    return _EXPRESSION.findall(text)


BRACES = re.compile(
    "|".join((_CLOSED_STRING, _CLOSED_CHAR, _COMMENT, _DIRECTIVE, "[{}]")).encode("latin-1"), re.MULTILINE
)
"""Finds braces in code. It also matches what may hold braces that don't count: strings, comments, directives."""

NOT_CODE = re.compile("|".join((_CLOSED_STRING, _CLOSED_CHAR, _COMMENT)).encode("latin-1"))
"""Finds comments and strings."""

_REPLACEMENT = re.compile(
    rf"\s+|{_CLOSED_STRING}|{_CLOSED_CHAR}|[A-Za-z_]\w*(?:\s*##\s*\w+)*|\w+\s*##\s*\w+(?:\s*##\s*\w+)*"
    r"|::|[-+*/%&|^=!<>]=|->|.",
    re.DOTALL,
)


def split_replacement_into_pieces(text: str) -> list[str]:
    """The tokens of a macro's replacement on one line, white space included. What `##` pastes together is one token;
    the digits of a number are one token each."""
    return _REPLACEMENT.findall(text)


OPENING_BRACKETS = frozenset("([{")
CLOSING_BRACKETS = frozenset(")]}")


def find_closing_token_or_minus_one(tokens: Sequence[str], at: int) -> int:
    """The position of the bracket that closes what the bracket at `at` opens, -1 when nothing does."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] in OPENING_BRACKETS) - (tokens[i] in CLOSING_BRACKETS)
        if depth == 0:
            return i
    return -1


class ProseToken(NamedTuple):
    """A token of code that prose surrounds. `kind` is literal, directive (a whole line), word or punctuation."""

    kind: str
    text: str
    start: int


# In prose an apostrophe rarely opens a character literal: one that isn't closed on its line is punctuation. So is
# each `>` of `>>`, which may close two lists of template arguments.
_PROSE = re.compile(
    rf"(?P<space>\s+)|(?P<comment>{_COMMENT})"
    rf'|(?P<literal>{_PREFIX}?R"(?P<delimiter>[^()\\\s"]{{0,16}})\([\s\S]{{0,1000}}?\)(?P=delimiter)"'
    rf"|{_PREFIX}?{_CLOSED_STRING}|{_PREFIX}?(?!''){_CLOSED_CHAR}|{_NUMBER})"
    rf"|(?P<directive>\#(?:[^\\\n]|\\\r\n|\\[\s\S])*+)|(?P<word>[A-Za-z_$][\w$]*)|(?P<punctuation>::|->|[\s\S])"
)


def tokenize_code_among_prose(text: str, start: int, end: int) -> Iterator[ProseToken]:
    """The tokens of `text[start:end]`, code with prose around it, without comments and white space."""
    for match in _PROSE.finditer(text, start, end):
        kind = match.lastgroup or ""
        if kind not in ("space", "comment"):
            yield ProseToken(kind, match.group(), match.start())


def remove_comments(text: str) -> str:
    """`text` with each comment replaced by one space; strings that look like comments stay."""
    if "//" not in text and "/*" not in text:
        return text
    return _COMMENT_OR_STRING.sub(lambda m: " " if m.group("comment") is not None else m.group(), text)


def blank_bytes_except_line_ends(out: bytearray, start: int, end: int, filler: bytes) -> None:
    """Put `filler`, one byte, in the place of all bytes of `out[start:end]` but line ends. Spaces count as part of the
    declaration that follows them, form feeds don't."""
    out[start:end] = bytes(c if c in b"\r\n" else filler[0] for c in out[start:end])


def split_identifier(name: str) -> list[str]:
    """The words of an identifier, in lower case: `b3GetHTTPServer_v2` -> b, 3, get, http, server, v, 2."""
    return [part.lower() for part in _PARTS.findall(name)]


def split_identifier_into_words_and_gaps(name: str) -> list[str]:
    """The whole identifier in pieces: each word as it is spelled, at an odd place, and what stands between words at an
    even one: `_setSHA_2` -> _, set, "", SHA, _, 2, ""."""
    return _PARTS.split(name)
