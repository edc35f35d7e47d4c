"""The tokens of all that a file says, in code, comments and strings alike, as numbers by which texts are compared.

A copy of a function reads the same wherever it stands: quotes, backslashes, stars, slashes, `#` and the marks at
the start of a line (`+`, `>`, `|`) are no tokens here, since comments, strings, macros and patches put them there.
What is one token to a compiler or a browser is one: digraphs, a name on two lines, `17` and `17u`, `<` and `&lt;`.
"""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.hiding.body_tokens import KEYWORDS, TokenValues, drop_name_prefix_and_case

Values = npt.NDArray[np.uint16]
Integers = npt.NDArray[np.int64]

CODE, COMMENT, STRING = range(3)

_PARTS = re.compile(
    rb"(/(?:/(?:[^\\\n]++|\\\r\n|\\[\s\S])*+(?:\\\Z)?|\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)))"
    rb'|("(?:[^"\\\n]++|\\[\s\S])*+"?'
    rb"|'(?<![0-9A-Za-z]')(?:[^'\\\n]++|\\[\s\S])*+'?)"
)
"""A comment, or a string or character. Splitting by it gives code, comment, string, code, ..., code."""
# In the order of how often they match; each begins with one character or set, which the engine tells at one glance.
# What is between tokens is passed over within the match: that is quicker than trying every alternative at each byte.
# The bound keeps the time linear where no token follows.
_TOKENS = re.compile(
    rb"[\s\"*/#@$`']{0,24}+"
    rb"([A-Za-z_\x80-\xff][0-9A-Za-z_\x80-\xff]*+(?:\\\r?\n[0-9A-Za-z_\x80-\xff]+)*+"
    rb"|[(){};,\[\]=!^~]|[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*+"
    # What a string escapes, at whatever depth, is no token.
    rb"|\\+(?:x[0-9A-Fa-f]+|[0-7]{1,3}|[A-Za-z])?"
    rb"|\.[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*+"
    rb"|<[:%]|:>|%>|\?\?[=/'()!<>-]|(?:&(?:amp;)?){2}|&(?:lt|gt|amp|quot|apos);|\|\||[-+><&|%.:?\x00])"
)
_MARK = rb"[-+>|!:;.%=~]"
_MARKED_LINE = re.compile(rb"\n" + _MARK + rb"{1,4}")
"""What stands at the very start of a line of a patch, a quotation, a table: no code begins there so."""
_MARKED_COMMENT_LINE = re.compile(
    rb"(?:\n|(?<![/*])/[/*])[ \t*/]{0,80}+(?:[0-9]{1,5}[ \t]*)?" + _MARK + rb"{1,4}(?=\s)"
)
"""The same in a comment, where it may be indented and follow a line's number."""
_SPELLINGS = dict(
    pair.split()
    for pair in (
        *(b"<: [", b":> ]", b"<% {", b"%> }", b"??( [", b"??) ]", b"??< {", b"??> }", b"??! |", b"??' ^", b"??- ~"),
        *(b"&lt; <", b"&gt; >", b"&amp; &", b"&amp;&amp; &&"),
        *(b"and &&", b"or ||", b"not !", b"xor ^", b"bitand &", b"bitor |", b"compl ~"),
    )
)
_NUMBER_SUFFIX = re.compile(rb"[uUlLzZ]+$")
_NONE = 0
_ATOM = 0x8000
"""Set in the value of a name or number: what a renamed copy changes. The other bits are a hash of what a token says:
few enough to store all tokens of a tree, and enough for runs of a dozen."""
_TEXT = 0x7FFF
_BETWEEN_STREAMS = b"\0"


def encode_tokens_grouped_by_kind(data: bytes) -> Values:
    """The values of a file's tokens: first those of its code, strings within, then those of all its comments, then
    those of all its strings. So a copy is one run with other comments in it, and over several comments or strings."""
    text = _join_code_comments_strings(_separate_comments_and_strings(_PARTS.split(data)))
    return _encode_real_tokens_with_mask(text)[0]


def encode_distinct_code_comment_string_spellings(body: bytes) -> tuple[Values, ...]:
    """The values of a function's body without its comments first, then as a comment or a string would hold it, where
    that is different."""
    spellings = (
        b" ".join(_empty_comment_parts(_PARTS.split(body))),
        body,
        _blank_pattern_matches(_MARKED_COMMENT_LINE, body),
    )
    values = {found.tobytes(): found for found, _ in map(_encode_real_tokens_with_mask, dict.fromkeys(spellings))}
    return tuple(values.values())


class TextPart(NamedTuple):
    """A comment, a string, or the code between two of them: bytes of a file, and what it is."""

    start: int
    end: int
    kind: int


class TextTokens(NamedTuple):
    """A file's tokens, in the order of `encode_tokens_grouped_by_kind`, with their places: token i is bytes
    [starts[i], ends[i]), in the part `parts[of_part[i]]`."""

    starts: Integers
    ends: Integers
    of_part: Integers
    parts: list[TextPart]


