"""Work on a Ray cluster: the head chooses nodes; Ray carries work there, restarts workers, notices lost nodes."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from executor.cache import cache_root
from executor.published.images import publish_source_if_missing
from executor.published.store_place import store_from_env
from executor.repository.images import Image
from executor.workers.candidate_work import check_draft
from executor.workers.contract import LITTLE, Checker, Needs
from executor.workers.identity import format_version_with_code_hash, hash_image_graph_or_empty
from executor.workers.ledger import FAILED_S, REFUSED_S, Ledger
from executor.workers.node import (
    Done,
    Head,
    HeadTree,
    decompress_files_with_mtimes,
    perform_in_sandbox,
    perform_on_source_tree,
)
from executor.workers.placement import EVERYTHING, Job
from executor.workers.throughput import Throughput
from index.errors import ConfigError, InfraError, describe_install_commands
from index.values import Diagnostic, Target

log = logging.getLogger(__name__)

T = TypeVar("T")
# What a node runs, without the words that only Ray's worker knows.
_Call = tuple[Callable[..., Done], Head, Any, Callable[..., Any], tuple[Any, ...]]

# So often does Ray itself give work to another worker of the node when one is lost.
_RETRIES = 3
# So many nodes may be lost with a piece of work before it counts as failed.
_LOST = 3
# Work that takes this many times what it takes as a rule, and a minute, is given to a second node as well.
_STRAGGLER = 6.0
_STRAGGLER_LEAST_S = 60.0
# A second node is looked for so often once the work is late.
_LOOK_S = 5.0
_MIB = 2**20
# The bounds of the buckets of the histogram of what work takes.
_SECONDS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)


def connect_ray(address: str) -> Any:
    """Ray, connected to `address` (auto, HOST:PORT, ray://HOST:PORT). Raises ConfigError without Ray or an answer."""
    try:
        import ray
    except ImportError as error:
        raise ConfigError(
            f"executor=ray needs Ray, on the head and on every node: {describe_install_commands('ray')}"
        ) from error
    try:
        if not ray.is_initialized():
            ray.init(address=address, namespace="graft", log_to_driver=False, logging_level=logging.ERROR)
            _redirect_ray_prints_to_stderr()
    except (ConnectionError, ImportError, ValueError, RuntimeError, OSError) as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ConfigError(
            f"ray={address}: {first}; start a cluster (ray start --head), or name it: ray=HOST:6379, ray=ray://HOST:10001"
        ) from error
    return ray


def _redirect_ray_prints_to_stderr() -> None:
    """Ray prints what it has to say of a lost node on standard output, whatever `log_to_driver` is: there it would
    break a command's JSON. Ray has no setting for it."""
    from ray._private import worker

    plain = worker.print_worker_logs
    if getattr(plain, "__module__", "") != __name__:

        def print_worker_logs(data: Any, print_file: Any, *more: Any, **named: Any) -> None:
            del print_file
            plain(data, sys.stderr, *more, **named)

        worker.print_worker_logs = print_worker_logs


def list_living_nodes(ray: Any) -> Mapping[str, Mapping[str, Any]]:
    """What Ray says of each node that lives and has a core, by the node's id."""
    return {node["NodeID"]: node for node in ray.nodes() if node["Alive"] and int(node["Resources"].get("CPU", 0))}


class RayWorkers:
    """Satisfies `Workers`. `sandbox` is the name of the sandbox that every node uses. `progress`: the file that says
    what each node has done, for `graft show --watch`."""

    def __init__(self, address: str, sandbox: str, progress: Path | None = None) -> None:
        self._ray = connect_ray(address)
        self._sandbox = sandbox
        self._remote = self._ray.remote(_run_act_and_record_metrics)
        self._lock = threading.Lock()
        self._images: dict[int, tuple[Image, Any, Head]] = {}
        self._ledger = Ledger(self._list_cores_and_memory_by_node)
        self._throughput = Throughput(progress)
        if not self.core_count:
            raise ConfigError(f"ray={address}: no node of the cluster has a free core; ray start --address=... there")

    @property
    def core_count(self) -> int:
        return sum(node.cores for node in self._ledger.list_nodes())

    def run_work_in_sandbox(
        self, work: Callable[..., T], image: Image, folder: Path, *arguments: Any, needs: Needs = LITTLE
    ) -> T:
        held, head = self._put_image_in_object_store(image)
        value: T = self._run_work_on_some_node(
            Job(image.key, needs), (perform_in_sandbox, head, held, work, arguments), folder
        )
        return value

    def run_work_on_tree(
        self, work: Callable[..., T], tree: Path, folder: Path, *arguments: Any, needs: Needs = LITTLE
    ) -> T:
        ours = tree.parent == cache_root() / "sources"
        if ours and (place := store_from_env()) is not None:
            publish_source_if_missing(tree, cache_root(), place)
        head = Head("", format_version_with_code_hash(everything=True), "", os.environ.get("GRAFT_STORE", ""))
        there = HeadTree(tree, tree.name if ours else "")
        value: T = self._run_work_on_some_node(
            Job(tree.name, needs), (perform_on_source_tree, head, there, work, arguments), folder
        )
        return value

    @contextmanager
    def make_draft_checker(self, image: Image, target: Target) -> Iterator[Checker]:
        yield _FarCompiler(self, image, target)

    def close(self) -> None:
        self._throughput.write_unsaved_counts()
        self._ray.shutdown()

    def _run_work_on_some_node(self, job: Job, call: _Call, folder: Path) -> Any:
        """The value of the work, done on the first node that neither refuses it nor is lost."""
        from ray.exceptions import (
            LocalRayletDiedError,
            NodeDiedError,
            ObjectLostError,
            RayError,
            TaskUnschedulableError,
        )

        gone = (LocalRayletDiedError, NodeDiedError, ObjectLostError, TaskUnschedulableError)
        lost = 0
        while True:
            try:
                done = self._run_work_with_straggler_retry(job, call)
            except RayError as error:
                first = (str(error).strip().splitlines() or [type(error).__name__])[0]
                lost += 1
                if isinstance(error, gone) and lost < _LOST:
                    log.info("a node was lost; another does its work")
                    self._ledger.force_node_refresh()
                    continue
                raise InfraError(f"Ray: {type(error).__name__}: {first}") from error
            self._count_work_and_rest_failing_node(job, done)
            job = replace(job, without=job.without | {done.node})
            if done.standing != "refused" or not self._ledger.has_untried_node_for(job):
                break
            log.info(f"{done.error}; another node does it")
        if done.error is not None:
            raise done.error
        decompress_files_with_mtimes(done, folder)
        return done.value

    def _run_work_with_straggler_retry(self, job: Job, call: _Call) -> Done:
        """The result of whichever ends first: the work, or a second try of it where the first is a straggler. One that
        its node refuses, or fails at, counts only where the other has ended too."""
        from ray.exceptions import RayError

        tries: dict[Any, tuple[str, Job]] = {}

        def begin_try_on_node(node: str, own: Job) -> None:
            try:
                tries[self._submit_work(node, own, call)] = (node, own)
            except BaseException:
                self._ledger.release_node(node, own)
                raise

        begin_try_on_node(self._ledger.wait_and_take_node(job), job)
        late_s = wait_s = max(_STRAGGLER_LEAST_S, _STRAGGLER * job.needs.seconds)
        running = list(tries)
        try:
            while True:
                ready, running = self._ray.wait(running, timeout=wait_s if len(tries) == 1 else None)
                if ready:
                    try:
                        done: Done = self._ray.get(ready[0])
                    except RayError:
                        if not running:
                            raise
                        continue
                    if done.standing == "well" or not running:
                        return done
                    # The work goes on at the other node, and what this one lacks is no reason to begin anew.
                    self._count_work_and_rest_failing_node(job, done)
                    job = replace(job, without=job.without | {done.node})
                    self._ledger.release_node(*tries.pop(ready[0]))
                    continue
                late = replace(job, without=job.without | {node for node, _ in tries.values()})
                if node := self._ledger.take_free_node_or_empty(late):
                    log.info(f"{job.image}: a piece of work takes more than {late_s:.0f} s; a second node tries")
                    begin_try_on_node(node, late)
                    running = list(tries)
                wait_s = _LOOK_S
        finally:
            for ref, (node, own) in tries.items():
                if ref in running:
                    self._ray.cancel(ref)
                self._ledger.release_node(node, own)

    def _submit_work(self, node: str, job: Job, call: _Call) -> Any:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        cores, memory_mb = self._ledger.compute_taken_cores_and_memory(node, job)
        strategy = NodeAffinitySchedulingStrategy(node, soft=False)
        options = {"num_cpus": cores, "memory": memory_mb * _MIB, "max_retries": _RETRIES}
        act, head, thing, work, arguments = call
        return self._remote.options(**options, scheduling_strategy=strategy).remote(act, head, thing, work, arguments)

    def _count_work_and_rest_failing_node(self, job: Job, done: Done) -> None:
        if done.standing == "refused":
            self._ledger.rest_node(done.node, job.image, REFUSED_S)
        elif done.standing == "failed":
            self._ledger.rest_node(done.node, EVERYTHING, FAILED_S)
        self._throughput.count_work_of_node(done)

    def _put_image_in_object_store(self, image: Image) -> tuple[Any, Head]:
        """The image in Ray's object store, where each node takes it once, and what nodes compare themselves with."""
        with self._lock:
            if id(image) not in self._images:
                store = os.environ.get("GRAFT_STORE", "")
                head = Head(self._sandbox, format_version_with_code_hash(), hash_image_graph_or_empty(image), store)
                self._images[id(image)] = (image, self._ray.put(image), head)
            _, held, head = self._images[id(image)]
            return held, head

    def _list_cores_and_memory_by_node(self) -> Mapping[str, tuple[int, int]]:
        """The cores and the MiB of each node that lives and has a core."""
        found = {name: node["Resources"] for name, node in list_living_nodes(self._ray).items()}
        return {name: (int(has["CPU"]), int(has.get("memory", 0)) // _MIB) for name, has in found.items()}


@contextmanager
def open_ray_workers(address: str | None, sandbox: str = "") -> Iterator[RayWorkers | None]:
    """The workers of a cluster; None without `address`. `sandbox`: "" for work that needs none. Raises ConfigError."""
    if address is None:
        yield None
        return
    with closing(RayWorkers(address, sandbox)) as workers:
        yield workers


@dataclass(frozen=True, slots=True)
class _FarCompiler:
    """Satisfies `Checker`: each draft is checked on whichever node is free, in a session of its own."""

    workers: RayWorkers
    image: Image
    target: Target

    def check(self, code: str) -> Sequence[Diagnostic]:
        with tempfile.TemporaryDirectory() as folder:
            return self.workers.run_work_in_sandbox(check_draft, self.image, Path(folder), self.target, code)


def _run_act_and_record_metrics(
    act: Callable[..., Done], head: Head, thing: Any, work: Callable[..., Any], arguments: tuple[Any, ...]
) -> Done:
    import ray

    done = act(ray.get_runtime_context().get_node_id(), head, thing, work, arguments)
    # For Prometheus: Ray's own exporter gives it out, with the node's address.
    count, seconds = _make_work_counter_and_histogram()
    count.inc(1, {"work": work.__name__, "ended": done.standing})
    seconds.observe(done.seconds, {"work": work.__name__})
    return done


@lru_cache
def _make_work_counter_and_histogram() -> tuple[Any, Any]:
    from ray.util.metrics import Counter, Histogram

    count = Counter("graft_work", "Pieces of work that ended: well, failed by our fault, refused.", ("work", "ended"))
    return count, Histogram("graft_work_seconds", "What a piece of work took.", list(_SECONDS), ("work",))
