"""Work done on the nodes of a Ray cluster. Ray schedules, restarts and retries; Graft says where an image is warm."""

from __future__ import annotations

import logging
import os
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from executor.repository.images import Image
from executor.workers.contract import Checker
from executor.workers.identity import graft_identity, image_identity
from executor.workers.judging import check_draft
from executor.workers.node import Done, Head, perform, unpack_files
from index.errors import ConfigError, InfraError
from index.values import Diagnostic, Target

log = logging.getLogger(__name__)

T = TypeVar("T")

# So often does Ray itself give work to another worker when one is lost.
_RETRIES = 3
# The list of nodes is asked for at most this often.
_NODES_S = 5.0
# Work that takes this many times what its suites take alone, and a minute, is given to a second node as well.
_STRAGGLER = 6.0
_STRAGGLER_LEAST_S = 60.0


def connect_ray(address: str) -> Any:
    """Ray, connected to the cluster at `address` (auto, HOST:PORT or ray://HOST:PORT). Raises ConfigError without Ray,
    and when no cluster answers."""
    try:
        import ray
    except ImportError as error:
        raise ConfigError("executor=ray needs Ray: pip install 'graft[ray]', on the head and on every node") from error
    try:
        if not ray.is_initialized():
            ray.init(address=address, namespace="graft", log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ImportError, ValueError, RuntimeError, OSError) as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ConfigError(
            f"ray={address}: {first}; start a cluster (ray start --head), or name it: ray=HOST:6379, ray=ray://HOST:10001"
        ) from error
    return ray


class RayWorkers:
    """Satisfies `Workers`. `sandbox` is the name of the sandbox that every node uses."""

    def __init__(self, address: str, sandbox: str) -> None:
        self._ray = connect_ray(address)
        self._sandbox = sandbox
        self._remote = self._ray.remote(_on_node)
        self._lock = threading.Lock()
        self._images: dict[int, tuple[Image, Any, Head]] = {}
        self._warm: dict[str, set[str]] = defaultdict(set)
        self._busy: Counter[str] = Counter()
        self._nodes: dict[str, int] = {}
        self._asked = 0.0
        if not self._alive():
            raise ConfigError(f"ray={address}: no node of the cluster has a free core; ray start --address=... there")

    def do(self, work: Callable[..., T], image: Image, folder: Path, *arguments: Any, alone: bool = False) -> T:
        from ray.exceptions import RayError

        patience = max(_STRAGGLER_LEAST_S, _STRAGGLER * sum(image.suite_seconds.values()))
        try:
            done = self._first(image, work, arguments, patience, alone=alone)
        except RayError as error:
            first = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise InfraError(f"Ray: {type(error).__name__}: {first}") from error
        if done.error is not None:
            raise done.error
        with self._lock:
            self._warm[image.key].add(done.node)
        unpack_files(done, folder)
        value: T = done.value
        return value

    @contextmanager
    def compiler(self, image: Image, target: Target) -> Iterator[Checker]:
        yield _FarCompiler(self, image, target)

    def close(self) -> None:
        self._ray.shutdown()

    def _first(
        self, image: Image, work: Callable[..., Any], arguments: tuple[Any, ...], patience: float, *, alone: bool
    ) -> Done:
        """The result of whichever ends first: the work, or a second try of it where the first is a straggler."""
        from ray.exceptions import RayError

        places = [self._place(image.key)]
        running = [self._submit(image, work, arguments, places[0], alone=alone)]
        try:
            ready, _ = self._ray.wait(running, timeout=patience)
            if not ready and len(self._alive()) > 1:
                log.info(f"{image.recipe.name}: a piece of work takes more than {patience:.0f} s; a second node tries")
                places.append("")
                running.append(self._submit(image, work, arguments, "", alone=alone))
            while True:
                ready, running = self._ray.wait(running, num_returns=1)
                try:
                    done: Done = self._ray.get(ready[0])
                    return done
                except RayError:
                    if not running:
                        raise
        finally:
            for left in running:
                self._ray.cancel(left)
            with self._lock:
                self._busy.subtract(place for place in places if place)

    def _submit(
        self, image: Image, work: Callable[..., Any], arguments: tuple[Any, ...], place: str, *, alone: bool
    ) -> Any:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        held, head = self._held(image)
        cores = self._alive()
        # Alone: all cores of a node, so that Ray gives it nothing else.
        most = max(cores, key=lambda node: cores[node]) if alone and cores else place
        wanted = cores.get(most, 1) if alone else 1
        strategy = NodeAffinitySchedulingStrategy(most, soft=True) if most else "SPREAD"
        options = {"num_cpus": wanted, "max_retries": _RETRIES, "scheduling_strategy": strategy}
        return self._remote.options(**options).remote(head, held, work, arguments)

    def _held(self, image: Image) -> tuple[Any, Head]:
        """The image in Ray's object store, where each node takes it once, and what nodes compare themselves with."""
        with self._lock:
            if id(image) not in self._images:
                store = os.environ.get("GRAFT_STORE", "")
                head = Head(self._sandbox, graft_identity(), image_identity(image), store)
                self._images[id(image)] = (image, self._ray.put(image), head)
            _, held, head = self._images[id(image)]
            return held, head

    def _place(self, key: str) -> str:
        """The least busy node that has the image warm and a core free; "" when there is none, and Ray spreads."""
        cores = self._alive()
        with self._lock:
            free = [node for node in self._warm[key] if self._busy[node] < cores.get(node, 0)]
            if not free:
                return ""
            best = min(free, key=lambda node: self._busy[node] / cores[node])
            self._busy[best] += 1
            return best

    def _alive(self) -> dict[str, int]:
        """The cores of each node that lives and has any."""
        with self._lock:
            if time.monotonic() - self._asked > _NODES_S:
                self._asked = time.monotonic()
                listed = [node for node in self._ray.nodes() if node["Alive"]]
                self._nodes = {node["NodeID"]: int(node["Resources"].get("CPU", 0)) for node in listed}
                self._nodes = {node: cores for node, cores in self._nodes.items() if cores}
            return self._nodes


@dataclass(frozen=True, slots=True)
class _FarCompiler:
    """Satisfies `Checker`: each draft is checked on whichever node is free, in a session of its own."""

    workers: RayWorkers
    image: Image
    target: Target

    def check(self, code: str) -> Sequence[Diagnostic]:
        with tempfile.TemporaryDirectory() as folder:
            return self.workers.do(check_draft, self.image, Path(folder), self.target, code)


def _on_node(head: Head, image: Image, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Done:
    import ray

    return perform(ray.get_runtime_context().get_node_id(), head, image, work, arguments)
