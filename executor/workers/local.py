"""Work done on this machine, in the caller's thread, a bounded number of sandboxes at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
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
    """Lets at most `count` sandboxes work at once, and no more than `cores` are enough for, where that is given.
    `alone` waits for all of them to end and keeps others out."""

    def __init__(self, count: int, cores: float | None = None) -> None:
        self._free = count
        self._count = count
        self._cores = self._free_cores = cores or float("inf")
        self._changed = threading.Condition()
        self._alone = threading.Lock()

    def shared(self, cores: float = 1) -> AbstractContextManager[None]:
        """A slot for what keeps `cores` busy."""
        return self._held(min(cores, self._cores))

    @contextmanager
    def alone(self) -> Iterator[None]:
        # Two threads that gather slots at the same time would each hold some and wait for the rest for ever.
        with self._alone, ExitStack() as slots:
            for _ in range(self._count):
                slots.enter_context(self._held(0))
            yield

    @contextmanager
    def _held(self, cores: float) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: self._free > 0 and self._free_cores >= cores)
            self._free -= 1
            self._free_cores -= cores
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._free_cores += cores
                self._changed.notify_all()


class LocalWorkers:
    """Satisfies `Workers`."""

    def __init__(self, backend: Backend, slots: Slots, cache: Path | None = None) -> None:
        self._site = Site(backend, cache or cache_root())
        self._slots = slots

    def do(self, work: Callable[..., T], image: Image, folder: Path, *arguments: Any, needs: Needs = LITTLE) -> T:
        with self._slots.alone() if needs.alone else self._slots.shared(needs.cores):
            folder.mkdir(parents=True, exist_ok=True)
            return work(self._site, image, folder, *arguments)

    def read(self, work: Callable[..., T], tree: Path, folder: Path, *arguments: Any, needs: Needs = LITTLE) -> T:
        with self._slots.alone() if needs.alone else self._slots.shared(needs.cores):
            folder.mkdir(parents=True, exist_ok=True)
            return work(self._site.cache, tree, folder, *arguments)

    def compiler(self, image: Image, target: Target) -> AbstractContextManager[Checker]:
        return open_compiler(image, self._site.backend, target, header_store(self._site.cache))

    def close(self) -> None:
        """Nothing is held."""
