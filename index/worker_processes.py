"""Work spread over processes. An item that kills its worker process costs that item alone."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import zip_longest
from multiprocessing import current_process, parent_process
from multiprocessing.connection import wait as wait_for
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from index.errors import ConfigError

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")

BATCH_ITEMS = 16
"""Items in a batch: enough that handing them over costs little, few enough that all workers end together."""
MOST_ITEMS_IN_PROCESS = 64
"""For up to this many items starting processes (a third of a second) takes longer than the work."""
HEAVY_BATCH_BYTES = 1 << 20
"""A batch ends when its items have this size: the kernel has headers of megabytes whose symbols would fill gigabytes
when batches of 16 wait to be written."""
_BATCHES_PER_WORKER = 4


def exit_silently_if_worker_starting() -> None:
    """End this process, silently, when it is a worker that has yet to start: it reads the program that started it,
    and that program does its work outside `if __name__ == "__main__":`. The program is told by
    `map_maybe_in_workers_as_completed`."""
    if getattr(current_process(), "_inheriting", False):
        raise SystemExit(1)


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Run without Python's collector of cycles. A build makes millions of tuples and no cycles among them; searching
    them again and again was a seventh of its CPU time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class WorkerPool:
    """Up to `count` processes, started when there is work that is worth it. Within `with` they serve one call
    after the other: a worker takes a third of a CPU-second to start, and redis's index some five in all."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.processes: ProcessPoolExecutor | None = None
        self._first: Future[bool] | None = None

    def start_processes(self) -> ProcessPoolExecutor:
        """The processes. They start side by side, while the first work is handed out."""
        if self.processes is None:
            self.processes = _make_pool(self.count)
            self._first = self.processes.submit(bool)
        return self.processes

    def raise_if_no_worker_could_start(self) -> None:
        """Tell a worker that died over its work from one that never began: raises ConfigError for the latter. For
        a pool that broke."""
        if self._first is not None and isinstance(error := self._first.exception(), BrokenProcessPool):
            raise ConfigError(
                "no worker process starts: a program that builds an index with several workers has to do so under "
                '`if __name__ == "__main__":` (docs/python.md), or with workers=1'
            ) from error

    def shut_down(self) -> None:
        """Wait for running work, and end the processes. The next work starts new ones."""
        if self.processes is not None:
            self.processes.shutdown()
            self.processes = self._first = None

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.shut_down()


def map_maybe_in_workers_as_completed(
    work: Callable[[Shared, Item], Result],
    shared: Shared,
    items: Sequence[Item],
    workers: WorkerPool,
    make_crash_result: Callable[[Item], Result] | None = None,
    measure_bytes: Callable[[Item], int] | None = None,
) -> Iterator[Result]:
    """`work(shared, item)` of every item, in any order, by `workers`. Processes are spawned, so `work` is a module's
    function.

    When a worker dies, what it may have been at is tried again one by one; the item that kills its worker again
    gives `make_crash_result(item)`, or, without that, ends in BrokenProcessPool. `measure_bytes` says how much memory
    an item takes; see `HEAVY_BATCH_BYTES`. Raises ConfigError when no worker starts.
    """
    if workers.count <= 1 or len(items) <= MOST_ITEMS_IN_PROCESS:
        yield from (work(shared, item) for item in items)
        return
    batches = _split_by_count_and_size_limits(items, measure_bytes)
    suspects: list[Item] = []
    with tempfile.NamedTemporaryFile(prefix="graft-shared-") as written:
        # Once for each worker: the kernel's learnt macros are megabytes, and its files thousands of batches.
        pickle.dump(shared, written, protocol=pickle.HIGHEST_PROTOCOL)
        written.flush()
        yield from _map_batches_as_completed(work, written.name, batches, workers, suspects)
    yield from _retry_items_one_by_one(work, shared, suspects, make_crash_result)


