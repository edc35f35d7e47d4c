"""graft show --watch: how far a run is, arm by arm, while another process works on it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from rich.console import Console, Group
from rich.live import Live

from executor.values import Outcome
from executor.workers.throughput import FILE as NODES
from executor.workers.throughput import NodeCount, read_node_counts
from experiments.progress import format_clock
from experiments.report.metrics import MISSING
from experiments.run.manifest import RunManifest, read_manifest
from experiments.run.pass_rule import PassRule
from experiments.run.records import JOURNAL, SampleKey, SampleRecord, read_json, score_record
from experiments.tables import MAIN, Column, Columns, draw_table, label, make_table
from index.errors import InfraError

LINE_EVERY_S = 60.0
"""Seconds between two lines where stdout is no terminal."""
_LOOK_EVERY_S = 2.0
# The rate is that of the last minutes: a run that was resumed says nothing by its beginning.
_RATE_OVER_S = 600.0


@dataclass(frozen=True, slots=True)
class ArmState:
    """`planned` is None in a run of an older version; `cost` is None where a price isn't known; `errors`: samples that
    ended in a model's error or in one of ours; `per_minute` as in `Glance`."""

    arm: str
    done: int
    planned: int | None
    passed: int
    errors: int
    cost: float | None
    per_minute: float | None = None


@dataclass(frozen=True, slots=True)
class NodeProgress:
    """A node of a cluster. `pieces`: what it built, tested and checked; `per_minute` of them as in `Glance`; `failed`
    through no fault of a model, the last for `last_error`; `busy_s`: the seconds that all took together."""

    node: str
    pieces: int
    per_minute: float | None
    failed: int
    busy_s: float
    last_error: str


@dataclass(frozen=True, slots=True)
class Glance:
    """A run at one moment. `per_minute`: samples in the last minutes, None before two were seen; `left_s`: what the
    rest takes at that rate. `nodes`: none where the run works on this machine alone."""

    arms: tuple[ArmState, ...]
    per_minute: float | None
    left_s: float | None
    nodes: tuple[NodeProgress, ...] = ()

    @property
    def done(self) -> int:
        return sum(arm.done for arm in self.arms)

    @property
    def planned(self) -> int | None:
        planned = [arm.planned for arm in self.arms]
        return None if None in planned else sum(count for count in planned if count is not None)

    @property
    def finished(self) -> bool:
        return self.planned is not None and self.done >= self.planned


class Ended(NamedTuple):
    """What is counted of a sample."""

    outcome: Outcome
    cost: float | None


class FinishedWork(NamedTuple):
    """What was finished at a moment: samples by arm, pieces of work by node."""

    now: float
    arms: Mapping[str, int]
    nodes: Mapping[str, int]


@dataclass(slots=True)
class Follower:
    """Reads a run's journal as it grows: each line once."""

    run: Path
    samples: dict[SampleKey, Ended] = field(default_factory=dict)
    seen: list[FinishedWork] = field(default_factory=list)
    _offset: int = 0

    def look(self, now: float) -> Glance:
        """The run's state; `now` in seconds of any clock. Raises ConfigError for a folder that holds no run."""
        manifest = read_manifest(self.run)
        self._read(manifest.pass_rule)
        nodes = read_node_counts(self.run / NODES)
        arms = Counter(arm for arm, _, _ in self.samples)
        self.seen.append(FinishedWork(now, arms, {name: count.done for name, count in nodes.items()}))
        while len(self.seen) > 2 and now - self.seen[1].now > _RATE_OVER_S:
            del self.seen[0]
        return self._glance(manifest, nodes)

    def _read(self, rule: PassRule) -> None:
        path = self.run / JOURNAL
        if not path.is_file():
            return
        with path.open("rb") as file:
            file.seek(self._offset)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._offset += len(line)
                with suppress(InfraError):
                    record = score_record(read_json(SampleRecord, line, path), rule, {})
                    self.samples[record.key] = Ended(record.graft.verdict.outcome, record.usage.cost)

    def _glance(self, manifest: RunManifest, nodes: Mapping[str, NodeCount]) -> Glance:
        first, last = self.seen[0], self.seen[-1]
        over_s = last.now - first.now
        arms = tuple(
            replace(
                _arm(arm, [ended for key, ended in self.samples.items() if key[0] == arm], manifest.planned.get(arm)),
                per_minute=_rate(last.arms.get(arm, 0) - first.arms.get(arm, 0), over_s),
            )
            for arm in dict.fromkeys((*manifest.planned, *last.arms))
        )
        states = tuple(
            NodeProgress(
                name[:8],
                count.done,
                _rate(count.done - first.nodes.get(name, 0), over_s),
                count.failed,
                count.seconds,
                count.last_error,
            )
            for name, count in sorted(nodes.items())
        )
        rate = _rate(sum(last.arms.values()) - sum(first.arms.values()), over_s)
        found = Glance(arms, rate, None, states)
        if rate and found.planned is not None:
            return replace(found, left_s=60 * (found.planned - found.done) / rate)
        return found


