"""Of several symbols of one name, those that stand nearest to the caller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from index.callgraph.resolution.names import Row


def keep_nearest(rows: Sequence[Row], with_caller: Callable[[Row], int]) -> Sequence[Row]:
    """Those of `rows`, at least one, that share the most with the caller."""
    common = [with_caller(r) for r in rows]
    best = max(common)
    return rows if min(common) == best else [r for r, c in zip(rows, common, strict=True) if c == best]


@lru_cache(maxsize=1 << 16)
def count_shared_parts(path: str, other: str, separator: str) -> int:
    """How many first parts two paths or scopes have in common."""
    count = 0
    for part, other_part in zip(path.split(separator), other.split(separator), strict=False):
        if part != other_part:
            break
        count += 1
    return count
