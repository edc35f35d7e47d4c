"""Work spread over threads, each of which mostly waits for a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_threads(work: Callable[[Item], Result], items: Sequence[Item], workers: int) -> Iterator[Result]:
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
