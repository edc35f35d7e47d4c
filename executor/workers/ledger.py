"""What the head knows of a cluster's nodes, and the jobs that wait for one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from executor.workers.placement import (
    EVERYTHING,
    Job,
    NodeState,
    add_job_to_node,
    compute_taken_cores_and_memory,
    find_able_nodes,
    make_idle_node,
    place_jobs,
    remove_job_from_node,
)
from index.errors import InfraError

# Node -> its cores and its memory in MiB.
Listing = Callable[[], Mapping[str, tuple[int, int]]]

# The list of nodes is asked for at most this often.
_NODES_S = 5.0
# A node that refuses an image, or fails with anything, isn't asked for so long where another can be.
REFUSED_S = 300.0
FAILED_S = 60.0
# A cluster that is started again has this long before its work counts as failed.
_NOBODY_S = 60.0


@dataclass(slots=True)
class _Waiting:
    job: Job
    node: str = ""
    placed: threading.Event = field(default_factory=threading.Event)


class Ledger:
    """Thread-safe. `list_nodes` gives the nodes that live and have a core."""

    def __init__(self, list_nodes: Listing) -> None:
        self._list = list_nodes
        self._lock = threading.Lock()
        self._nodes: dict[str, NodeState] = {}
        self._until: dict[tuple[str, str], float] = {}
        self._waiting: list[_Waiting] = []
        self._asked = float("-inf")
        self._last_seen = time.monotonic()

    def list_nodes(self) -> list[NodeState]:
        with self._lock:
            self._refresh_nodes()
            return list(self._nodes.values())

    def force_node_refresh(self) -> None:
        """Ask for the list of nodes again: one was lost."""
        with self._lock:
            self._asked = float("-inf")
            self._assign_waiting_jobs()

    def wait_and_take_node(self, job: Job) -> str:
        """Wait for a node's cores and memory, and take them. Raises InfraError when no node is left for it."""
        waiting = _Waiting(job)
        with self._lock:
            self._waiting.append(waiting)
            self._assign_waiting_jobs()
        try:
            while not waiting.placed.wait(_NODES_S):
                with self._lock:
                    # Nodes come and go, and rest for a while only.
                    self._assign_waiting_jobs()
                    self._require_untried_node(job)
        finally:
            with self._lock:
                if waiting in self._waiting:
                    self._waiting.remove(waiting)
        return waiting.node

    def take_free_node_or_empty(self, job: Job) -> str:
        """A free node for the job, "" where there is none or others wait."""
        with self._lock:
            self._refresh_nodes()
            if self._waiting:
                return ""
            node = place_jobs([job], self._nodes.values()).get(0, "")
            if node:
                self._nodes[node] = add_job_to_node(self._nodes[node], job)
            return node

    def release_node(self, node: str, job: Job) -> None:
        """The job has ended there, or is lost."""
        with self._lock:
            if node in self._nodes:
                self._nodes[node] = remove_job_from_node(self._nodes[node], job)
            self._assign_waiting_jobs()

    def compute_taken_cores_and_memory(self, node: str, job: Job) -> tuple[float, int]:
        """The cores and MiB that the job takes of the node."""
        with self._lock:
            found = self._nodes.get(node)
            return (
                (job.needs.cores, job.needs.memory_mb)
                if found is None
                else compute_taken_cores_and_memory(found, job.needs)
            )

    def rest_node(self, node: str, image: str, seconds: float) -> None:
        """Give the node no work on the image for so long (EVERYTHING: none at all), where another can do it."""
        with self._lock:
            self._until[node, image] = time.monotonic() + seconds
            self._set_resting_images_of_nodes()

    def has_untried_node_for(self, job: Job) -> bool:
        """Whether a node is left that isn't in the job's `without`."""
        with self._lock:
            self._refresh_nodes()
            return bool(find_able_nodes(job, list(self._nodes.values())))

    def _assign_waiting_jobs(self) -> None:
        self._refresh_nodes()
        for number, node in place_jobs([waiting.job for waiting in self._waiting], self._nodes.values()).items():
            waiting = self._waiting[number]
            self._nodes[node] = add_job_to_node(self._nodes[node], waiting.job)
            waiting.node = node
            waiting.placed.set()
        self._waiting = [waiting for waiting in self._waiting if not waiting.node]

    def _refresh_nodes(self) -> None:
        now = time.monotonic()
        if now - self._asked <= _NODES_S:
            return
        self._asked = now
        listed = self._list()
        self._nodes = {
            name: self._nodes.get(name) or make_idle_node(name, cores, memory_mb)
            for name, (cores, memory_mb) in listed.items()
        }
        if self._nodes:
            self._last_seen = now
        self._until = {key: until for key, until in self._until.items() if until > now}
        self._set_resting_images_of_nodes()

    def _set_resting_images_of_nodes(self) -> None:
        for name, node in self._nodes.items():
            resting = frozenset(image for other, image in self._until if other == name)
            if resting != node.resting:
                self._nodes[name] = replace(node, resting=resting, warm=node.warm - (resting - {EVERYTHING}))

    def _require_untried_node(self, job: Job) -> None:
        if not self._nodes and time.monotonic() - self._last_seen > _NOBODY_S:
            raise InfraError("no node of the cluster is left; ray start --address=... on one")
        if self._nodes and not find_able_nodes(job, list(self._nodes.values())):
            raise InfraError("every node of the cluster refused it, or was lost with it")
