"""Words as numbers, the same in every process: 64-bit hashes, sorted; a word's number is its hash's place."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from index.cpp.tokens import split_identifier
from retrieval.structure.tables.lists import Lists, Places
from retrieval.text.terms import term_hash

Hashes = npt.NDArray[np.uint64]

_ENDINGS = ("ing", "ies", "es", "ed", "s")
_SHORTEST_STEM = 3
# Words of nearly every comment; the rest is left to their rarity.
_EMPTY = frozenset(
    re.findall(
        r"\w+", "the an of to and or is in if for it this that be by with are on as not from at we return returns"
    )
)


def stem(word: str) -> str:
    """`adding`, `added` and `adds` are one word: comments are written in sentences, names are not."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


def name_words(identifier: str) -> list[str]:
    """The stems of an identifier's words, in order, each once, single letters left out."""
    return list(dict.fromkeys(stem(part) for part in split_identifier(identifier) if len(part) > 1))


def text_words(identifiers: Iterable[str]) -> list[str]:
    """The stems of all words of identifiers or of a comment, each once."""
    found = dict.fromkeys(word for identifier in identifiers for word in name_words(identifier))
    return [word for word in found if word not in _EMPTY]


def numbers(vocabulary: Hashes, words: Iterable[str]) -> Places:
    """The numbers of those words that the vocabulary has, in order, each once."""
    hashes = np.array([term_hash(word) for word in dict.fromkeys(words)], dtype=np.uint64)
    if not len(hashes) or not len(vocabulary):
        return np.zeros(0, dtype=np.int64)
    at = np.minimum(np.searchsorted(vocabulary, hashes), len(vocabulary) - 1)
    found: Places = at[vocabulary[at] == hashes]
    return found


def words_keys(names: Lists, words: Hashes) -> Hashes:
    """Over rows: the sum of the hashes of a name's words."""
    total = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(words[names.flat], dtype=np.uint64)])
    keys: Hashes = total[names.starts[1:]] - total[names.starts[:-1]]
    return keys


class Collected:
    """A vocabulary as it grows: temporary numbers first, final ones when it is whole."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def add(self, words: Iterable[str]) -> list[int]:
        """Temporary numbers of words, each once."""
        known = self._numbers
        return [known.setdefault(word, len(known)) for word in dict.fromkeys(words)]

    def find(self, words: Iterable[str]) -> list[int]:
        """Temporary numbers of those words that are known, each once."""
        return [self._numbers[word] for word in dict.fromkeys(words) if word in self._numbers]

    def finish(self) -> tuple[Hashes, npt.NDArray[np.int32]]:
        """The sorted hashes, and for each temporary number the final one."""
        hashes = np.array([term_hash(word) for word in self._numbers], dtype=np.uint64)
        order = np.argsort(hashes, kind="stable")
        final = np.empty(len(order), dtype=np.int32)
        final[order] = np.arange(len(order), dtype=np.int32)
        return hashes[order], final
