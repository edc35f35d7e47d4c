"""Work done on this machine, in the caller's thread, a bounded number of sandboxes at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from executor.cache import cache_root
from executor.candidate.precompiled import header_store
from executor.candidate.several import open_compiler
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.workers.contract import LITTLE, Checker, Needs, Site
from index.values import Target

T = TypeVar("T")


class Slots:
    """Lets at most `count` sandboxes work at once. `alone` waits for all of them to end and keeps others out."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._free = threading.Semaphore(count)
        self._alone = threading.Lock()

    @contextmanager
    def shared(self) -> Iterator[None]:
        with self._free:
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        # Two threads that gather slots at the same time would each hold some and wait for the rest for ever.
        with self._alone:
            for _ in range(self._count):
                self._free.acquire()
            try:
                yield
            finally:
                self._free.release(self._count)


class LocalWorkers:
    """Satisfies `Workers`."""

    def __init__(self, backend: Backend, slots: Slots, cache: Path | None = None) -> None:
        self._site = Site(backend, cache or cache_root())
        self._slots = slots

    def do(self, work: Callable[..., T], image: Image, folder: Path, *arguments: Any, needs: Needs = LITTLE) -> T:
        with self._slots.alone() if needs.alone else self._slots.shared():
            folder.mkdir(parents=True, exist_ok=True)
            return work(self._site, image, folder, *arguments)

    def read(self, work: Callable[..., T], tree: Path, folder: Path, *arguments: Any, needs: Needs = LITTLE) -> T:
        with self._slots.alone() if needs.alone else self._slots.shared():
            folder.mkdir(parents=True, exist_ok=True)
            return work(self._site.cache, tree, folder, *arguments)

    def compiler(self, image: Image, target: Target) -> AbstractContextManager[Checker]:
        return open_compiler(image, self._site.backend, target, header_store(self._site.cache))

    def close(self) -> None:
        """Nothing is held."""
