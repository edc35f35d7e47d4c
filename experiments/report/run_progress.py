"""graft show --watch: how far a run is, arm by arm, while another process works on it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live

from executor.values import Outcome
from executor.workers.throughput import FILE as NODES
from executor.workers.throughput import NodeCount, read_node_counts_or_empty
from experiments.files import is_folder_locked
from experiments.progress import format_clock
from experiments.report.metrics import MISSING
from experiments.run.manifest import read_manifest
from experiments.run.pass_rule import PassRule
from experiments.run.records import (
    JOURNAL,
    UNFINISHED,
    SampleKey,
    SampleRecord,
    apply_rule_and_reviews,
    decode_json_value,
)
from experiments.tables import MAIN, Column, Columns, draw_table, make_label_column, make_table
from index.errors import InfraError

LINE_EVERY_S = 60.0
"""Seconds between two lines where stdout is no terminal."""
_LOOK_EVERY_S = 2.0
# The rate is that of the last minutes: a run that was resumed says nothing by its beginning.
_RATE_OVER_S = 600.0

NodeState = tuple[str, NodeCount, float | None]


@dataclass(frozen=True, slots=True)
class ArmState:
    """`done` samples are finished, `unfinished` ones ended in an error of ours, which a resumed run does again;
    `planned` is None in a run of an older version; `cost` is None where a price isn't known; `errors`: samples that
    ended in a model's error or in one of ours; `per_minute` as in `RunState`."""

    arm: str
    done: int
    unfinished: int
    planned: int | None
    passed: int
    errors: int
    cost: float | None
    per_minute: float | None


@dataclass(frozen=True, slots=True)
class RunState:
    """A run at one moment. `per_minute`: samples in the last minutes, None before two were seen. `nodes`: the name of
    each node of a cluster, what it did, and how much of it a minute."""

    arms: tuple[ArmState, ...]
    per_minute: float | None
    nodes: tuple[NodeState, ...]

    @property
    def done(self) -> int:
        return sum(arm.done for arm in self.arms)

    @property
    def planned(self) -> int | None:
        planned = [arm.planned for arm in self.arms]
        return None if None in planned else sum(count for count in planned if count is not None)

    @property
    def ended_in_own_error(self) -> int:
        return sum(arm.unfinished for arm in self.arms)

    @property
    def is_finished(self) -> bool:
        return self.planned is not None and self.done >= self.planned

    @property
    def has_reached_all(self) -> bool:
        """Whether each planned sample has ended, if only in an error of ours."""
        return self.planned is not None and self.done + self.ended_in_own_error >= self.planned


@dataclass(slots=True)
class Follower:
    """Reads a run's journal as it grows, each line once. `samples`: how each ended, and its cost. `seen`: the last
    moments, with what each arm (its name) and each node (its name behind `@`) had finished by then."""

    run: Path
    samples: dict[SampleKey, tuple[Outcome, float | None]] = field(default_factory=dict)
    seen: list[tuple[float, Counter[str]]] = field(default_factory=list)
    _offset: int = 0

    def read_state(self, now: float) -> RunState:
        """The run's state; `now` in seconds of any clock. Raises ConfigError for a folder that holds no run."""
        manifest = read_manifest(self.run)
        self._read_new_journal_lines(manifest.pass_rule)
        nodes = read_node_counts_or_empty(self.run / NODES)
        done = Counter(arm for (arm, _, _), (outcome, _) in self.samples.items() if outcome not in UNFINISHED)
        self.seen.append((now, done + Counter({f"@{name}": count.done for name, count in nodes.items()})))
        while len(self.seen) > 2 and now - self.seen[1][0] > _RATE_OVER_S:
            del self.seen[0]
        arms = tuple(
            self._make_arm_state(arm, manifest.planned.get(arm))
            for arm in dict.fromkeys((*manifest.planned, *(arm for arm, _, _ in self.samples)))
        )
        return RunState(
            arms,
            self._measure_rate_per_minute(*done),
            tuple(
                (name[:8], count, self._measure_rate_per_minute(f"@{name}")) for name, count in sorted(nodes.items())
            ),
        )

    def _read_new_journal_lines(self, rule: PassRule) -> None:
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
                    record = apply_rule_and_reviews(decode_json_value(SampleRecord, line, path), rule, {})
                    self.samples[record.key] = record.graft.verdict.outcome, record.usage.cost

    def _measure_rate_per_minute(self, *arms_or_nodes: str) -> float | None:
        """How much of these was finished a minute, between the first and the last moment."""
        (start, before), (end, after) = self.seen[0], self.seen[-1]
        more = sum(after[name] - before[name] for name in arms_or_nodes)
        return 60 * more / (end - start) if end > start and more > 1 else None

    def _make_arm_state(self, arm: str, planned: Mapping[str, int] | None) -> ArmState:
        ended = [end for key, end in self.samples.items() if key[0] == arm]
        tally, costs = Counter(outcome for outcome, _ in ended), [cost for _, cost in ended]
        unfinished = sum(tally[outcome] for outcome in UNFINISHED)
        return ArmState(
            arm=arm,
            done=len(ended) - unfinished,
            unfinished=unfinished,
            planned=None if planned is None else sum(planned.values()),
            passed=tally[Outcome.PASSED],
            errors=tally[Outcome.MODEL_ERROR] + unfinished,
            cost=None if None in costs else sum(cost for cost in costs if cost is not None),
            per_minute=self._measure_rate_per_minute(arm),
        )