def run_works_maybe_in_workers(works: Sequence[Callable[[Shared], None]], shared: Shared, workers: WorkerPool) -> None:
    """`work(shared)` for each of `works`, module functions: by the workers when they run, each in a process of its
    own, else one after the other in this one, since starting processes takes longer than what a small update leaves
    to do. What a worker died over is tried again here. Raises what they raise."""
    futures: list[Future[None]] = []
    if workers.processes is not None:
        with suppress(BrokenProcessPool):
            futures.extend(workers.start_processes().submit(work, shared) for work in works)
    for work, future in zip_longest(works, futures):
        try:
            if future is None:
                work(shared)
            else:
                future.result()
        except BrokenProcessPool:
            work(shared)


def _split_by_count_and_size_limits(
    items: Sequence[Item], measure_bytes: Callable[[Item], int] | None
) -> list[list[Item]]:
    batches: list[list[Item]] = [[]]
    held = 0
    for item in items:
        if len(batches[-1]) == BATCH_ITEMS or held >= HEAVY_BATCH_BYTES:
            batches.append([])
            held = 0
        batches[-1].append(item)
        held += measure_bytes(item) if measure_bytes else 0
    return batches


def _retry_items_one_by_one(
    work: Callable[[Shared, Item], Result],
    shared: Shared,
    items: Sequence[Item],
    make_crash_result: Callable[[Item], Result] | None,
) -> Iterator[Result]:
    waiting = list(reversed(items))
    while waiting:
        with _make_pool(1) as pool:
            alive = True
            while waiting and alive:
                item = waiting.pop()
                try:
                    result = pool.submit(work, shared, item).result()
                except BrokenProcessPool:
                    if make_crash_result is None:
                        raise
                    alive = False
                    result = make_crash_result(item)
                yield result


def _map_batches_as_completed(
    work: Callable[[Shared, Item], Result],
    shared_path: str,
    batches: Sequence[Sequence[Item]],
    workers: WorkerPool,
    suspects: list[Item],
) -> Iterator[Result]:
    """`shared_path` is the path of what all items share. Batches that were lost with a worker are added to
    `suspects`."""
    waiting = list(reversed(batches))
    running: dict[Future[list[Result]], Sequence[Item]] = {}
    pool = workers.start_processes()
    broken = False
    while waiting or running:
        try:
            while waiting and len(running) < workers.count * _BATCHES_PER_WORKER:
                running[pool.submit(_run_batch, work, shared_path, waiting[-1])] = waiting[-1]
                waiting.pop()
        except BrokenProcessPool:
            workers.raise_if_no_worker_could_start()
            suspects.extend(item for batch in (*waiting, *running.values()) for item in batch)
            workers.shut_down()
            return
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            batch = running.pop(future)
            try:
                results = future.result()
            except BrokenProcessPool:
                workers.raise_if_no_worker_could_start()
                broken = True
                suspects.extend(batch)
            else:
                yield from results
    if broken:
        workers.shut_down()


def _make_pool(count: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(count, _WorkerContext(), _start_watching_for_parent_end)


class _Worker(SpawnProcess):
    """A process that finds this package where it lies, even if a folder `index/` comes earlier on the user's path.

    A spawned process imports what its work is made of by the path that its parent has at that moment."""

    def start(self) -> None:
        home = str(Path(__file__).resolve().parents[1])
        sys.path.insert(0, home)
        try:
            super().start()
        finally:
            sys.path.remove(home)


class _WorkerContext(SpawnContext):
    Process = _Worker


def _start_watching_for_parent_end() -> None:
    """End this worker when the process that started it is killed. Without this it would wait for work for ever, with
    all that it holds in memory."""
    parent = parent_process()
    if parent is None:
        return

    def exit_when_parent_ends() -> None:
        wait_for([parent.sentinel])
        os._exit(1)

    Thread(target=exit_when_parent_ends, daemon=True).start()


def _run_batch(work: Callable[[Shared, Item], Result], shared_path: str, items: Sequence[Item]) -> list[Result]:
    with pause_garbage_collection():
        loaded = _load_shared(shared_path)
        return [work(loaded, item) for item in items]


@lru_cache(maxsize=1)
def _load_shared(path: str) -> Any:
    return pickle.loads(Path(path).read_bytes())
