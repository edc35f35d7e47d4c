"""The tokens of function bodies as numbers, by which bodies are compared: what each says, and its kind."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.cpp.keywords import word_set
from index.cpp.tokens import tokenize_bytes_with_comments

Values = npt.NDArray[np.uint64]
TokenRange = tuple[int, int]
"""Tokens [first, end)."""

IDENTIFIER, LITERAL = 0, 1
"""The kinds whose tokens a renamed copy changes: atoms. Every keyword and operator is of a further kind."""
KINDS = 32
"""Keywords and operators share the other kinds: some 70 of them occur, most of them rarely."""

KEYWORDS = word_set(
    "auto break case catch char class const continue default delete do double else enum extern false float for goto "
    "if inline int long namespace new nullptr operator private protected public register return short signed sizeof "
    "static struct switch template this throw true try typedef typename union unsigned using virtual void volatile "
    "while bool"
)
_LITERAL = re.compile(r"""(?:u8|[uUL])?R?["']|\.?[0-9]""")
# b3Vector3 and btVector3, and m_size and size, count as one name.
_PREFIX = re.compile(r"^(?:m_|s_|g_|k)?_*(?:[a-z][a-z0-9]{0,2}(?=[A-Z]))?_*")

_KIND_BIT = np.uint64(32)
_TEXT = np.uint64(0xFFFFFFFF)
_NONE = KINDS << 32
"""The value of a comment and of the end of a continued line, which are no tokens."""


def drop_name_prefix_and_case(identifier: str) -> str:
    """`identifier` without a project's or a member's prefix."""
    rest = identifier[_PREFIX.match(identifier).end() :]  # type: ignore[union-attr]  # it matches the empty string
    return (rest or identifier).lower()


class BodyTokens(NamedTuple):
    """The tokens of bodies one after the other. `texts` are hashes of what a token says, a name without its prefix;
    `kinds` are below `KINDS`; body i is `[ends[i-1]:ends[i]]`."""

    texts: Values
    kinds: npt.NDArray[np.int64]
    ends: list[int]

    @property
    def token_range_of_each_body(self) -> list[TokenRange]:
        return list(pairwise([0, *self.ends]))


def tokenize_bodies(bodies: Iterable[bytes]) -> BodyTokens:
    """The tokens of these bodies, without comments."""
    look = _TOKEN_VALUES.__getitem__
    numbers: list[int] = []
    sizes = []
    for body in bodies:
        before = len(numbers)
        numbers += map(look, tokenize_bytes_with_comments(body))
        sizes.append(len(numbers) - before)
    values = np.array(numbers, dtype=np.uint64)
    real = values != _NONE
    ends = np.concatenate(([0], np.cumsum(real)))[np.cumsum(sizes, dtype=np.int64)].tolist()
    values = values[real]
    return BodyTokens(values & _TEXT, (values >> _KIND_BIT).astype(np.int64), ends)


class TokenValues(dict[bytes, int]):
    """Token -> its value, which `encode` gives. It is emptied when it grows large; files share most of their words."""

    MOST_VALUES = 250_000

    def __init__(self, encode: Callable[[bytes], int]) -> None:
        super().__init__()
        self._encode = encode

    def __missing__(self, token: bytes) -> int:
        if token.startswith((b"//", b"/*")):
            return _NONE  # not stored: hardly a comment stands twice
        if len(self) >= self.MOST_VALUES:
            self.clear()
        self[token] = value = self._encode(token)
        return value


def _encode_token_kind_and_bare_name(token: bytes) -> int:
    if token == b"\\":
        return _NONE
    text = token.decode("utf-8", "replace")
    named = text[0].isalpha() or text[0] == "_"
    name = drop_name_prefix_and_case(text) if named else text
    return _compute_token_kind_hashing_keywords(text, is_word=named) << 32 | zlib.crc32(
        name.encode("utf-8", "replace")
    )


def _compute_token_kind_hashing_keywords(text: str, *, is_word: bool) -> int:
    if _LITERAL.match(text):
        return LITERAL
    if is_word and text not in KEYWORDS:
        return IDENTIFIER
    return 2 + zlib.crc32(text.encode("utf-8", "replace")) % (KINDS - 2)


_TOKEN_VALUES = TokenValues(_encode_token_kind_and_bare_name)
