"""What the words of a docstring and a name say of callees: `release` of `free`, `parse` of `token`.

Learnt over many trees that no benchmark uses (benchmarks/retrieval/associations.py), by stems of words alone, and
shipped as text. It knows nothing of the tree that is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from retrieval.structure.tables.lists import Floats, Lists, Rows, lists_of
from retrieval.structure.tables.vocabulary import Hashes, numbering

SHIPPED = Path(__file__).with_name("associations.txt")


class Associations(NamedTuple):
    """`parts`: over words of a target the parts of callees' names that go with it; `weights` stand beside them: how
    much more often than by chance, as a logarithm. `words` and `names` are the vocabularies of both."""

    words: Hashes
    names: Hashes
    parts: Lists
    weights: Floats

    def known_words(self, vocabulary: Hashes) -> Rows:
        """Over another vocabulary: each word's number in `words`, -1 for what it lacks."""
        return _known(self.words, vocabulary)

    def known_names(self, vocabulary: Hashes) -> Rows:
        """The same in `names`."""
        return _known(self.names, vocabulary)


def _known(own: Hashes, vocabulary: Hashes) -> Rows:
    if not len(own):
        return np.full(len(vocabulary), -1, dtype=np.int32)
    at = np.minimum(np.searchsorted(own, vocabulary), len(own) - 1)
    return np.where(own[at] == vocabulary, at, -1).astype(np.int32)


def made_associations(found: Mapping[str, Mapping[str, float]]) -> Associations:
    """Of each word's parts with their weights."""
    words, word_number = numbering(found)
    names, name_number = numbering(part for parts in found.values() for part in parts)
    in_order = sorted(found, key=lambda word: word_number[word])
    parts = lists_of([[name_number[part] for part in found[word]] for word in in_order])
    weights = np.array([weight for word in in_order for weight in found[word].values()], dtype=np.float64)
    return Associations(words, names, parts, weights)


def text_of(found: Mapping[str, Mapping[str, float]]) -> str:
    """One line a word: the word, then its parts, each with its weight."""
    lines = (
        f"{word} " + " ".join(f"{part} {weight:.2f}" for part, weight in sorted(found[word].items()))
        for word in sorted(found)
    )
    return "".join(f"{line}\n" for line in lines)


def load_associations(path: Path = SHIPPED) -> Associations:
    """Those of a file that `text_of` wrote. Raises OSError, and ValueError when a line is no such line."""
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        word, *rest = line.split(" ")
        found[word] = {part: float(weight) for part, weight in zip(rest[::2], rest[1::2], strict=True)}
    return made_associations(found)
