"""What words mean to each other, as vectors: `push` in a comment is near `add node head` in a name.

Two towers, learnt over many trees that no benchmark uses (benchmarks/retrieval/word_meanings.py): one reads what a
function says of itself, the other the name and comment of a function that it may call. The score of the two is a dot
product of means over words, so nothing has to be kept for a repository but which words it has. It knows nothing of
the tree that is asked about. The vectors that ship come of those of all-MiniLM-L6-v2 (Apache License 2.0), by linear
maps.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.arrays import find_positions_or_minus_one
from retrieval.structure.tables.compressed_lists import Floats, Lists, Places, Rows, sum_by_row
from retrieval.structure.tables.vocabulary import Hashes

SHIPPED = Path(__file__).with_name("meanings.npz")
SPEAKERS = ("doc", "name", "offered")
"""Where a target's words stand: in its comment, in its name, in its parameters."""
READ = ("name", "doc")
"""Where a candidate's words stand."""
MEANING_SIGNALS = (*(f"meant_by_{speaker}" for speaker in SPEAKERS), "meant_in_doc", "meant")

Vectors = npt.NDArray[np.float32]


class Meanings(NamedTuple):
    """`words`: the vocabulary, sorted hashes. `says`: (SPEAKERS, words, dimensions), what a word says there of
    callees. `hears`: (READ, words, dimensions), what of that a candidate with this word answers to."""

    words: Hashes
    says: Vectors
    hears: Vectors


class KnownMeanings:
    """The vectors beside the vocabulary of one repository. Safe to share between threads."""

    def __init__(self, meanings: Meanings | None, vocabulary: Hashes) -> None:
        """`meanings`: None for those that ship with Graft, which are read when they are first needed. `vocabulary`:
        the repository's words, sorted hashes."""
        self._given = meanings
        self._vocabulary = vocabulary

    @cached_property
    def _meanings(self) -> Meanings:
        return self._given or load_meanings()

    @cached_property
    def _known_word_numbers_and_meaning_places(self) -> tuple[Rows, Places]:
        """Over the vocabulary each word's place among the known ones, -1 for none; and these in `Meanings.words`."""
        at = find_positions_or_minus_one(self._meanings.words, self._vocabulary)
        there = np.flatnonzero(at >= 0)
        place = np.full(len(at), -1, dtype=np.int32)
        place[there] = np.arange(len(there), dtype=np.int32)
        return place, at[there]

    @cached_property
    def _known_hearing_vectors(self) -> Vectors:
        """`hears` of the repository's known words alone."""
        return np.ascontiguousarray(self._meanings.hears[:, self._known_word_numbers_and_meaning_places[1]])

    def average_speaker_vectors(self, speaker: str, words: Places) -> Vectors:
        """(dimensions): the mean of what the target's words say there; zeros where none is known."""
        place, at = self._known_word_numbers_and_meaning_places
        known = place[words]
        vectors = self._meanings.says[SPEAKERS.index(speaker), at[known[known >= 0]]]
        total: Vectors = vectors.sum(axis=0, dtype=np.float32) / np.float32(max(len(vectors), 1))
        return total

    def score_vocabulary_words(self, candidate_part: str, spoken_vector: Vectors) -> Floats:
        """Over the vocabulary: how much each word of a candidate answers to what is said, 0 for an unknown one."""
        place, _ = self._known_word_numbers_and_meaning_places
        found = np.zeros(len(place))
        found[place >= 0] = self._known_hearing_vectors[READ.index(candidate_part)] @ spoken_vector
        return found


def make_empty_meanings() -> Meanings:
    says, hears = (np.zeros((len(kinds), 0, 1), dtype=np.float32) for kinds in (SPEAKERS, READ))
    return Meanings(np.zeros(0, dtype=np.uint64), says, hears)


def save_meanings(meanings: Meanings, path: Path) -> None:
    """Write them, a byte a number: each vector has a scale of its own."""
    parts: dict[str, npt.NDArray[np.generic]] = {"words": meanings.words}
    for name in ("says", "hears"):
        vectors: Vectors = getattr(meanings, name)
        scale = np.abs(vectors).max(axis=2, keepdims=True, initial=1e-9) / 127
        parts[name] = np.rint(vectors / scale).astype(np.int8)
        parts[f"{name}_scale"] = scale.astype(np.float32)
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **parts)


def load_meanings(path: Path = SHIPPED) -> Meanings:
    """Those of a file that `save_meanings` wrote. Raises OSError; ValueError or KeyError when it is no such file."""
    with np.load(path, allow_pickle=False) as parts:
        says, hears = (parts[name].astype(np.float32) * parts[f"{name}_scale"] for name in ("says", "hears"))
        return Meanings(parts["words"], says, hears)


def compute_meaning_signals(
    known: KnownMeanings, target_words: Mapping[str, Places], names: Lists, docs: Lists, rows: Rows
) -> dict[str, Floats]:
    """The signals of the candidates `rows`. `target_words`: the words of each of the target's SPEAKERS; `names` and
    `docs`: the words of functions' names and comments, over rows."""

    def average_word_scores(read: str, lists: Lists, said: Vectors) -> Floats:
        flat, owner = lists.gather_lists_with_owners(rows)
        sizes = np.bincount(owner, minlength=len(rows))
        total = sum_by_row(owner, known.score_vocabulary_words(read, said)[flat], len(rows))
        return total / np.maximum(sizes, 1)

    said = {speaker: known.average_speaker_vectors(speaker, target_words[speaker]) for speaker in SPEAKERS}
    found = {f"meant_by_{speaker}": average_word_scores("name", names, said[speaker]) for speaker in SPEAKERS}
    in_doc = average_word_scores("doc", docs, sum(said.values(), np.zeros_like(said["name"])))
    return found | {"meant_in_doc": in_doc, "meant": sum(found.values(), in_doc)}
