"""Arrays behind the look-ups by name: texts that are searched as bytes, and which files mention a function."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# A query that fits half the repository's names looks at this many lines; the best are among any of them.
_MOST_LINES = 4_000
_WORD = re.compile(rb"[A-Za-z_]\w*")


class TextLines:
    """A UTF-8 text of a line per item, held in memory (15 MB for LLVM): bytes are searched faster than a mapped
    file."""

    def __init__(self, text: bytes) -> None:
        self.text = text

    @cached_property
    def _line_offsets(self) -> npt.NDArray[np.int64]:
        """The offsets of the lines, and the end."""
        return np.concatenate(([0], np.flatnonzero(np.frombuffer(self.text, dtype=np.uint8) == ord("\n")) + 1))

    @cached_property
    def lowered(self) -> bytes:
        """The text with its Latin letters in lower case; every line stays where it is."""
        return self.text.lower()

    def find_line_numbers_with_substring(self, part: str, *, lowered: bool = False) -> list[int]:
        """Numbers of the lines that hold `part`, in order; the first of them where there are very many."""
        text, sought = self.lowered if lowered else self.text, part.encode("utf-8", "replace")
        found: list[int] = []
        at = text.find(sought)
        while at >= 0 and len(found) < _MOST_LINES:
            found.append(at)
            at = text.find(sought, text.find(b"\n", at))
        return (np.searchsorted(self._line_offsets, found, side="right") - 1).tolist()  # type: ignore[no-any-return]

    def find_line_number(self, item: str) -> int | None:
        sought = item.encode("utf-8", "replace") + b"\n"
        at = 0 if self.text.startswith(sought) else self.text.find(b"\n" + sought) + 1
        known = at > 0 or self.text.startswith(sought)
        return int(np.searchsorted(self._line_offsets, at)) if known else None

    def all_texts(self) -> list[str]:
        return str(self.text, "utf-8", "replace").split("\n")[:-1]

    def texts_of(self, numbers: Iterable[int]) -> list[str]:
        rows = np.fromiter(numbers, dtype=np.int64)
        places = zip(self._line_offsets[rows].tolist(), self._line_offsets[rows + 1].tolist(), strict=True)
        return [str(self.text[start : end - 1], "utf-8", "replace") for start, end in places]


class Mentions(NamedTuple):
    """For each of some sorted words, the numbers of the files that hold it: those of word i are
    `files[starts[i]:starts[i + 1]]`."""

    starts: npt.NDArray[np.int64]
    files: npt.NDArray[np.int32]

    def files_of(self, word_number: int) -> list[int]:
        return self.files[self.starts[word_number] : self.starts[word_number + 1]].tolist()  # type: ignore[no-any-return]


def save_lines(folder: Path, items: Iterable[str]) -> None:
    lines = (item.replace("\n", " ").encode("utf-8", "replace") + b"\n" for item in items)
    np.save(folder / "text.npy", np.frombuffer(b"".join(lines), dtype=np.uint8))


def load_lines(folder: Path) -> TextLines:
    return TextLines(np.load(folder / "text.npy").tobytes())


def make_word_mention_index(words: Sequence[str], texts: Iterable[bytes]) -> Mentions:
    """`texts` are the files, in the order of their numbers."""
    numbers = {word.encode("utf-8", "replace"): number for number, word in enumerate(words)}
    held = [
        np.array([numbers[word] for word in set(_WORD.findall(text)) if word in numbers], dtype=np.int64)
        for text in texts
    ]
    by_file = np.concatenate((np.zeros(0, dtype=np.int64), *held))
    files = np.repeat(np.arange(len(held), dtype=np.int32), [len(some) for some in held])
    starts = np.concatenate(([0], np.cumsum(np.bincount(by_file, minlength=len(words)))))
    return Mentions(starts, files[np.argsort(by_file, kind="stable")])
