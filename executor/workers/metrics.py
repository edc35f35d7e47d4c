"""What a node does, for Prometheus: Ray's own exporter gives it out, with the node's address."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from executor.workers.node import Done

_SECONDS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)


def count_work(work: str, done: Done) -> None:
    """Count a piece of work that ended on this node. Runs in Ray's worker."""
    count, seconds = _make_metrics()
    count.inc(1, {"work": work, "ended": done.standing})
    seconds.observe(done.seconds, {"work": work})


@lru_cache
def _make_metrics() -> tuple[Any, Any]:
    from ray.util.metrics import Counter, Histogram

    count = Counter("graft_work", "Pieces of work that ended: well, failed by our fault, refused.", ("work", "ended"))
    seconds = Histogram("graft_work_seconds", "What a piece of work took.", list(_SECONDS), ("work",))
    return count, seconds
