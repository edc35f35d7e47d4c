"""The real choice of a node, driven over simulated nodes: how well a cluster is used, and where the head breaks.

    python -m benchmarks.executor.cluster.simulation [--candidates 1000000]

What is real: which node gets which candidate (executor.workers.placement, as the Ray workers call it, after each
candidate that comes or ends), with the CPU time that it takes. What is recorded: the CPU-seconds of each task's gold,
from check to suites (recipes). What is invented: the clock, the nodes, the model (an answer after some seconds), the
store's bandwidth, and that one candidate in a thousand takes ten times as long. Ray itself isn't there; RAY_S stands
for it.

The head does one thing at a time, as Python does: a sample's own work (half of it before the candidate is built, half
after), a choice, a call of Ray. Samples come in a run's order, all of a task one after the other. Efficiency:
candidates' core-seconds of all that the cluster had until the last one ended. The last column: so many heads keep the
cluster busy, each with its own run. A second table drives one node, with other numbers of samples under way at once
(the key `concurrency` of a run).
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from benchmarks.tables import render_cells
from executor.workers.contract import Needs
from executor.workers.placement import (
    Job,
    NodeState,
    add_job_to_node,
    make_idle_node,
    place_jobs,
    remove_job_from_node,
)

RECIPES = Path(__file__).parents[3] / "recipes"
CORES, MEMORY_MB = 16, 64 * 1024
# What a node fetches for an image.
IMAGE_MB = {"redis": 60.0, "bullet3": 150.0, "openssl": 140.0, "llvm-prebuilt": 900.0}
# As in executor.workers.ray_workers.
STRAGGLER, STRAGGLER_LEAST_S, LOOK_S = 6.0, 60.0, 5.0
SLOW, SLOW_TIMES = 0.001, 10.0
MODEL_S = 5.0
STORE_MB_S = 1000.0  # all nodes together, as one server with a network of 10 Gbit/s
NODE_MB_S = 200.0  # one node, fetching and unpacking
# CPU of the head: a whole sample's, and Ray's for a piece of work.
SAMPLE_S, RAY_S = 0.012, 0.001
NODES = (1, 8, 64, 512)
# The samples under way for each core: of the cluster, and of the one node in the second table.
UNDER_WAY, UNDER_WAY_OF_ONE = 2.5, (1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True, slots=True)
class Kind:
    """A task: its image, and the seconds of one core that its gold takes."""

    image: str
    seconds: float


@dataclass(slots=True)
class Candidate:
    """`seconds`: what it really takes. `tries`: node -> its job, while it runs there."""

    kind: Kind
    seconds: float
    tries: dict[str, Job] = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    """What a simulation shows. Times in seconds of the invented clock, but `choosing_s`, which is real CPU."""

    nodes: int
    candidates: int
    core_s: float = 0.0
    ended_s: float = 0.0
    head_s: float = 0.0
    choosing_s: float = 0.0
    fetched: int = 0
    fetched_mb: float = 0.0
    second_tries: int = 0

    @property
    def efficiency(self) -> float:
        return self.core_s / (self.ended_s * self.nodes * CORES)


def read_task_kinds() -> list[Kind]:
    """Every task whose cost is recorded, in a run's order."""
    found = []
    for name in IMAGE_MB:
        tasks = json.loads((RECIPES / name / "manifest.json").read_text(encoding="utf-8"))["tasks"].values()
        found += [Kind(name, task["cost_s"] + (task["build_cpu_s"] or 0.0)) for task in tasks if task["cost_s"]]
    return found


