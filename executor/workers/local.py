"""Work done on this machine, in the caller's thread, a bounded number of sandboxes at once."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from executor.cache import cache_root
from executor.candidate.precompiled import open_header_store
from executor.candidate.several_functions import open_compiler
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.workers.contract import LITTLE, Checker, Needs, Site
from index.values import Target

T = TypeVar("T")


class Slots:
    """Lets at most `count` sandboxes work at once, and no more than `cores` are enough for, where that is given. First
    come, first served: what needs much isn't kept waiting by small work that comes later. `alone` takes all slots."""

    def __init__(self, count: int, cores: float | None = None) -> None:
        self._free = self._count = count
        self._cores = self._free_cores = cores or float("inf")
        self._changed = threading.Condition()
        self._row: deque[object] = deque()

    def hold_slot(self, cores: float = 1) -> AbstractContextManager[None]:
        """A slot for what keeps `cores` busy."""
        return self._hold_slots(1, min(cores, self._cores))

    def hold_all_slots(self) -> AbstractContextManager[None]:
        return self._hold_slots(self._count, 0)

    @contextmanager
    def _hold_slots(self, slots: int, cores: float) -> Iterator[None]:
        turn = object()
        with self._changed:
            self._row.append(turn)
            try:
                self._changed.wait_for(
                    lambda: self._row[0] is turn and self._free >= slots and self._free_cores >= cores
                )
            finally:
                self._row.remove(turn)
                self._changed.notify_all()
            self._free -= slots
            self._free_cores -= cores
        try:
            yield
        finally:
            with self._changed:
                self._free += slots
                self._free_cores += cores
                self._changed.notify_all()


class LocalWorkers:
    """Satisfies `Workers`."""

    def __init__(self, backend: Backend, slots: Slots, cache: Path | None = None) -> None:
        self._site = Site(backend, cache or cache_root())
        self._slots = slots

    def do(self, work: Callable[..., T], image: Image, folder: Path, *arguments: Any, needs: Needs = LITTLE) -> T:
        with self._take_place(needs, folder):
            return work(self._site, image, folder, *arguments)

    def read(self, work: Callable[..., T], tree: Path, folder: Path, *arguments: Any, needs: Needs = LITTLE) -> T:
        with self._take_place(needs, folder):
            return work(self._site.cache, tree, folder, *arguments)

    @contextmanager
    def _take_place(self, needs: Needs, folder: Path) -> Iterator[None]:
        with self._slots.hold_all_slots() if needs.alone else self._slots.hold_slot(needs.cores):
            folder.mkdir(parents=True, exist_ok=True)
            yield

    def compiler(self, image: Image, target: Target) -> AbstractContextManager[Checker]:
        return open_compiler(image, self._site.backend, target, open_header_store(self._site.cache))

    def close(self) -> None:
        """Nothing is held."""
