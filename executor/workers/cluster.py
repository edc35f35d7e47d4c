"""What a Ray cluster's nodes have, and what they lack to work for this head."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from executor.cache import cache_root
from executor.published.images import list_machine_types_of_stored_image
from executor.published.machine import detect_cpu_and_kernel_type
from executor.published.store_place import open_store
from executor.repository.images import image_folder, is_image_whole
from executor.sandbox.capacity import measure_usable_memory_mb
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.store import measure_free_mb
from executor.workers.identity import format_version_with_code_hash, hash_graph_in_folder
from executor.workers.ray_workers import connect_ray, list_living_nodes
from index.errors import GraftError

# A clock that is off further is named. Nothing of a verdict hangs on it.
_CLOCK_S = 5.0
_ANSWER_S = 120.0


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """A node as it sees itself. `problem`: why its sandbox can't be used, or "". Of the asked images: `images`, that
    it has, with their identities, and `stored`, that the store has for it. `clock`: seconds since the epoch."""

    graft: str
    machine: str
    memory_mb: int
    free_mb: int
    problem: str
    store: str
    images: Mapping[str, str]
    stored: tuple[str, ...]
    clock: float


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the cluster. `facts` is None when it gave no answer. `lacking`: a line for each thing that it lacks or
    that differs from the head."""

    name: str
    address: str
    cores: int
    facts: NodeFacts | None
    lacking: tuple[str, ...]


def collect_node_facts(sandbox: str, store: str, keys: Sequence[str]) -> NodeFacts:
    """What this machine has. Runs on a node."""
    cache, url = cache_root(), os.environ.get("GRAFT_STORE") or store
    images: dict[str, str] = {}
    stored: list[str] = []
    try:
        backend = open_unscheduled_backend(sandbox, cache)
        problem = ""
        for key in keys:
            folder = image_folder(cache, backend, key)
            if is_image_whole(folder, backend, key):
                images[key] = hash_graph_in_folder(folder)
            elif url and detect_cpu_and_kernel_type() in list_machine_types_of_stored_image(
                open_store(url), backend.name, key
            ):
                stored.append(key)
    except GraftError as error:
        problem = str(error)
    return NodeFacts(
        format_version_with_code_hash(),
        detect_cpu_and_kernel_type(),
        measure_usable_memory_mb(),
        measure_free_mb(cache),
        problem,
        url,
        images,
        tuple(stored),
        time.time(),
    )


def check_cluster(address: str, sandbox: str, graph_hash_by_image: Mapping[str, str]) -> Iterator[Node]:
    """Each node that lives and has a core, asked what it has. `graph_hash_by_image`: the keys that it should have and
    the head's identity of each. Raises ConfigError as `connect_ray`."""
    from ray.exceptions import RayError
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    ray = connect_ray(address)
    ask = ray.remote(collect_node_facts)
    for name, listed in list_living_nodes(ray).items():
        cores, address = int(listed["Resources"]["CPU"]), listed["NodeManagerAddress"]
        here = NodeAffinitySchedulingStrategy(name, soft=False)
        before = time.time()
        try:
            answer = ask.options(num_cpus=0, max_retries=0, scheduling_strategy=here).remote(
                sandbox, os.environ.get("GRAFT_STORE", ""), list(graph_hash_by_image)
            )
            facts: NodeFacts = ray.get(answer, timeout=_ANSWER_S)
        except RayError as error:
            silent = f"no answer: {str(error).strip().splitlines()[0]}"
            yield Node(name[:8], address, cores, None, (silent,))
            continue
        after = time.time()
        # The answer's way can't be known: within it any clock is right.
        ahead = facts.clock - min(max(facts.clock, before), after)
        lacking = tuple(_list_what_node_lacks(facts, sandbox, graph_hash_by_image, ahead))
        yield Node(name[:8], address, cores, facts, lacking)


def _list_what_node_lacks(
    facts: NodeFacts, sandbox: str, graph_hash_by_image: Mapping[str, str], clock_ahead_s: float
) -> Iterator[str]:
    if facts.graft != format_version_with_code_hash():
        yield f"Graft {facts.graft}, the head has {format_version_with_code_hash()}: install the same"
    if facts.problem:
        yield f"sandbox {sandbox}: {facts.problem}"
    for key, identity in graph_hash_by_image.items():
        found = facts.images.get(key)
        if found is None and key not in facts.stored:
            where = f"the store {facts.store} has none for {facts.machine}" if facts.store else "no store is named"
            yield f"image {key}: not there, and {where}"
        elif found is not None and found != identity:
            yield f"image {key}: it has {found}, the head {identity}: graft images prune {key} there"
    if abs(clock_ahead_s) > _CLOCK_S:
        way = "ahead" if clock_ahead_s > 0 else "behind"
        yield f"its clock is {abs(clock_ahead_s):.0f} s {way} (no verdict hangs on it)"