WATCH_COLUMNS: Columns[ArmState] = {
    make_label_column("arm"): lambda arm: arm.arm,
    Column("done", priority=MAIN): lambda arm: str(arm.done) if arm.planned is None else f"{arm.done}/{arm.planned}",
    Column("passed", priority=MAIN): lambda arm: (
        f"{arm.passed} ({100 * arm.passed / arm.done:.0f} %)" if arm.done else MISSING
    ),
    Column("errors"): lambda arm: str(arm.errors),
    Column("USD"): lambda arm: MISSING if arm.cost is None else f"{arm.cost:.2f}",
    Column("a minute"): lambda arm: _format_rate(arm.per_minute),
}
NODE_COLUMNS: Columns[NodeState] = {
    make_label_column("node"): lambda node: node[0],
    Column("pieces of work"): lambda node: str(node[1].done),
    Column("a minute"): lambda node: _format_rate(node[2]),
    Column("busy"): lambda node: format_clock(node[1].seconds),
    Column("our failures", "text", MAIN): lambda node: ": ".join(
        filter(None, (str(node[1].failed), node[1].last_error))
    ),
}


def _format_rate(rate: float | None) -> str:
    return MISSING if rate is None else f"{rate:.1f}"


def format_state_line(state: RunState) -> str:
    """All of it in one line, for a log file."""
    arms = ", ".join(f"{arm.arm} {arm.passed}/{arm.done}" for arm in state.arms)
    nodes = ", ".join(
        f"{name} {count.done}" + (f" ({count.failed} failed)" if count.failed else "")
        for name, count, _ in state.nodes
    )
    return f"{_format_done_rate_and_time_left(state)}; passed: {arms or 'nothing yet'}" + (
        f"; work done by nodes: {nodes}" if nodes else ""
    )


def _format_done_rate_and_time_left(state: RunState) -> str:
    of = "" if state.planned is None else f" of {state.planned}"
    rate = "" if state.per_minute is None else f", {state.per_minute:.1f} a minute"
    left = ""
    if state.per_minute and state.planned is not None and not state.is_finished:
        left = f", {format_clock(60 * (state.planned - state.done) / state.per_minute)} left"
    failed = f", {state.ended_in_own_error} failed on our side" if state.ended_in_own_error else ""
    return f"{state.done}{of} samples{failed}{rate}{left}"


def watch_run(run: Path, console: Console, *, once: bool = False, sleep: Callable[[float], None] = time.sleep) -> None:
    """Show the run until all its samples are finished, or once: a table that renews itself in a terminal, elsewhere a
    line a minute. Where some ended in an error of ours, a run that isn't resumed is over too. Raises ConfigError for a
    folder that holds no run."""
    follower = Follower(run)
    live = None if once or not console.is_terminal else Live(console=console, auto_refresh=False)
    with live or nullcontext():
        while True:
            state = follower.read_state(time.monotonic())
            if live is None:
                console.print(format_state_line(state), markup=False)
            else:
                live.update(_draw_screen(state, console.width), refresh=True)
            if once or state.is_finished or (state.has_reached_all and not is_folder_locked(run)):
                return
            sleep(LINE_EVERY_S if live is None else _LOOK_EVERY_S)


def _draw_screen(state: RunState, width: int) -> Group:
    """How far all is, then a row an arm, and a row a node."""
    tables = [make_table(state.arms, WATCH_COLUMNS)]
    tables += [make_table(state.nodes, NODE_COLUMNS)] if state.nodes else []
    return Group(_format_done_rate_and_time_left(state), *(draw_table(table, width).drawn for table in tables))
