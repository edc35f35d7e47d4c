"""Arrays behind the look-ups by name: sorted texts that are searched as bytes, and which files mention a function."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# A query that fits half the repository's names looks at this many lines; the best are among any of them.
_MOST_LINES = 4_000
_WORD = re.compile(rb"[A-Za-z_]\w*")


class TextLines(NamedTuple):
    """`text` is UTF-8, a line per item, held in memory (15 MB for LLVM): bytes are searched faster than a mapped
    file. `starts` are the offsets of the lines, and the end; `ids` are symbol ids, or empty."""

    text: bytes
    starts: npt.NDArray[np.int64]
    ids: npt.NDArray[np.int64]

    def find_line_numbers_with_word(self, word: str) -> list[int]:
        """Numbers of the lines that hold `word`, in order; the first of them where there are very many."""
        sought = word.encode("utf-8", "replace")
        found: list[int] = []
        at = self.text.find(sought)
        while at >= 0 and len(found) < _MOST_LINES:
            found.append(at)
            at = self.text.find(sought, self.text.find(b"\n", at))
        return (np.searchsorted(self.starts, found, side="right") - 1).tolist()  # type: ignore[no-any-return]

    def find_line_number(self, item: str) -> int | None:
        """The number of the line that is `item`."""
        sought = item.encode("utf-8", "replace") + b"\n"
        at = 0 if self.text.startswith(sought) else self.text.find(b"\n" + sought) + 1
        known = at > 0 or self.text.startswith(sought)
        return int(np.searchsorted(self.starts, at)) if known else None

    def all_texts(self) -> list[str]:
        """All lines, in order, without their ends."""
        return str(self.text, "utf-8", "replace").split("\n")[:-1]

    def texts_of(self, numbers: Iterable[int]) -> list[str]:
        """The lines with these numbers, without their ends."""
        rows = np.fromiter(numbers, dtype=np.int64)
        places = zip(self.starts[rows].tolist(), self.starts[rows + 1].tolist(), strict=True)
        return [str(self.text[start : end - 1], "utf-8", "replace") for start, end in places]


class Mentions(NamedTuple):
    """For each of some sorted words, the numbers of the files that hold it: those of word i are
    `files[starts[i]:starts[i + 1]]`."""

    starts: npt.NDArray[np.int64]
    files: npt.NDArray[np.int32]

    def files_of(self, word: int) -> list[int]:
        return self.files[self.starts[word] : self.starts[word + 1]].tolist()  # type: ignore[no-any-return]


def save_lines(folder: Path, items: Sequence[str], ids: Sequence[int] = ()) -> None:
    encoded = [item.replace("\n", " ").encode("utf-8", "replace") + b"\n" for item in items]
    starts = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(line) for line in encoded], out=starts[1:])
    np.save(folder / "text.npy", np.frombuffer(b"".join(encoded), dtype=np.uint8))
    np.save(folder / "starts.npy", starts)
    np.save(folder / "ids.npy", np.array(ids, dtype=np.int64))


def load_lines(folder: Path) -> TextLines:
    starts, ids = (np.load(folder / f"{field}.npy", mmap_mode="r") for field in ("starts", "ids"))
    return TextLines(np.load(folder / "text.npy").tobytes(), starts, ids)


def save_mentions(folder: Path, words: Sequence[str], texts: Iterable[bytes]) -> None:
    """`texts` are the files, in the order of their numbers."""
    numbers = {word.encode("utf-8", "replace"): number for number, word in enumerate(words)}
    none = np.zeros(0, dtype=np.int64)
    held = [
        np.array([numbers[word] for word in set(_WORD.findall(text)) if word in numbers], dtype=np.int64)
        for text in texts
    ]
    by_file = np.concatenate((none, *held))
    files = np.repeat(np.arange(len(held), dtype=np.int32), [len(some) for some in held])
    np.save(folder / "starts.npy", np.concatenate(([0], np.cumsum(np.bincount(by_file, minlength=len(words))))))
    np.save(folder / "files.npy", files[np.argsort(by_file, kind="stable")])


def load_mentions(folder: Path) -> Mentions:
    return Mentions(*(np.load(folder / f"{field}.npy", mmap_mode="r") for field in Mentions._fields))
