"""Work spread over threads, each of which mostly waits for a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from queue import SimpleQueue
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Tool = TypeVar("Tool")


def map_in_threads(work: Callable[[Item], Result], items: Sequence[Item], workers: int) -> Iterator[Result]:
    """`work(item)` of every item, as they end. Raises what the first that fails raises."""
    with ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(work, item) for item in items]
        try:
            for future in as_completed(waiting):
                yield future.result()
        except BaseException:
            # What has begun ends; the rest needn't begin.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def map_with_tools(
    work: Callable[[Tool, Item], Result], items: Sequence[Item], tools: Sequence[Tool]
) -> Iterator[Result]:
    """`work(tool, item)` of every item, as they end. Each tool, such as a sandbox's session, serves one item at a
    time. Raises what the first that fails raises."""
    free: SimpleQueue[Tool] = SimpleQueue()
    for tool in tools:
        free.put(tool)

    def work_with_one(item: Item) -> Result:
        tool = free.get()
        try:
            return work(tool, item)
        finally:
            # Else a thread that begins before the failure ends it all would wait for ever.
            free.put(tool)

    return map_in_threads(work_with_one, items, len(tools))