def locate_text_tokens(data: bytes) -> TextTokens:
    """The places of a file's tokens. It takes some three times as long as their values."""
    split = _PARTS.split(data)
    spread = _separate_comments_and_strings(split)
    pieces = [*spread[0], _BETWEEN_STREAMS, *spread[1], _BETWEEN_STREAMS, *spread[2]]
    sizes = np.array([len(part or b"") for part in split], dtype=np.int64)
    begins = np.cumsum(sizes) - sizes
    kinds = np.arange(len(split)) % 3
    nowhere = np.array([-1])
    part_of_piece = np.concatenate(
        (np.arange(len(split)), nowhere, np.flatnonzero(kinds == COMMENT), nowhere, np.flatnonzero(kinds == STRING))
    )
    piece_sizes = np.array([len(piece) + 1 for piece in pieces], dtype=np.int64)
    piece_starts = np.cumsum(piece_sizes) - piece_sizes
    text = _blank_pattern_matches(_MARKED_LINE, _join_code_comments_strings(spread))
    found = _TOKENS.findall(text)
    _, real = _encode_real_tokens_with_mask(text)
    places = np.fromiter((match.start(1) for match in _TOKENS.finditer(text)), dtype=np.int64, count=len(found))[real]
    lengths = np.fromiter(map(len, found), dtype=np.int64, count=len(found))[real]
    piece = np.searchsorted(piece_starts, places, "right") - 1
    of_part = part_of_piece[piece]
    starts = places - piece_starts[piece] + begins[of_part]
    parts = [
        TextPart(int(begin), int(begin + size), int(kind))
        for begin, size, kind in zip(begins, sizes, kinds, strict=True)
    ]
    return TextTokens(starts, starts + lengths, of_part, parts)


ValuesAndPositions = tuple[Values, Integers]


def collapse_names_and_numbers(values: Values) -> ValuesAndPositions:
    """The values with every name and number as one token, and several behind each other as one; for each of them its
    position in `values`."""
    atoms = values >= _ATOM
    kept = np.ones(len(values), dtype=bool)
    kept[1:] = ~(atoms[1:] & atoms[:-1])
    return np.where(atoms, np.uint16(_ATOM), values)[kept], np.flatnonzero(kept)


_AllPartsCommentsStrings = tuple[list[bytes], list[bytes], list[bytes]]


def _separate_comments_and_strings(split: list[bytes | None]) -> _AllPartsCommentsStrings:
    """All parts, comments blanked; the comments; the strings."""
    return _empty_comment_parts(split), [part or b"" for part in split[1::3]], [part or b"" for part in split[2::3]]


def _join_code_comments_strings(spread: _AllPartsCommentsStrings) -> bytes:
    code, comments, strings = spread
    marked = _blank_pattern_matches(_MARKED_COMMENT_LINE, b" ".join(comments))
    return b" ".join((*code, _BETWEEN_STREAMS, marked, _BETWEEN_STREAMS, *strings))


def _blank_pattern_matches(pattern: re.Pattern[bytes], text: bytes) -> bytes:
    """The text with what the pattern finds made white space: every byte stays where it is."""
    return pattern.sub(lambda match: b"\n" + b" " * (len(match.group()) - 1), text)


def _empty_comment_parts(split: list[bytes | None]) -> list[bytes]:
    blanked = list(split)
    blanked[1::3] = [b""] * (len(split) // 3)
    return [part or b"" for part in blanked]


def _encode_real_tokens_with_mask(text: bytes) -> tuple[Values, npt.NDArray[np.bool_]]:
    """The values of a text's tokens, and which of what `_TOKENS` finds are tokens."""
    found = _TOKENS.findall(_blank_pattern_matches(_MARKED_LINE, text))
    values = np.fromiter(map(_TOKEN_VALUES.__getitem__, found), dtype=np.uint16, count=len(found))
    real = values != _NONE
    return values[real], real


def _hash_or_zero_marking_names_and_numbers(token: bytes) -> int:
    token = _SPELLINGS.get(token, token)
    if token.startswith(b"\\") or token in (b"??=", b"??/"):
        return _NONE
    first = token[:1]
    if first.isdigit() or (first == b"." and len(token) > 1):
        return _ATOM | zlib.crc32(_NUMBER_SUFFIX.sub(b"", token).replace(b"'", b"").lower()) & _TEXT
    if first.isalpha() or first == b"_" or first >= b"\x80":
        name = token.replace(b"\\\r\n", b"").replace(b"\\\n", b"").decode("latin-1")
        if name not in KEYWORDS:
            return _ATOM | zlib.crc32(drop_name_prefix_and_case(name).encode("latin-1", "replace")) & _TEXT
    return zlib.crc32(token) & _TEXT or 1


_TOKEN_VALUES = TokenValues(_hash_or_zero_marking_names_and_numbers)
