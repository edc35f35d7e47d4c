"""How far a long piece of work is. Library code reports through `Progress`; the command line draws it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Advance(Protocol):
    """Report `steps` more steps as done. `note` replaces what is shown beside the count. Safe to call from several
    threads."""

    def __call__(self, steps: int = 1, /, note: str = "") -> None: ...


class Progress(Protocol):
    """Shows counted work, such as files parsed or samples finished."""

    def open_count(self, what: str, total: int, done: int = 0) -> AbstractContextManager[Advance]:
        """Open a count of `total` things named `what` ("files"), of which an earlier call has `done` some. The block
        calls the function it gets."""
        ...


class SilentProgress:
    """Shows nothing. The default of every function that takes a `Progress`."""

    @contextmanager
    def open_count(self, what: str, total: int, done: int = 0) -> Iterator[Advance]:
        del what, total, done
        yield lambda steps=1, /, note="": None


SILENT = SilentProgress()
