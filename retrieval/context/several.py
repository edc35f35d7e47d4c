"""What is found for each function of a task of several, as one list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, zip_longest

from index.hiding.view import HiddenView
from index.values import Target
from retrieval.values import Hit


def find_for_each_hole(
    view: HiddenView, target: Target, find: Callable[[HiddenView, Target], Iterable[Hit]], limit: int | None = None
) -> list[Hit]:
    """What `find` finds for each of the target's functions, the best of each first and each symbol once; at most
    `limit`. For one function exactly what it finds. The bodies of all functions are hidden from each."""
    if len(target.holes) == 1:
        return list(find(view, target))
    each: list[Sequence[Hit]] = [list(find(view.of(hole), hole)) for hole in target.holes]
    hits = (hit for hit in chain.from_iterable(zip_longest(*each)) if hit is not None)
    once: dict[tuple[str, int], Hit] = {}
    for hit in hits:
        once.setdefault((hit.symbol.path, hit.symbol.start_byte), hit)
    return list(once.values())[:limit]
