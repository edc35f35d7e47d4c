"""One lock for each thing that several threads must not do at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary


class KeyLocks:
    """A lock for each key. A key is forgotten with its last thread: a run has millions of them."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        # A lock lives as long as a thread holds it or waits for it.
        self._locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    @contextmanager
    def hold(self, key: str) -> Iterator[None]:
        with self._guard:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            yield