class Simulation:
    """`count` candidates over so many nodes."""

    def __init__(self, nodes: int, count: int) -> None:
        self.chance = random.Random(0)
        self.out = Outcome(nodes, count)
        names = [f"n{number}" for number in range(nodes)]
        self.nodes = {name: make_idle_node(name, CORES, MEMORY_MB) for name in names}
        self.ready: dict[tuple[str, str], float] = {}
        self.store_free = 0.0
        self.waiting: list[tuple[Job, Candidate]] = []
        self.events: list[tuple[float, int, str, Candidate, str]] = []
        self.number = 0
        self.head_free = 0.0
        self.coming = _draw_candidates(count, self.chance)

    def run_to_end(self, under_way: float) -> Outcome:
        """With so many of them at once for each core."""
        for _ in range(math.ceil(under_way * CORES * len(self.nodes))):
            self._ask_model(0.0)
        while self.events:
            now, _, what, candidate, node = heapq.heappop(self.events)
            if what == "answer":
                self.waiting.append((Job(candidate.kind.image, Needs(seconds=candidate.kind.seconds)), candidate))
                self._choose_nodes(now)
            elif what == "late":
                self._try_second_node(now, candidate)
            elif node in candidate.tries:
                self._end_candidate(now, candidate)
        return self.out

    def _ask_model(self, now: float) -> None:
        candidate = next(self.coming, None)
        if candidate is not None:
            asked = self._charge_head(now, SAMPLE_S / 2)
            self._schedule_event(asked + self.chance.expovariate(1 / MODEL_S), "answer", candidate)

    def _choose_nodes(self, now: float) -> None:
        began = time.process_time()
        placed = place_jobs([job for job, _ in self.waiting], self.nodes.values())
        for number, node in placed.items():
            self.nodes[node], before = add_job_to_node(self.nodes[node], self.waiting[number][0]), self.nodes[node]
            began = self._start_candidate(now, node, before, *self.waiting[number], began=began)
        if placed:
            self.waiting = [entry for number, entry in enumerate(self.waiting) if number not in placed]
        self._charge_choice(now, began)

    def _start_candidate(
        self, now: float, node: str, before: NodeState, job: Job, candidate: Candidate, *, began: float
    ) -> float:
        """The candidate on a node that was chosen. Returns where the clock of the choice goes on."""
        self._charge_choice(now, began)
        begins = self._charge_head(now, RAY_S)
        if job.image not in before.warm:
            self._fetch_image(begins, node, job.image)
        begins = max(begins, self.ready.get((node, job.image), 0.0))
        # What makes a candidate slow is its node's, not its own.
        seconds = candidate.seconds if not candidate.tries else candidate.kind.seconds
        candidate.tries[node] = job
        self._schedule_event(begins + seconds, "end", candidate, node)
        patience = max(STRAGGLER_LEAST_S, STRAGGLER * candidate.kind.seconds)
        if len(candidate.tries) == 1 and seconds > patience:
            self._schedule_event(now + patience, "late", candidate)
        return time.process_time()

    def _fetch_image(self, now: float, node: str, image: str) -> None:
        size = IMAGE_MB[image]
        self.store_free = max(self.store_free, now) + size / STORE_MB_S
        self.ready[node, image] = max(self.store_free, now + size / NODE_MB_S)
        self.out.fetched += 1
        self.out.fetched_mb += size

    def _try_second_node(self, now: float, candidate: Candidate) -> None:
        if not candidate.tries:  # it has ended
            return
        began = time.process_time()
        ((_, job),) = candidate.tries.items()
        late = Job(job.image, job.needs, frozenset(candidate.tries))
        node = "" if self.waiting else place_jobs([late], self.nodes.values()).get(0, "")
        if not node:
            self._schedule_event(now + LOOK_S, "late", candidate)
            return
        before = self.nodes[node]
        self.nodes[node] = add_job_to_node(before, late)
        self.out.second_tries += 1
        self._charge_choice(now, self._start_candidate(now, node, before, late, candidate, began=began))

    def _end_candidate(self, now: float, candidate: Candidate) -> None:
        began = time.process_time()
        for node, job in candidate.tries.items():
            self.nodes[node] = remove_job_from_node(self.nodes[node], job)
        candidate.tries.clear()
        self.out.core_s += candidate.kind.seconds
        self.out.ended_s = max(self.out.ended_s, now)
        self._charge_choice(now, began)
        self._choose_nodes(now)
        self._ask_model(self._charge_head(now, SAMPLE_S / 2))

    def _charge_choice(self, now: float, began: float) -> None:
        cost = time.process_time() - began
        self.out.choosing_s += cost
        self._charge_head(now, cost)

    def _charge_head(self, now: float, cost: float) -> float:
        """When the head has done a thing that comes to it now."""
        self.head_free = max(self.head_free, now) + cost
        self.out.head_s += cost
        return self.head_free

    def _schedule_event(self, when: float, what: str, candidate: Candidate, node: str = "") -> None:
        self.number += 1
        heapq.heappush(self.events, (when, self.number, what, candidate, node))


def _draw_candidates(count: int, chance: random.Random) -> Iterator[Candidate]:
    tasks = read_task_kinds()
    for number in range(count):
        kind = tasks[number * len(tasks) // count]
        slow = SLOW_TIMES if chance.random() < SLOW else 1.0
        yield Candidate(kind, kind.seconds * chance.uniform(0.8, 1.2) * slow)


HEAD = (
    "nodes", "cores", "hours", "efficiency", "head busy", "choice, CPU-ms", "head, CPU-ms", "images fetched",
    "from the store, GB", "second tries", "heads for 90 %",
)  # fmt: skip


def _describe_outcome(found: Outcome) -> Sequence[object]:
    """`heads for 90 %`: so many share the cluster's candidates that none is busy for more than nine tenths of the time
    that the cores need."""
    ideal_s = found.core_s / (found.nodes * CORES)
    return (
        found.nodes,
        found.nodes * CORES,
        f"{found.ended_s / 3600:.2f}",
        f"{100 * found.efficiency:.1f} %",
        f"{100 * found.head_s / found.ended_s:.0f} %",
        f"{1000 * found.choosing_s / found.candidates:.3f}",
        f"{1000 * found.head_s / found.candidates:.1f}",
        found.fetched,
        f"{found.fetched_mb / 1000:.1f}",
        found.second_tries,
        max(1, math.ceil(found.head_s / (0.9 * ideal_s))),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--candidates", type=int, default=1_000_000)
    count = parser.parse_args().candidates
    few = min(count, 100_000)
    rows = [_describe_outcome(Simulation(nodes, count).run_to_end(UNDER_WAY)) for nodes in NODES]
    rows_of_one = [
        [f"{share:g}", f"{out.ended_s / 3600:.2f}", f"{100 * out.efficiency:.1f} %"]
        for share in UNDER_WAY_OF_ONE
        for out in [Simulation(1, few).run_to_end(share)]
    ]
    tasks = read_task_kinds()
    parts = [
        render_cells(HEAD, rows, left=0),
        render_cells(
            (f"one node, {few:,} candidates: under way for each core", "hours", "efficiency"), rows_of_one, 0
        ),
        f"The first table: {count:,} candidates, {UNDER_WAY:g} under way for each core. Both: {len(tasks)} tasks of"
        f" {fmean(kind.seconds for kind in tasks):.1f} core-s in the mean.",
    ]
    sys.stdout.write("\n\n".join(parts) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
