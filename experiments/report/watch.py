"""graft watch: how far a run is, arm by arm, while another process works on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.live import Live

from executor.values import Outcome
from experiments.progress import clock
from experiments.report.layout import Columns, make_table
from experiments.report.metrics import MISSING
from experiments.report.render import rich_table
from experiments.run.manifest import RunManifest, read_manifest
from experiments.run.records import JOURNAL, SampleKey, SampleRecord, loads
from index.errors import InfraError

LINE_EVERY_S = 60.0
"""Seconds between two lines where stdout is no terminal."""
_LOOK_EVERY_S = 2.0
# The rate is that of the last minutes: a run that was resumed says nothing by its beginning.
_RATE_OVER_S = 600.0


@dataclass(frozen=True, slots=True)
class ArmState:
    """`planned` is None in a run of an older version; `cost` is None where a price isn't known; `errors`: samples that
    ended in a model's error or in one of ours."""

    arm: str
    done: int
    planned: int | None
    passed: int
    errors: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Glance:
    """A run at one moment. `per_minute`: samples in the last minutes, None before two were seen; `left_s`: what the
    rest takes at that rate."""

    arms: tuple[ArmState, ...]
    per_minute: float | None
    left_s: float | None

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


@dataclass(slots=True)
class Follower:
    """Reads a run's journal as it grows: each line once."""

    run: Path
    records: dict[SampleKey, SampleRecord] = field(default_factory=dict)
    seen: list[tuple[float, int]] = field(default_factory=list)
    _offset: int = 0

    def look(self, now: float) -> Glance:
        """The run's state; `now` in seconds of any clock. Raises ConfigError for a folder that holds no run."""
        manifest = read_manifest(self.run)
        self._read()
        self.seen.append((now, len(self.records)))
        while len(self.seen) > 2 and now - self.seen[1][0] > _RATE_OVER_S:
            del self.seen[0]
        return self._glance(manifest)

    def _read(self) -> None:
        path = self.run / JOURNAL
        if not path.is_file():
            return
        with path.open("rb") as file:
            file.seek(self._offset)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self._offset += len(whole)
        for line in filter(None, whole.split(b"\n")):
            try:
                record = loads(SampleRecord, line, path)
            except InfraError:
                continue
            self.records[record.key] = record

    def _glance(self, manifest: RunManifest) -> Glance:
        arms = tuple(
            _arm(arm, [r for r in self.records.values() if r.arm == arm], manifest.planned.get(arm))
            for arm in dict.fromkeys((*manifest.planned, *(record.arm for record in self.records.values())))
        )
        (begun, before), (now, after) = self.seen[0], self.seen[-1]
        rate = 60 * (after - before) / (now - begun) if now > begun and after - before > 1 else None
        found = Glance(arms, rate, None)
        if rate and found.planned is not None:
            return Glance(arms, rate, 60 * (found.planned - found.done) / rate)
        return found


def _arm(arm: str, records: Sequence[SampleRecord], planned: Mapping[str, int] | None) -> ArmState:
    costs = [record.usage.cost for record in records]
    outcomes = [record.graft.verdict.outcome for record in records]
    return ArmState(
        arm=arm,
        done=len(records),
        planned=None if planned is None else sum(planned.values()),
        passed=outcomes.count(Outcome.PASSED),
        errors=outcomes.count(Outcome.MODEL_ERROR) + outcomes.count(Outcome.INFRA_ERROR),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
    )


WATCH_COLUMNS: Columns[ArmState] = {
    "arm": lambda arm: arm.arm,
    "done": lambda arm: str(arm.done) if arm.planned is None else f"{arm.done}/{arm.planned}",
    "passed": lambda arm: f"{arm.passed} ({100 * arm.passed / arm.done:.0f} %)" if arm.done else MISSING,
    "errors": lambda arm: str(arm.errors),
    "USD": lambda arm: MISSING if arm.cost is None else f"{arm.cost:.2f}",
}


def state_line(glance: Glance) -> str:
    """All of it in one line, for a log file."""
    arms = ", ".join(f"{arm.arm} {arm.passed}/{arm.done}" for arm in glance.arms)
    return f"{_pace(glance)}; passed: {arms or 'nothing yet'}"


def _pace(glance: Glance) -> str:
    of = "" if glance.planned is None else f" of {glance.planned}"
    rate = "" if glance.per_minute is None else f", {glance.per_minute:.1f} a minute"
    left = "" if glance.left_s is None or glance.finished else f", {clock(glance.left_s)} left"
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
            live.update(rich_table(make_table(glance.arms, WATCH_COLUMNS), caption=_pace(glance)), refresh=True)


def _glances(
    follower: Follower, every_s: float, sleep: Callable[[float], None], *, once: bool = False
) -> Iterator[Glance]:
    while True:
        glance = follower.look(time.monotonic())
        yield glance
        if once or glance.finished:
            return
        sleep(every_s)
