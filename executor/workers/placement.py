"""Which node gets which piece of work: pure functions of the waiting jobs and the nodes' states.

The Ray workers call them with what they know of a cluster, a simulation with what it invents
(benchmarks/executor/cluster/simulation.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from executor.workers.contract import Needs

# In `NodeState.resting`: whatever the image.
EVERYTHING = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work that waits. `image`: what it needs there, by key. `without`: nodes that don't get it, because
    they have it already or refused it."""

    image: str
    needs: Needs
    without: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NodeState:
    """What the head knows of a node. `warm`: the images that it has. `open`: the image on which it worked last, of
    which a session and the disk's cache are warm. `resting`: the images with which it failed just now."""

    name: str
    cores: int
    memory_mb: int
    free_cores: float
    free_memory_mb: int
    warm: frozenset[str] = frozenset()
    open: str = ""
    resting: frozenset[str] = frozenset()


def make_idle_node(name: str, cores: int, memory_mb: int) -> NodeState:
    return NodeState(name, cores, memory_mb, cores, memory_mb)


def place_jobs(jobs: Sequence[Job], nodes: Iterable[NodeState]) -> Mapping[int, str]:
    """The node for each of the jobs, by its number in `jobs`, that gets one now; the others wait.

    First come, first served, on the node that has the image warm, best one that worked on it last, of these the one
    with most cores free. A node without the image fetches it, where none that has it is free. The first job for which
    no node has room keeps the emptiest one for itself until that has. A resting node gets a job only where no other
    could ever do it.
    """
    if not jobs:
        return {}
    every = list(nodes)
    free = {node.name: node for node in every if node.free_cores > 0}
    able: dict[tuple[str, frozenset[str], int], list[str]] = {}
    placed: dict[int, str] = {}
    kept = False
    for number, job in enumerate(jobs):
        if not free:
            break
        key = (job.image, job.without, job.needs.memory_mb)
        if key not in able:
            able[key] = [node.name for node in find_able_nodes(job, every) if node.name in free]
        here = [free[name] for name in able[key] if name in free]
        best = _choose_best_node_with_room(job, here)
        if best is not None:
            best = add_job_to_node(best, job)
            placed[number] = best.name
            free[best.name] = best
            if not best.free_cores:
                del free[best.name]
        elif here and not kept:
            # Smaller jobs would keep it busy for ever.
            kept = True
            del free[max(here, key=_compute_free_core_share).name]
    return placed


def _choose_best_node_with_room(job: Job, nodes: Sequence[NodeState]) -> NodeState | None:
    """Of the nodes that have room, the first of those that it likes best."""
    warm = [node for node in nodes if job.image in node.warm]
    for group in ([node for node in warm if node.open == job.image], warm, nodes):
        roomy = [node for node in group if has_room_for(node, job.needs)]
        if roomy:
            return max(roomy, key=_compute_free_core_share)
    return None


def find_able_nodes(job: Job, nodes: Sequence[NodeState]) -> Sequence[NodeState]:
    """The nodes that can do the job, now or later: those with the memory, or the largest; resting ones only where
    there are no others."""
    others = [node for node in nodes if node.name not in job.without]
    rested = [node for node in others if not node.resting & {EVERYTHING, job.image}] or others
    least = min(job.needs.memory_mb, max([node.memory_mb for node in rested], default=0))
    return [node for node in rested if node.memory_mb >= least]


def has_room_for(node: NodeState, needs: Needs) -> bool:
    """Whether the node has room for it now. What is more than the node has at all is its whole."""
    if needs.alone:
        return node.free_cores == node.cores
    return node.free_cores >= min(needs.cores, node.cores) and node.free_memory_mb >= min(
        needs.memory_mb, node.memory_mb
    )


def compute_taken_cores_and_memory(node: NodeState, needs: Needs) -> tuple[float, int]:
    """The cores and MiB that a job takes of the node."""
    if needs.alone:
        return node.cores, node.memory_mb
    return min(needs.cores, node.cores), min(needs.memory_mb, node.memory_mb)


def add_job_to_node(node: NodeState, job: Job) -> NodeState:
    """The node once it does the job. It will have the image."""
    cores, memory_mb = compute_taken_cores_and_memory(node, job.needs)
    return replace(
        node,
        free_cores=node.free_cores - cores,
        free_memory_mb=node.free_memory_mb - memory_mb,
        warm=node.warm if job.image in node.warm else node.warm | {job.image},
        open=job.image,
    )


def remove_job_from_node(node: NodeState, job: Job) -> NodeState:
    """The node once the job has ended."""
    cores, memory_mb = compute_taken_cores_and_memory(node, job.needs)
    return replace(node, free_cores=node.free_cores + cores, free_memory_mb=node.free_memory_mb + memory_mb)


def _compute_free_core_share(node: NodeState) -> float:
    return node.free_cores / node.cores
