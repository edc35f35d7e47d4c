"""Counted work on stderr: a bar in a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from executor.sandbox.scheduler import LoadMeter
from experiments.consoles import get_shared_stderr_console
from index.progress import Advance

log = logging.getLogger(__name__)

LINE_EVERY_S = 15.0
"""Without a terminal: seconds between two lines. Enough for a log file."""


def format_clock(seconds: float) -> str:
    """`0:55`, `1:02:07`"""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


class ConsoleProgress:
    """`index.progress.Progress` for people, on stderr unless another console is given. Counts may be nested and may be
    advanced by several threads."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or get_shared_stderr_console()

    @contextmanager
    def open_count(self, what: str, total: int, done: int = 0) -> Iterator[Advance]:
        """See `Progress.open_count`. Nothing is shown when there is nothing to count."""
        if total == done:
            yield lambda steps=1, /, note="": None
        elif self._console.is_terminal:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[note]}"),
                TimeRemainingColumn(compact=True, elapsed_when_finished=True),
            )
            with Bar(*columns, console=self._console) as bar:
                count = bar.add_task(what, total=total, completed=done, note="")
                yield lambda steps=1, /, note="": bar.update(count, advance=steps, note=note)
        else:
            lines = _ProgressLogger(what, total, done)
            yield lines.advance
            lines.log_progress()


class _ProgressLogger:
    """Logs `12/40 files, 30.2/min, CPU 94 %, 0:55 left` at most every LINE_EVERY_S seconds."""

    def __init__(self, what: str, total: int, done: int) -> None:
        self._what = what
        self._total = total
        self._done = self._before = done
        self._note = ""
        self._began = self._logged = time.monotonic()
        # When the first step was done, and how many then. What was prepared before it says nothing of the rest.
        self._first: tuple[float, int] | None = None
        self._lock = threading.Lock()
        self._meter = LoadMeter()
        self._meter()

    def advance(self, steps: int = 1, /, note: str = "") -> None:
        with self._lock:
            self._done += steps
            self._note = note
            if steps and self._first is None:
                self._first = (time.monotonic(), self._done)
            due = time.monotonic() - self._logged >= LINE_EVERY_S
        if due:
            self.log_progress()

    def log_progress(self) -> None:
        self._logged = time.monotonic()
        seconds = max(self._logged - self._began, 1e-9)
        # More may be done than was asked for: two workers end at once.
        total = max(self._total, self._done)
        since, before = self._first or (self._logged, self._done)
        left = "no estimate yet"
        if self._done > before or self._done == total:
            per_step = (self._logged - since) / max(1, self._done - before)
            left = f"{format_clock((total - self._done) * per_step)} left"
        note = f"{self._note}, " if self._note else ""
        rate = 60 * (self._done - self._before) / seconds
        busy = min(100.0, 100 * self._meter() / (os.cpu_count() or 1))
        log.info(f"{self._done}/{total} {self._what}, {note}{rate:.1f}/min, CPU {busy:.0f} %, {left}")
