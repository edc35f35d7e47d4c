"""Work spread over threads, each of which mostly waits for a sandbox."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from queue import SimpleQueue
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Tool = TypeVar("Tool")


def map_in_threads_as_completed(
    work: Callable[[Item], Result], items: Iterable[Item], workers: int
) -> Iterator[Result]:
    """`work(item)` of every item, as they end. Raises what the first that fails raises, once those that have begun
    have ended; the rest doesn't begin. An interrupt of the user's waits for none: with the process its sandboxes
    end."""
    waiting, lock = iter(items), threading.Lock()
    # None: a thread has nothing left to do.
    ended: SimpleQueue[tuple[Result] | BaseException | None] = SimpleQueue()
    stopped = False

    def work_until_none_waits() -> None:
        try:
            while not stopped:
                with lock:
                    taken = list(islice(waiting, 1))
                if not taken:
                    break
                ended.put((work(taken[0]),))
        except BaseException as error:
            ended.put(error)
        ended.put(None)

    # Daemons: Python waits for all others before it exits.
    threads = [threading.Thread(target=work_until_none_waits, daemon=True) for _ in range(max(1, workers))]
    for thread in threads:
        thread.start()
    try:
        left = len(threads)
        while left:
            outcome = ended.get()
            if outcome is None:
                left -= 1
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                yield outcome[0]
    except BaseException as error:
        stopped = True
        if not isinstance(error, KeyboardInterrupt):
            for thread in threads:
                thread.join()
        raise


def map_in_threads(work: Callable[[Item], Result], items: Iterable[Item], workers: int) -> list[Result]:
    """`work(item)` of every item, in their order. Raises as `map_in_threads_as_completed`."""

    def work_on_numbered(numbered: tuple[int, Item]) -> tuple[int, Result]:
        return numbered[0], work(numbered[1])

    found = dict(map_in_threads_as_completed(work_on_numbered, enumerate(items), workers))
    return [found[number] for number in sorted(found)]


def map_with_tools_as_completed(
    work: Callable[[Tool, Item], Result], items: Sequence[Item], tools: Sequence[Tool]
) -> Iterator[Result]:
    """`work(tool, item)` of every item, as they end. Each tool, such as a sandbox's session, serves one item at a
    time. Raises what the first that fails raises."""
    free: SimpleQueue[Tool] = SimpleQueue()
    for tool in tools:
        free.put(tool)

    def work_with_free_tool(item: Item) -> Result:
        tool = free.get()
        try:
            return work(tool, item)
        finally:
            # Else a thread that begins before the failure ends it all would wait for ever.
            free.put(tool)

    return map_in_threads_as_completed(work_with_free_tool, items, len(tools))
