"""Words as numbers, the same in every process: a word's number is the place of its 64-bit hash among all, sorted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.arrays import find_positions_or_minus_one
from index.cpp.keywords import word_set
from index.cpp.tokens import split_identifier
from retrieval.structure.tables.compressed_lists import Lists, Places, Rows, make_lists
from retrieval.text.terms import hash_term

Hashes = npt.NDArray[np.uint64]

_ENDINGS = ("ing", "ies", "es", "ed", "s")
_SHORTEST_STEM = 3
_STOP_WORDS = word_set(
    "the an of to and or is in if for it this that be by with are on as not from at we return returns"
)
"""Words of nearly every comment. The weight of all others follows from their rarity."""


def cut_ending(word: str) -> str:
    """`adding`, `added` and `adds` are one word: comments are written in sentences, names are not."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


def split_name_into_stems(identifier: str) -> list[str]:
    """The stems of an identifier's words, in order, each once, without single letters."""
    return list(dict.fromkeys(cut_ending(part) for part in split_identifier(identifier) if len(part) > 1))


def split_text_into_stems(identifiers: Iterable[str]) -> list[str]:
    """The stems of all words of identifiers or of a comment, each once, without stop words."""
    found = dict.fromkeys(word for identifier in identifiers for word in split_name_into_stems(identifier))
    return [word for word in found if word not in _STOP_WORDS]


def find_word_numbers(vocabulary: Hashes, words: Iterable[str]) -> Places:
    """The numbers of those words that the vocabulary has, in order, each once."""
    hashes = np.array([hash_term(word) for word in dict.fromkeys(words)], dtype=np.uint64)
    at = find_positions_or_minus_one(vocabulary, hashes)
    return at[at >= 0]


def sum_hashes_of_lists(names: Lists, words: Hashes) -> Hashes:
    """For each list of words the sum of their hashes: equal for equal words in any order."""
    total = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(words[names.flat], dtype=np.uint64)])
    keys: Hashes = total[names.starts[1:]] - total[names.starts[:-1]]
    return keys


class NumberedColumns(NamedTuple):
    """A vocabulary, and lists of its numbers by name."""

    vocabulary: Hashes
    lists: Mapping[str, Lists]


def number_words_in_columns(columns: Mapping[str, Iterable[Iterable[str]]]) -> NumberedColumns:
    """The vocabulary of all words in `columns`. Each column becomes lists of numbers, each word once a list."""
    first_seen: dict[str, int] = {}
    temporary = {
        name: make_lists(
            [first_seen.setdefault(word, len(first_seen)) for word in dict.fromkeys(words)] for words in column
        )
        for name, column in columns.items()
    }
    vocabulary, final = _hash_and_sort_words(first_seen)
    renumbered = {name: Lists(lists.starts, final[lists.flat]) for name, lists in temporary.items()}
    return NumberedColumns(vocabulary, renumbered)


def number_words(words: Iterable[str]) -> tuple[Hashes, dict[str, int]]:
    """The vocabulary of these words, and each word's number."""
    distinct = list(dict.fromkeys(words))
    vocabulary, final = _hash_and_sort_words(distinct)
    return vocabulary, dict(zip(distinct, final.tolist(), strict=True))


def find_known_numbers(number: Mapping[str, int], words: Iterable[str]) -> list[int]:
    """The numbers of those words that have one, each once."""
    return [number[word] for word in dict.fromkeys(words) if word in number]


def _hash_and_sort_words(words: Iterable[str]) -> tuple[Hashes, Rows]:
    """The sorted hashes, and for each word its place among them."""
    hashes = np.array([hash_term(word) for word in words], dtype=np.uint64)
    order = np.argsort(hashes, kind="stable")
    final = np.empty(len(order), dtype=np.int32)
    final[order] = np.arange(len(order), dtype=np.int32)
    return hashes[order], final
