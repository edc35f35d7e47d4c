"""A small Ray cluster on this machine, each node with a cache of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

# Ray gives a node half a minute to start, which a busy machine may need more than once.
_TRIES = 4
# The default of the object store is a third of the machine's memory.
_SMALL = {"object_store_memory": 80 * 2**20, "include_dashboard": False}
# A lost node is noticed after seconds, not after half a minute; a slow one isn't lost.
_QUICK = {"health_check_period_ms": 1000, "health_check_timeout_ms": 5000, "health_check_failure_threshold": 3}


class Nodes:
    """A head that does no work, and the nodes that `add` starts. Their caches lie in `folder`."""

    def __init__(self, folder: Path) -> None:
        from ray.cluster_utils import Cluster

        self._folder = folder
        self.made: dict[str, Any] = {}
        head = {**_SMALL, "num_cpus": 0, "_system_config": _QUICK}
        self.cluster = _started(lambda: Cluster(initialize_head=True, head_node_args=head))

    def add(self, name: str, **env: str) -> None:
        env = {"GRAFT_CACHE": str(self._folder / name), **env}
        self.made[name] = _started(lambda: self.cluster.add_node(num_cpus=1, env_vars=env, **_SMALL))

    def close(self) -> None:
        import ray

        ray.shutdown()
        self.cluster.shutdown()


def _started(start: Callable[[], Any]) -> Any:
    for left in reversed(range(_TRIES)):
        try:
            return start()
        except Exception as error:
            # Ray raises no class of its own for this.
            if not left or "timed out" not in str(error):
                raise
    raise AssertionError
