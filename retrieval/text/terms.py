"""Text -> the terms that text search counts; a target -> its query: name, signature and docstring, never its body."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from index.cpp.tokens import split_identifier
from index.values import Target

_WORD = re.compile(r"[^\W\d]\w*")
_WORD_BYTES = re.compile(rb"[A-Za-z_\x80-\xff][0-9A-Za-z_\x80-\xff]*")

DOCSTRING_TERM_WEIGHT = 0.7
"""Weight of a term that only the docstring has: prose holds words that no name has."""


def hash_term(term: str) -> int:
    """64 bits, equal in every process."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def split_words(text: str) -> list[str]:
    """Identifiers, keywords and the words of comments, as written."""
    return _WORD.findall(text)


def split_raw_words(data: bytes) -> list[bytes]:
    """Like `words`, from bytes and several times as fast. Bytes beyond ASCII count as letters here;
    `split_raw_word_into_terms` looks at them again."""
    return _WORD_BYTES.findall(data)


def split_word_into_terms(word: str) -> tuple[str, ...]:
    """The whole word and, when it is made of several, its parts, in lower case. Single letters and digits are left
    out: they say nothing about a function."""
    whole = word.lower()
    parts = split_identifier(word)
    if len(parts) < 2:
        return (whole,) if len(whole) > 1 else ()
    return (whole, *(p for p in parts if len(p) > 1))


def split_raw_word_into_terms(word: bytes) -> tuple[str, ...]:
    """The terms of one of `split_raw_words`."""
    text = word.decode("utf-8", "replace")
    return split_word_into_terms(text) if word.isascii() else tuple(split_terms(text))


def split_terms(text: str) -> Iterator[str]:
    """All terms of a text, in order, repeated as they occur."""
    for word in split_words(text):
        yield from split_word_into_terms(word)


def join_query_text(target: Target) -> str:
    return f"{target.name} {target.signature} {target.docstring}"


def weigh_query_terms(target: Target) -> dict[str, float]:
    """The distinct terms of `join_query_text`, each with its weight."""
    weights = dict.fromkeys(split_terms(target.docstring), DOCSTRING_TERM_WEIGHT)
    weights.update(dict.fromkeys(split_terms(f"{target.name} {target.signature}"), 1.0))
    return weights
