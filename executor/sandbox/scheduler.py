"""Decides when a sandbox's command may begin, so that the machine's cores are busy and no memory is promised twice.
A command that mostly waits holds no core: what counts is the load, measured and expected, not a number of slots."""

from __future__ import annotations

import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from executor.sandbox.capacity import RESERVED_MB, count_usable_cores, measure_usable_memory_mb

# So many commands a core at most, however little they do: more of them would meet each other's bursts.
_MOST_PER_CORE = 4
# So many where the machine is seen busy.
_FEW_PER_CORE = 2
_BUSY_SHARE = 0.95
# Between two commands of a session Graft itself works, and a command that is expected to keep a core busy waits for
# files now and then. So more is begun than the cores can do at once: this share of them, and where the machine isn't
# seen busy so many cores beside.
_EXPECTED_SHARE, _EXPECTED_BESIDE = 1.25, 1.0
# The load is measured over so many seconds. What began since isn't in it yet.
_WINDOW_S = 1.0
_LOOK_S = 0.2


@dataclass(frozen=True, slots=True)
class Need:
    """What a command takes: the cores that it is expected to keep busy, the MiB that it may use, and whether nothing
    else may run meanwhile. `later`: others go first."""

    cores: float = 1.0
    memory_mb: int = 0
    alone: bool = False
    later: bool = False


class LoadMeter:
    """How many of the machine's cores were busy lately, with whatever ran on it; without niced work, which gives way,
    unless this process is niced itself."""

    def __init__(self, path: Path = Path("/proc/stat")) -> None:
        self._path = path
        self._ticks = os.sysconf("SC_CLK_TCK")
        self._niced_too = os.getpriority(os.PRIO_PROCESS, 0) > 0
        self._seen: deque[tuple[float, float]] = deque()

    def __call__(self) -> float:
        """Busy cores over the last second or so; 0.0 until that is known, infinitely many where the machine doesn't
        tell: then only what is expected counts."""
        now = time.monotonic()
        if not self._seen or now - self._seen[-1][0] >= _LOOK_S / 2:
            try:
                numbers = [int(word) for word in self._path.read_text().split("\n", 1)[0].split()[1:9]]
                # The second is niced work. The fourth and the fifth are idle time, one with a disk that is waited for.
                left_out = numbers[3] + numbers[4] + (0 if self._niced_too else numbers[1])
                self._seen.append((now, (sum(numbers) - left_out) / self._ticks))
            except (OSError, ValueError, IndexError):
                return math.inf
        while len(self._seen) > 2 and now - self._seen[1][0] > _WINDOW_S:
            self._seen.popleft()
        (first, before), (last, after) = self._seen[0], self._seen[-1]
        return (after - before) / (last - first) if last - first >= _WINDOW_S / 2 else 0.0


@dataclass(slots=True)
class _Turn:
    need: Need
    began: float = field(default_factory=time.monotonic)


class Scheduler:
    """Thread-safe. At most `most` commands run at once, each only where its memory is free beside what the others may
    use. Another begins while the cores that all are known to keep busy, or those that are seen busy, leave one free.
    First come, first served: what needs much isn't kept waiting by small work that comes after it. With `most` 1
    commands run one after the other."""

    def __init__(
        self,
        most: int | None = None,
        cores: int | None = None,
        memory_mb: int | None = None,
        measure_load: Callable[[], float] | None = None,
    ) -> None:
        self.cores = cores or count_usable_cores()
        self.most = most or _MOST_PER_CORE * self.cores
        self._memory_mb = measure_usable_memory_mb() - RESERVED_MB if memory_mb is None else memory_mb
        self._measure_load = measure_load or LoadMeter()
        self._changed = threading.Condition()
        self._row: deque[_Turn] = deque()
        self._running: list[_Turn] = []
        # Who has the whole machine, and holds it between commands.
        self._owner: int | None = None
        self.ended, self.cpu_s = 0, 0.0
        self._began = time.monotonic()

    @contextmanager
    def hold_turn(self, need: Need = Need()) -> Iterator[None]:
        """Wait until the command may begin; it runs in the block."""
        turn = _Turn(need)
        with self._changed:
            if self._owner != threading.get_ident():
                self._wait_for_turn(turn)
            turn.began = time.monotonic()
            self._running.append(turn)
        try:
            yield
        finally:
            with self._changed:
                self._running.remove(turn)
                self._changed.notify_all()

    @contextmanager
    def hold_machine(self) -> Iterator[None]:
        """Wait until nothing runs. In the block only commands of this thread run."""
        self._take_machine()
        try:
            yield
        finally:
            self._give_machine_up()

    @contextmanager
    def lend_machine(self) -> Iterator[None]:
        """In the block others' commands run too, where this thread has the whole machine. Then it waits for it again,
        unless the block raises."""
        had_it = self._owner == threading.get_ident()
        self._give_machine_up()
        yield
        if had_it:
            self._take_machine()

    def _take_machine(self) -> None:
        with self._changed:
            self._wait_for_turn(_Turn(Need(alone=True)))
            self._owner = threading.get_ident()

    def _give_machine_up(self) -> None:
        with self._changed:
            if self._owner == threading.get_ident():
                self._owner = None
                self._changed.notify_all()

    def record_command_cpu_use(self, cpu_s: float | None) -> None:
        """A command ended, which took so many CPU seconds (None: not measured)."""
        with self._changed:
            self.ended += 1
            self.cpu_s += cpu_s or 0.0

    def describe_command_count_and_cpu_share(self) -> str:
        """What the commands took since the scheduler was made, and the share of the machine that this is."""
        wall_s = time.monotonic() - self._began
        share = 100 * self.cpu_s / max(wall_s, 1e-3) / self.cores
        return f"{self.ended} commands, {wall_s:.0f} s, {self.cpu_s:.0f} CPU-s: {share:.0f} % of {self.cores} cores"

    def _wait_for_turn(self, turn: _Turn) -> None:
        self._row.append(turn)
        try:
            # Nobody tells of a load that has fallen: the first in the row looks.
            while not ((first := self._is_next_in_row(turn)) and self._has_room_for(turn.need)):
                self._changed.wait(_LOOK_S if first else None)
        finally:
            self._row.remove(turn)
            self._changed.notify_all()

    def _is_next_in_row(self, turn: _Turn) -> bool:
        return turn is next((other for other in self._row if not other.need.later), self._row[0])

    def _has_room_for(self, need: Need) -> bool:
        if self._owner is not None:
            return False
        if not self._running:
            return True
        if need.alone or len(self._running) >= self.most or any(turn.need.alone for turn in self._running):
            return False
        if sum(turn.need.memory_mb for turn in self._running) + need.memory_mb > self._memory_mb:
            return False
        expected = sum(turn.need.cores for turn in self._running) + need.cores
        load, few = self._measure_load(), len(self._running) < _FEW_PER_CORE * self.cores
        # A candidate may burn where the unmodified tree sleeps: on a busy machine few run, whatever is expected.
        is_busy, most = load >= _BUSY_SHARE * self.cores, _EXPECTED_SHARE * self.cores
        if expected <= most + (0.0 if is_busy else _EXPECTED_BESIDE) and (few or not is_busy):
            return True
        now = time.monotonic()
        fresh = sum(turn.need.cores for turn in self._running if now - turn.began < _WINDOW_S)
        return load + fresh + need.cores <= self.cores