def _rate(more: int, over_s: float) -> float | None:
    return 60 * more / over_s if over_s > 0 and more > 1 else None


def _arm(arm: str, samples: Sequence[Ended], planned: Mapping[str, int] | None) -> ArmState:
    costs = [ended.cost for ended in samples]
    outcomes = [ended.outcome for ended in samples]
    return ArmState(
        arm=arm,
        done=len(samples),
        planned=None if planned is None else sum(planned.values()),
        passed=outcomes.count(Outcome.PASSED),
        errors=outcomes.count(Outcome.MODEL_ERROR) + outcomes.count(Outcome.INFRA_ERROR),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
    )


WATCH_COLUMNS: Columns[ArmState] = {
    label("arm"): lambda arm: arm.arm,
    Column("done", priority=MAIN): lambda arm: str(arm.done) if arm.planned is None else f"{arm.done}/{arm.planned}",
    Column("passed", priority=MAIN): lambda arm: (
        f"{arm.passed} ({100 * arm.passed / arm.done:.0f} %)" if arm.done else MISSING
    ),
    Column("errors"): lambda arm: str(arm.errors),
    Column("USD"): lambda arm: MISSING if arm.cost is None else f"{arm.cost:.2f}",
    Column("a minute"): lambda arm: _per_minute(arm.per_minute),
}
NODE_COLUMNS: Columns[NodeProgress] = {
    label("node"): lambda node: node.node,
    Column("pieces of work"): lambda node: str(node.pieces),
    Column("a minute"): lambda node: _per_minute(node.per_minute),
    Column("busy"): lambda node: format_clock(node.busy_s),
    Column("our failures", "text", MAIN): lambda node: (
        str(node.failed) + (f": {node.last_error}" if node.last_error else "")
    ),
}


def _per_minute(rate: float | None) -> str:
    return MISSING if rate is None else f"{rate:.1f}"


def state_line(glance: Glance) -> str:
    """All of it in one line, for a log file."""
    arms = ", ".join(f"{arm.arm} {arm.passed}/{arm.done}" for arm in glance.arms)
    nodes = ", ".join(
        f"{node.node} {node.pieces}" + (f" ({node.failed} failed)" if node.failed else "") for node in glance.nodes
    )
    return f"{_pace(glance)}; passed: {arms or 'nothing yet'}" + (f"; work done by nodes: {nodes}" if nodes else "")


def _pace(glance: Glance) -> str:
    of = "" if glance.planned is None else f" of {glance.planned}"
    rate = "" if glance.per_minute is None else f", {glance.per_minute:.1f} a minute"
    left = "" if glance.left_s is None or glance.finished else f", {format_clock(glance.left_s)} left"
    return f"{glance.done}{of} samples{rate}{left}"


def watch_run(run: Path, console: Console, *, once: bool = False, sleep: Callable[[float], None] = time.sleep) -> None:
    """Show the run until all its samples are finished, or once: a table that renews itself in a terminal, elsewhere a
    line a minute. Raises ConfigError for a folder that holds no run."""
    follower = Follower(run)
    if once or not console.is_terminal:
        for glance in _glances(follower, LINE_EVERY_S, sleep, once=once):
            console.print(state_line(glance), markup=False)
        return
    with Live(console=console, auto_refresh=False) as live:
        for glance in _glances(follower, _LOOK_EVERY_S, sleep):
            live.update(_screen(glance, console.width), refresh=True)


def _screen(glance: Glance, width: int) -> Group:
    """How far all is, then a row an arm, and a row a node."""
    tables = [make_table(glance.arms, WATCH_COLUMNS)]
    tables += [make_table(glance.nodes, NODE_COLUMNS)] if glance.nodes else []
    return Group(f"{_pace(glance)}", *(draw_table(table, width)[0] for table in tables))


def _glances(
    follower: Follower, every_s: float, sleep: Callable[[float], None], *, once: bool = False
) -> Iterator[Glance]:
    while True:
        glance = follower.look(time.monotonic())
        yield glance
        if once or glance.finished:
            return
        sleep(every_s)
