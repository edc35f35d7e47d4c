"""A small Ray cluster on this machine, each node with a cache of its own, and journals without their times."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.costs import list_family

# Ray gives a node half a minute to start, which a busy machine may need more than once.
_TRIES = 8
# The default of the object store is a third of the machine's memory.
_SMALL = {"object_store_memory": 80 * 2**20, "include_dashboard": False, "include_log_monitor": False}
# A lost node is noticed after seconds, not after half a minute; a slow one isn't lost.
_QUICK = {
    "health_check_period_ms": 1000,
    "health_check_timeout_ms": 10000,
    "health_check_failure_threshold": 3,
    # A worker is a Python process that imports Ray and Graft: seconds of CPU, and minutes where many share it.
    "worker_register_timeout_seconds": 300,
}


_AGENTS = ("runtime_env_agent_port", "metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port")
# Times, and what follows from them.
TIMES = frozenset(
    {"test_s", "build_cpu_s", "model_seconds", "model_s", "compile_seconds", "cpu_s", "tests_cpu_s", "check_s"}
)


def remove_times(value: Any) -> Any:
    """A journal's value without what differs from one time to the next."""
    if isinstance(value, dict):
        return {key: remove_times(inner) for key, inner in value.items() if key not in TIMES}
    return [remove_times(inner) for inner in value] if isinstance(value, list) else value


Records = Mapping[tuple[str, str, int], Any]


def read_timeless_journal(path: Path) -> Records:
    """The records of a journal by task, arm and sample, without their times. Of two for a sample the later counts; a
    torn line doesn't."""
    found: dict[tuple[str, str, int], Any] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        found[record["task_id"], record["arm"], record["sample"]] = remove_times(record)
    return found


class Nodes:
    """A head that does no work, and the nodes that `add` starts. Their caches lie in `folder`."""

    def __init__(self, folder: Path) -> None:
        from ray.cluster_utils import Cluster

        self.folder = folder
        self.made: dict[str, Any] = {}
        head = {**_SMALL, "num_cpus": 0, "no_monitor": True, "_system_config": _QUICK}
        self.cluster = _start_with_retries(
            lambda: Cluster(initialize_head=True, head_node_args={**head, **_find_free_ports()})
        )

    def add_node(self, name: str, cores: int = 1, **env: str) -> None:
        env = {"GRAFT_CACHE": str(self.folder / name), **env}
        self.made[name] = _start_with_retries(
            lambda: self.cluster.add_node(num_cpus=cores, env_vars=env, **_SMALL, **_find_free_ports())
        )

    def kill_node(self, name: str) -> None:
        """End the node's processes without a word."""
        self.cluster.remove_node(self.made.pop(name), allow_graceful=False)

    def suspend_node(self, name: str) -> Callable[[], None]:
        """Stop the node's processes, as a network that is cut stops its words. Returns what lets them go on."""
        pids = list(list_family(self.made.pop(name).all_processes["raylet"][0].process.pid))
        _send_signal(pids, signal.SIGSTOP)
        return lambda: _send_signal(pids, signal.SIGCONT)

    def close(self) -> None:
        import ray

        ray.shutdown()
        self.cluster.shutdown()


def _send_signal(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _find_free_ports() -> dict[str, int]:
    """Free ports for a node's agents, which they needn't choose and tell. Ray ends a node whose agents take more than
    15 seconds to start; on a starved machine that still happens, so a start is tried again."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in _AGENTS]
        for made in sockets:
            made.bind(("127.0.0.1", 0))
        return {name: made.getsockname()[1] for name, made in zip(_AGENTS, sockets, strict=True)}


def _start_with_retries(start: Callable[[], Any]) -> Any:
    for left in reversed(range(_TRIES)):
        try:
            return start()
        except Exception as error:
            # Ray raises no class of its own for this.
            if not left or "timed out" not in str(error):
                raise
    raise AssertionError
