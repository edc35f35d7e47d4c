"""A progress object that writes down what it was told, for tests of counted work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from index.progress import Advance


class RecordedProgress:
    """`counts` holds one (what, done, total) for each count that was opened; `notes` all notes."""

    def __init__(self) -> None:
        self.counts: list[tuple[str, int, int]] = []
        self.notes: list[str] = []

    @contextmanager
    def open_count(self, what: str, total: int, done: int = 0) -> Iterator[Advance]:
        """See `index.progress.Progress.open_count`."""
        place = len(self.counts)
        self.counts.append((what, done, total))

        def advance(steps: int = 1, /, note: str = "") -> None:
            self.notes.append(note)
            self.counts[place] = (what, self.counts[place][1] + steps, total)

        yield advance
